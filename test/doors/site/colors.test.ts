import { describe, expect, it } from 'vitest';
import { relativeLuminance } from '../../../src/render/contrast.ts';
import { paletteCss } from '../../../src/doors/site/colors.ts';

const [light, dark] = paletteCss()
  .split('@media')
  .map((rule) => new Map([...rule.matchAll(/--([\w-]+): ([^;]+);/g)].map(([, k, v]) => [k!, v!])));

/** Contrast ratio as defined by WCAG 2.2, 1 to 21 */
function contrast(a: string, b: string): number {
  const [low, high] = [relativeLuminance(a), relativeLuminance(b)].sort((x, y) => x - y);
  return (high! + 0.05) / (low! + 0.05);
}

describe.each([
  ['light', light!],
  ['dark', dark!],
])('the %s colors of pages', (_name, colors) => {
  const color = (name: string) => colors.get(name)!;

  it('have the contrast that WCAG 2.2 AA requires', () => {
    const pairs = [
      // Text, secondary text, and links, on pages and on tinted boxes
      ...['ink', 'quiet-ink', 'class-4'].flatMap((text) => [
        [text, 'paper'],
        [text, 'land'],
      ]),
      ...['0', '1', '2', '3', '4', 'none'].map((name) => [`on-class-${name}`, `class-${name}`]),
    ] as [string, string][];
    const tooLow = pairs.filter(
      ([text, background]) => contrast(color(text), color(background)) < 4.5,
    );
    expect(tooLow).toEqual([]);
  });

  it('get steadily lighter or darker from one score class to the next', () => {
    const classes = ['0', '1', '2', '3', '4'].map((name) =>
      relativeLuminance(color(`class-${name}`)),
    );
    const steps = classes.slice(1).map((luminance, i) => Math.sign(luminance - classes[i]!));
    expect(new Set(steps).size).toBe(1);
  });
});

it('relativeLuminance matches WCAG', () => {
  expect(relativeLuminance('#fff')).toBeCloseTo(1);
  expect(relativeLuminance('#000')).toBe(0);
  expect(relativeLuminance('#808080')).toBeCloseTo(0.2159, 4);
});
