import type { LayerSpecification, SourceSpecification } from '@maplibre/maplibre-gl-style-spec';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readScene } from './read-scene.ts';
import { elevationColor, pngOf, putFile, type Rgba } from '../support/png-tiles.ts';
import { BLUE, GREEN, picture, RED, WHITE } from './pictures.ts';

let folder: string;

/** Red and green above blue and white */
const quarters = (side: number) => (x: number, y: number) =>
  [RED, GREEN, BLUE, WHITE][(x < side / 2 ? 0 : 1) + (y < side / 2 ? 0 : 2)] as unknown as Rgba;
const GRAY: Rgba = [128, 128, 128, 255];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rasters-'));
  const put = async (path: string, side: number, colorAt: Parameters<typeof pngOf>[2]) =>
    putFile(folder, path, await pngOf(side, side, colorAt));
  await put('raster/0-0-0.png', 4, quarters(4));
  await put('raster/1-0-0.png', 4, () => GRAY);
  // A ridge from north to south, 2,000 km high
  await put('dem/0-0-0.png', 64, (x) => elevationColor(40_000 * Math.min(x, 63 - x)));
  putFile(folder, 'wide/0-0-0.png', await pngOf(8, 4, () => GRAY));
  putFile(folder, 'broken/0-0-0.png', (await pngOf(64, 64, quarters(64))).subarray(0, 90));
  putFile(folder, 'svg/0-0-0.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Draws the whole world in 128 pixels, one pixel for each 2.8 degrees of longitude. */
async function draw(source: object, type: string, paint: object) {
  const layer = { id: 'l', type, source: 's', paint } as LayerSpecification;
  const style = {
    version: 8,
    zoom: -2,
    sources: { s: source as SourceSpecification },
    layers: [layer],
  };
  const file = join(folder, 'style.json');
  putFile(folder, 'style.json', Buffer.from(JSON.stringify(style)));
  return picture(await readScene({ file, assets: folder, width: 128, height: 128, pixelRatio: 1 }));
}

const tilesIn = (path: string, more: object = {}) => ({
  type: 'raster',
  tiles: [`local://${path}/{z}-{x}-{y}.png`],
  tileSize: 128,
  ...more,
});
const elevations = (more: object = {}) => tilesIn('dem', { type: 'raster-dem', ...more });
const draws = (source: object, paint: object = {}) => draw(source, 'raster', paint);

describe('a raster layer', () => {
  it('interpolates between the pixels of a tile unless the style says "nearest"', async () => {
    const hard = await draws(tilesIn('raster'), { 'raster-resampling': 'nearest' });
    const quarterColors = [hard.at(63, 63), hard.at(64, 63), hard.at(63, 64), hard.at(64, 64)];
    expect(quarterColors).toEqual([RED, GREEN, BLUE, WHITE]);
    const soft = await draws(tilesIn('raster'));
    expect(soft.at(16, 16)).toEqual(RED);
    const [red, green] = soft.at(64, 16) as [number, number];
    expect(Math.abs(red - green)).toBeLessThan(10);
  });

  it('enlarges the tile above in place of a missing one', async () => {
    const { at } = await draws(tilesIn('raster', { tileSize: 64 }));
    expect([at(16, 16), at(112, 16), at(16, 112)]).toEqual([GRAY, GREEN, BLUE]);
  });

  it('shows only tiles inside the bounds of its source', async () => {
    const { at } = await draws(tilesIn('raster', { tileSize: 64, bounds: [-180, 10, -10, 80] }));
    expect([at(16, 16)[3], at(112, 16)[3], at(16, 112)[3]]).toEqual([255, 0, 0]);
  });

  it.each([
    ['turns the hue', { 'raster-hue-rotate': 120 }, [0, 255, 0, 255]],
    ['removes the saturation', { 'raster-saturation': -1 }, [85, 85, 85, 255]],
    ['removes the contrast', { 'raster-contrast': -1 }, [128, 128, 128, 255]],
    ['keeps full colors at the highest contrast', { 'raster-contrast': 1 }, [255, 0, 0, 255]],
    ['lifts black', { 'raster-brightness-min': 0.6 }, [255, 153, 153, 255]],
    ['dims white', { 'raster-brightness-max': 0.6 }, [153, 0, 0, 255]],
    ['applies its opacity', { 'raster-opacity': 0.6 }, [255, 0, 0, 153]],
  ])('%s', async (_, paint, color) => {
    expect((await draws(tilesIn('raster'), paint)).at(16, 16)).toEqual(color);
  });

  it('shows a picture between any four corners', async () => {
    const [west, east, north, south] = [-90, 90, 60, -60];
    const corners = [[east, north], [west, north], [west, south], [east, south]]; // oxfmt-ignore
    const url = 'raster/0-0-0.png';
    const { at } = await draws({ type: 'image', url, coordinates: corners });
    expect([at(40, 50), at(88, 50), at(40, 78)]).toEqual([GREEN, RED, WHITE]);
    expect(at(20, 64)[3]).toBe(0);
  });

  it.each([
    [
      'is too small',
      tilesIn('raster', { tileSize: 0 }),
      'sources.s.tileSize is 0: use at least 16',
    ],
    ['is broken', tilesIn('broken'), "isn't a PNG, JPEG, WebP, AVIF, or GIF picture"],
    ['is an SVG', tilesIn('svg'), 'its first bytes are of another format'],
    ['does not exist', { type: 'image', url: 'no.png', coordinates: [[0, 1], [1, 1], [1, 0], [0, 0]] }, 'no.png, which does not exist'], // oxfmt-ignore
  ])('is refused if its picture %s', async (_, source, message) => {
    await expect(draws(source)).rejects.toThrow(message);
  });
});

describe('a hillshade layer', () => {
  it.each(['standard', 'basic', 'combined', 'igor', 'multidirectional'])(
    'lights the slope that faces the light, by the method "%s"',
    async (method) => {
      const { at } = await draw(elevations(), 'hillshade', {
        'hillshade-method': method,
        'hillshade-illumination-direction': 270,
        'hillshade-shadow-color': '#00f',
        'hillshade-highlight-color': '#f00',
        'hillshade-accent-color': '#000',
      });
      const [west, east] = [at(32, 64), at(96, 64)] as [number[], number[]];
      expect(west[0]).toBeGreaterThan(west[2]!);
      expect(east[2]).toBeGreaterThan(east[0]!);
    },
  );

  it.each([
    [{ tiles: [1] }, 'its "tiles" isn\'t an array of addresses'],
    [{ tiles: [], bounds: 5 }, 'its "bounds" isn\'t [west, south, east, north]'],
    [{ tiles: [], minzoom: 'a' }, 'its "minzoom" isn\'t a whole number of at least 0'],
    [{ tiles: ['local://dem/{z}-{x}-{y}.png'], encoding: 'constructor' }, 'encoding "constructor"'],
    [[], 'it has no "tiles" array'],
  ])('refuses the TileJSON %j', async (document, message) => {
    putFile(folder, 'dem.json', Buffer.from(JSON.stringify(document)));
    const source = { type: 'raster-dem', url: 'dem.json' };
    await expect(draw(source, 'hillshade', {})).rejects.toThrow(message);
  });

  it('refuses tiles that are not square', async () => {
    const source = elevations({ tiles: ['wide/{z}-{x}-{y}.png'] });
    await expect(draw(source, 'hillshade', {})).rejects.toThrow(
      'sources.s.tiles (wide/0-0-0.png) measures 8 x 4 pixels: elevation tiles must be square',
    );
  });
});

describe('a color-relief layer', () => {
  const ramp = ['interpolate', ['linear'], ['elevation'], 0, '#00f', 1_200_000, '#f00'];

  it('colors elevations', async () => {
    const { at } = await draw(elevations(), 'color-relief', { 'color-relief-color': ramp });
    const [blue, middle, red] = [at(0, 64), at(31, 64), at(63, 64)] as number[][];
    expect(blue).toEqual(BLUE);
    expect(middle![0]! - middle![2]!).toBeLessThan(20);
    expect(red).toEqual(RED);
  });

  it('is refused if it does not interpolate', async () => {
    const steps = ['step', ['elevation'], '#00f', 1000, '#f00'];
    await expect(
      draw(elevations(), 'color-relief', { 'color-relief-color': steps }),
    ).rejects.toThrow('layers[0].paint.color-relief-color is supported only as an "interpolate"');
  });
});
