import { describe, expect, it } from 'vitest';
import { choroplethSources, type ZipColor } from '../../../src/maps/cartography/choropleth.ts';
import { scoreLegend, statusLegend } from '../../../src/maps/cartography/furniture/legends.ts';
import { paletteOf } from '../../../src/data/basemap/palette.ts';
import { styleVariant } from '../../../src/maps/cartography/style-variant.ts';
import { loadStyle, STYLE_NAMES } from '../../../src/data/basemap/styles.ts';
import { Viewport } from '../../../src/base/spatial/camera.ts';
import { camera, picture, polygon, scene, SIDE_PX, square } from '../../render/pictures.ts';

/** The red, green, and blue of a CSS color, 0 to 255. */
function channels(css: string): number[] {
  return css.match(/\d+/g)!.slice(0, 3).map(Number);
}

describe.each(STYLE_NAMES)('a choropleth in the style %s', (name) => {
  const style = loadStyle(name);
  const palette = paletteOf(style)!;

  const viewport = new Viewport(camera, SIDE_PX, SIDE_PX);

  /** Draws up to six ZIP codes as vertical stripes and returns the color of each. */
  async function drawStripes(colors: readonly ZipColor[], drawnStyle = style) {
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
    const image = await picture({ ...scene([]), style: drawnStyle, sources, view: camera });
    return colors.map((_, i) => image.at(i * 16 + 8, 50).slice(0, 3));
  }

  function expectClose(shown: readonly number[][], legend: readonly string[]): void {
    for (const [i, color] of legend.entries()) {
      for (const [channel, value] of channels(color).entries()) {
        expect(Math.abs(shown[i]![channel]! - value)).toBeLessThanOrEqual(2);
      }
    }
  }

  it.each([false, true])(
    'draws scores in the colors of the legend (transparent: %s)',
    async (transparent) => {
      const variant = styleVariant(style, { transparent });
      const scores = [10, 20, 55, 79.9, 100, null];
      const shown = await drawStripes(
        scores.map((score) => ({ score })),
        variant,
      );
      const legend = scoreLegend(variant, 'Score')!;
      const classes = [0, 1, 2, 3, 4].map((i) => legend.classes[i]!.color);
      expectClose(shown, [...classes, legend.noData!.color]);
    },
  );

  it('draws statuses in the colors of the legend, which lists only the statuses shown', async () => {
    const statuses = ['removed', 'pending', 'live'] as const;
    const shown = await drawStripes(statuses.map((status) => ({ status })));
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

  it('draws only the territory in a transparent variant', async () => {
    const sources = { states: [square(-500, 500)], zips: [square(40, 60, { status: 'plain' })] };
    const variant = styleVariant(style, { transparent: true });
    const image = await picture({ ...scene([]), style: variant, sources, view: camera });
    expect(image.at(10, 10)).toEqual([0, 0, 0, 0]);
    expectClose([image.at(50, 50)], [rgbOfHex(palette.statuses.plain)]);
    expect(image.at(50, 50)[3]).toBe(255);
  });
});

/** Converts a hex color to `rgb(…)`. */
const rgbOfHex = (hex: string) =>
  `rgb(${[1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join()})`;
