import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { paletteOf } from '../../../src/data/basemap/palette.ts';
import { loadStyle } from '../../../src/data/basemap/styles.ts';
import {
  amountColor,
  amountColoring,
  amountLegend,
} from '../../../src/maps/cartography/amount-coloring.ts';
import { blendWithLand } from '../../../src/maps/cartography/furniture/legends.ts';

const light = loadStyle('light');
const texts = { title: 'Jobs', method: 'with numbers of ZIP codes', format: String };
const color = (amounts: readonly number[]) =>
  amountColoring(new Map(amounts.map((amount, i) => [`${10_000 + i}`, amount])), texts);

describe('classes of amounts', () => {
  it('contain about equal numbers of ZIP codes', () => {
    expect(color([9, 1, 2, 3, 4, 5, 6, 7, 8, 10]).labels).toEqual([
      '1–2',
      '3–4',
      '5–6',
      '7–8',
      '9–10',
    ]);
  });

  it('divide what many equal amounts leave', () => {
    const ones = Array.from({ length: 50 }, () => 1);
    expect(color([...ones, 2, 3, 5, 8]).labels).toEqual(['1', '2', '3', '5', '8']);
    expect(color(ones).labels).toEqual(['1']);
    expect(color([])).toMatchObject({ labels: [], range: null });
  });

  it('are never empty, keep equal amounts together, and are in order', () => {
    const anyAmounts = fc.array(fc.integer({ min: -3, max: 30 }), { minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(anyAmounts, (amounts) => {
        const { labels, classOf } = color(amounts);
        expect(labels.length).toBeLessThanOrEqual(5);
        const classes = amounts.map(
          (amount, i) => [amount, classOf.get(`${10_000 + i}`)!] as const,
        );
        expect(new Set(classes.map(([, index]) => index)).size).toBe(labels.length);
        const sorted = classes.toSorted(([a], [b]) => a - b);
        for (const [i, [amount, index]] of sorted.slice(1).entries()) {
          const [before, indexBefore] = sorted[i]!;
          expect(index).toBeGreaterThanOrEqual(indexBefore);
          expect(amount === before && index !== indexBefore).toBe(false);
        }
      }),
    );
  });
});

describe('the legend of amounts', () => {
  it('has the colors on the map and the number of ZIP codes in each class', () => {
    const coloring = color([1, 1, 2, 30]);
    const palette = paletteOf(light)!;
    const { breaks, colors, noData } = palette.scores;
    const zips = ['10000', '10001', '10002', '10003', '20000', '20001'];
    const legend = amountLegend(light, coloring, zips, undefined)!;
    expect(legend).toMatchObject({ title: 'Jobs', range: ['1', '30'] });
    expect(legend.classes.map(({ label }) => label)).toEqual(['1 · 2', '2 · 1', '30 · 1']);
    expect(legend.noData).toEqual({ label: 'No data · 2', color: blendWithLand(noData, palette) });
    const onMap = ['10000', '10002', '10003'].map((zip) => {
      const { score } = amountColor(coloring, zip) as { score: number };
      return blendWithLand(colors[breaks.filter((from) => score >= from).length]!, palette);
    });
    expect(legend.classes.map((one) => one.color)).toEqual(onMap);
    expect(amountColor(coloring, '20000')).toEqual({ score: null });
    expect(amountLegend(light, coloring, zips.slice(0, 4), 'Outside')).not.toHaveProperty('noData');
  });
});
