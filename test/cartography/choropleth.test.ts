import { validateStyleMin } from '@maplibre/maplibre-gl-style-spec';
import { describe, expect, it } from 'vitest';
import { choroplethSources, type ZipColor } from '../../src/cartography/choropleth.ts';
import { labelFeatures, labelsFittingAt } from '../../src/basemap/label-features.ts';
import { scoreClass, scoreLegend, statusLegend } from '../../src/cartography/legends.ts';
import { paletteOf } from '../../src/basemap/palette.ts';
import { styleVariant } from '../../src/cartography/style-variant.ts';
import { loadStyle, STYLE_NAMES } from '../../src/basemap/styles.ts';
import { Viewport } from '../../src/spatial/camera.ts';
import { camera, corners, picture, polygon, scene, SIDE_PX, square } from '../render/pictures.ts';

/** 0..255 of a shipped style's land and fill colours mixed as the style draws them. */
function channels(css: string): number[] {
  return css.match(/\d+/g)!.slice(0, 3).map(Number);
}

describe.each(STYLE_NAMES)('the style %s', (name) => {
  const style = loadStyle(name);
  const palette = paletteOf(style)!;

  it('is valid, and drawn by the canvas engine', async () => {
    expect(validateStyleMin(style)).toEqual([]);
    for (const zoom of [3, 6, 9, 12]) {
      const view = { ...camera, zoom };
      const drawn = await picture({ ...scene([]), style, sources: {}, view });
      expect(drawn.at(50, 50)[3]).toBe(255);
    }
  });

  it('colours ZIPs with its palette, and no other colours', () => {
    const layer = style.layers.find(({ id }) => id === 'zip-fill')!;
    const { breaks, colors, noData, opacity } = palette.scores;
    const text = JSON.stringify(layer.paint);
    const steps = colors.map((color, i) => (i === 0 ? [color] : [breaks[i - 1], color])).flat();
    expect(text).toContain(JSON.stringify(steps).slice(1, -1));
    const statuses = Object.values(palette.statuses);
    expect(text.match(/#[0-9a-f]{6}/g)).toEqual([...statuses, ...colors, noData]);
    expect(layer.paint).toMatchObject({ 'fill-opacity': opacity });
    const dots = style.layers.find(({ id }) => id === 'zip-dots')!;
    expect(dots.paint).toMatchObject({ 'circle-color': layer.paint!['fill-color' as never] });
  });

  it('publishes the colours of its basemap', () => {
    const colorOf = (id: string, property: string) =>
      (style.layers.find((layer) => layer.id === id)!.paint as Record<string, unknown>)[property];
    expect({ ...palette, scores: null, statuses: null, furniture: null }).toEqual({
      land: colorOf('land', 'fill-color'),
      water: colorOf('lakes', 'fill-color'),
      river: colorOf('rivers', 'line-color'),
      county: colorOf('county-lines', 'line-color'),
      state: colorOf('state-lines', 'line-color'),
      highway: colorOf('highways', 'line-color'),
      highwayCasing: colorOf('highways-casing', 'line-color'),
      interstate: colorOf('interstates', 'line-color'),
      interstateCasing: colorOf('interstates-casing', 'line-color'),
      label: colorOf('metropolises', 'text-color'),
      quietLabel: colorOf('towns', 'text-color'),
      labelHalo: colorOf('towns', 'text-halo-color'),
      scores: null,
      statuses: null,
      furniture: null,
    });
  });

  it('steps evenly from light to dark or back, in lightness that no eye mistakes', () => {
    const lightness = palette.scores.colors.map(perceivedLightness);
    const steps = lightness.slice(1).map((value, i) => value - lightness[i]!);
    expect(new Set(steps.map(Math.sign)).size).toBe(1);
    for (const step of steps) expect(Math.abs(step)).toBeGreaterThan(8);
  });

  const viewport = new Viewport(camera, SIDE_PX, SIDE_PX);

  /** The colours of upright stripes, one for each of the six. */
  async function stripes(colors: readonly ZipColor[], drawnStyle = style) {
    const zips = colors.map((color, i) => ({
      zip: `7520${i}`,
      color,
      geometry: polygon([
        [
          [i * 16, 0],
          [i * 16 + 16, 0],
          [i * 16 + 16, 100],
          [i * 16, 100],
        ],
      ]).geometry,
    }));
    const sources = { states: [square(-500, 500)], zips: choroplethSources(zips, viewport).zips };
    const drawn = await picture({ ...scene([]), style: drawnStyle, sources, view: camera });
    return colors.map((_, i) => drawn.at(i * 16 + 8, 50).slice(0, 3));
  }

  function expectClose(shown: readonly number[][], legend: readonly string[]): void {
    for (const [i, color] of legend.entries()) {
      for (const [channel, value] of channels(color).entries()) {
        expect(Math.abs(shown[i]![channel]! - value)).toBeLessThanOrEqual(2);
      }
    }
  }

  it.each([false, true])(
    'shows on the map the colours of its legend (transparent: %s)',
    async (transparent) => {
      const variant = styleVariant(style, { transparent });
      const scores = [10, 20, 55, 79.9, 100, null];
      const shown = await stripes(
        scores.map((score) => ({ score })),
        variant,
      );
      const legend = scoreLegend(variant, 'Score')!;
      const classes = [0, 1, 2, 3, 4].map((i) => legend.classes[i]!.color);
      expectClose(shown, [...classes, legend.noData!.color]);
    },
  );

  it('shows statuses in the colours of their legend, which names those on the map', async () => {
    const statuses = ['removed', 'pending', 'live'] as const;
    const shown = await stripes(statuses.map((status) => ({ status })));
    const legend = statusLegend(style, 'Territory', new Set(statuses))!;
    expectClose(
      shown,
      legend.classes.map(({ color }) => color),
    );
    expect(new Set(shown.map(String)).size).toBe(3);
    const [only] = statusLegend(style, 'Territory', new Set(['live'] as const))!.classes;
    expect(only).toEqual({ label: 'Live', color: legend.classes[2]!.color });
    expect(statusLegend(style, 'Territory', new Set(['plain'] as const))).toBeNull();
  });

  it('without its ground shows the territory alone, over nothing', async () => {
    const sources = { states: [square(-500, 500)], zips: [square(40, 60, { status: 'plain' })] };
    const variant = styleVariant(style, { transparent: true });
    const drawn = await picture({ ...scene([]), style: variant, sources, view: camera });
    expect(drawn.at(10, 10)).toEqual([0, 0, 0, 0]);
    expectClose([drawn.at(50, 50)], [hexChannels(palette.statuses.plain)]);
    expect(drawn.at(50, 50)[3]).toBe(255);
  });

  it('without labels names nothing', () => {
    const types = styleVariant(style, { labels: false }).layers.map(({ type }) => type);
    expect(types).not.toContain('symbol');
    expect(types).toContain('line');
  });
});

describe('score classes', () => {
  it('begin at their lower bounds', () => {
    const breaks = [20, 40, 60, 80];
    expect([0, 19.9, 20, 59, 80, 100].map((score) => scoreClass(score, breaks))).toEqual([
      0, 0, 1, 2, 4, 4,
    ]);
    expect(scoreClass(null, breaks)).toBeNull();
  });

  it('are named in the legend from low to high', () => {
    const legend = scoreLegend(loadStyle('light'), 'Demand score')!;
    expect(legend.classes.map(({ label }) => label)).toEqual([
      '0–19',
      '20–39',
      '40–59',
      '60–79',
      '80–100',
    ]);
    expect(scoreLegend(scene([]).style, 'Demand score')).toBeNull();
  });
});

describe('label points', () => {
  it('stand in the largest part of an area', () => {
    const parts = [square(10, 20), square(40, 80)].map(({ geometry }) => geometry.coordinates);
    const [label] = labelFeatures(
      [
        {
          type: 'Feature',
          id: 7,
          properties: { zip: '75201' },
          geometry: { type: 'MultiPolygon', coordinates: parts },
        },
      ],
      20,
    );
    const middle = polygon([corners(60, 60)]).geometry;
    expect(label?.geometry.coordinates[0]).toBeCloseTo(middle.coordinates[0]![0]![0]!, 3);
    expect(label?.geometry.coordinates[1]).toBeCloseTo(middle.coordinates[0]![0]![1]!, 3);
    expect(label).toMatchObject({ id: 7, properties: { zip: '75201' } });
    // A square of 40 px holds a circle of 20 px radius at this very zoom.
    expect(label?.properties!.labelZoom).toBeCloseTo(camera.zoom, 2);
  });

  it('are kept for a picture only where the label fits', () => {
    const labels = labelFeatures([square(40, 80), square(10, 20)], 19);
    const fitting = labelsFittingAt(camera.zoom, labels);
    expect(fitting).toHaveLength(1);
    expect(fitting[0]?.properties!.labelZoom).toBe(9);
  });
});

/** `rgb(…)` of a hex colour. */
const hexChannels = (hex: string) =>
  `rgb(${[1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join()})`;

/** CIE L* of a hex colour. */
function perceivedLightness(hex: string): number {
  const [r, g, b] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  const luminance = 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
  return luminance > 0.008856 ? 116 * Math.cbrt(luminance) - 16 : 903.3 * luminance;
}
