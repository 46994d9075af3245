import { validateStyleMin } from '@maplibre/maplibre-gl-style-spec';
import { describe, expect, it } from 'vitest';
import { paletteOf } from '../../../src/data/basemap/palette.ts';
import { loadStyle, STYLE_NAMES } from '../../../src/data/basemap/styles.ts';
import { camera, picture, scene } from '../../render/pictures.ts';

describe.each(STYLE_NAMES)('the style %s', (name) => {
  const style = loadStyle(name);
  const palette = paletteOf(style)!;
  const paintOf = (id: string) =>
    style.layers.find((layer) => layer.id === id)!.paint as Record<string, unknown>;

  it('is a valid style that the canvas engine draws', async () => {
    expect(validateStyleMin(style)).toEqual([]);
    for (const zoom of [3, 6, 9, 12]) {
      const view = { ...camera, zoom };
      const image = await picture({ ...scene([]), style, sources: {}, view });
      expect(image.at(50, 50)[3]).toBe(255);
    }
  });

  it('has a value for every placeholder', () => {
    expect(JSON.stringify(style)).not.toContain('"@');
    expect(JSON.stringify(style)).not.toContain('...@');
    expect(style.name!.toLowerCase()).toBe(name);
  });

  it('has the same layers and sources as the other styles', () => {
    const light = loadStyle('light');
    expect(style.sources).toEqual(light.sources);
    expect(style.layers.map((layer) => ({ ...layer, layout: null, paint: null }))).toEqual(
      light.layers.map((layer) => ({ ...layer, layout: null, paint: null })),
    );
  });

  it('colors ZIP codes with its palette and no other colors', () => {
    const paint = paintOf('zip-fill');
    const { breaks, colors, noData, opacity } = palette.scores;
    const text = JSON.stringify(paint);
    const steps = colors.map((color, i) => (i === 0 ? [color] : [breaks[i - 1], color])).flat();
    expect(text).toContain(JSON.stringify(steps).slice(1, -1));
    const statuses = Object.values(palette.statuses);
    expect(text.match(/#[0-9a-f]{6}/g)).toEqual([...statuses, ...colors, noData]);
    expect(paint).toMatchObject({ 'fill-opacity': opacity });
    expect(paintOf('zip-dots')).toMatchObject({ 'circle-color': paint['fill-color'] });
  });

  it('publishes the colors of its basemap', () => {
    expect({
      ...palette,
      scores: null,
      statuses: null,
      territories: null,
      whiteSpace: null,
      changes: null,
      pins: null,
      furniture: null,
    }).toEqual({
      land: paintOf('land')['fill-color'],
      water: paintOf('lakes')['fill-color'],
      river: paintOf('rivers')['line-color'],
      county: paintOf('county-lines')['line-color'],
      state: paintOf('state-lines')['line-color'],
      highway: paintOf('highways')['line-color'],
      highwayCasing: paintOf('highways-casing')['line-color'],
      interstate: paintOf('interstates')['line-color'],
      interstateCasing: paintOf('interstates-casing')['line-color'],
      label: paintOf('metropolises')['text-color'],
      quietLabel: paintOf('towns')['text-color'],
      labelHalo: paintOf('towns')['text-halo-color'],
      pins: null,
      scores: null,
      statuses: null,
      territories: null,
      whiteSpace: null,
      changes: null,
      furniture: null,
    });
  });

  it('has score colors that get steadily lighter or darker, by more than 8 points of lightness per class', () => {
    const lightness = palette.scores.colors.map(perceivedLightness);
    const steps = lightness.slice(1).map((value, i) => value - lightness[i]!);
    expect(new Set(steps.map(Math.sign)).size).toBe(1);
    for (const step of steps) expect(Math.abs(step)).toBeGreaterThan(8);
  });
});

/** CIE L* of a hex color. */
function perceivedLightness(hex: string): number {
  const [r, g, b] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  const luminance = 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
  return luminance > 0.008856 ? 116 * Math.cbrt(luminance) - 16 : 903.3 * luminance;
}
