import type { LayerSpecification } from '@maplibre/maplibre-gl-style-spec';
import { describe, expect, it } from 'vitest';
import type { Scene, StyleImage } from '../../src/render/scene.ts';
import {
  BLUE,
  camera,
  GREEN,
  line,
  picture,
  RED,
  scene,
  square,
  white,
  WHITE,
} from './pictures.ts';

/** An image of 16 x 16 pixels: one color for each quarter, row by row */
function quarters(colors: readonly (readonly number[])[], more: object = {}): StyleImage {
  const pixels = new Uint8ClampedArray(4 * 16 * 16);
  for (let i = 0; i < 256; i++) {
    const quarter = (i % 16 < 8 ? 0 : 1) + (i < 128 ? 0 : 2);
    pixels.set(colors[quarter]!, 4 * i);
  }
  return { width: 16, height: 16, pixels, pixelRatio: 1, sdf: false, ...more };
}

const images = {
  columns: quarters([RED, BLUE, RED, BLUE]),
  rows: quarters([RED, RED, BLUE, BLUE]),
  dense: quarters([RED, BLUE, RED, BLUE], { pixelRatio: 2 }),
  field: quarters([[0, 0, 0, 255], [0, 0, 0, 0], [0, 0, 0, 255], [0, 0, 0, 0]], { sdf: true }), // oxfmt-ignore
};

const draw = (layer: object, features: Parameters<typeof scene>[1] = [], changes = {}) =>
  picture(
    scene([white, { id: 'l', ...layer } as LayerSpecification], features, {
      images,
      view: { ...camera, zoom: 9 },
      ...changes,
    } as Partial<Scene>),
  );

/** The colors of the middle row of a picture that a layer covers */
async function rowOf(layer: object, changes: object = {}): Promise<string[]> {
  const { at, width } = await draw(layer, [square(-50, 150, { image: 'columns' })], changes);
  return Array.from({ length: width }, (_, x) => String(at(x, width / 2)));
}

const fill = (paint: object) => ({
  type: 'fill',
  source: 's',
  paint: { 'fill-antialias': false, ...paint },
});
const backdrop = { type: 'background' };
const [red, green, blue, blank] = [RED, GREEN, BLUE, WHITE].map(String) as [string, ...string[]];

describe('a pattern', () => {
  it.each([
    ['an area', fill({ 'fill-pattern': 'columns' })],
    ['an area, selected by the feature', fill({ 'fill-pattern': ['get', 'image'] })],
    ['the background', { ...backdrop, paint: { 'background-pattern': 'columns' } }],
  ])('repeats across %s', async (_, layer) => {
    const row = await rowOf(layer);
    expect(row.slice(16)).toEqual(row.slice(0, -16));
    expect([red, blue].map((color) => row.filter((c) => c === color).length > 30)).toEqual([
      true,
      true,
    ]);
    expect(row).not.toContain(blank);
  });

  it('has the size of its image for screens of its ratio, and grows up to the next zoom', async () => {
    const dense = await rowOf(fill({ 'fill-pattern': 'dense' }));
    expect(dense.slice(8)).toEqual(dense.slice(0, -8));
    const grown = await rowOf(fill({ 'fill-pattern': 'columns' }), {
      view: { ...camera, zoom: 9 + Math.log2(1.5) },
    });
    expect(grown.slice(24)).toEqual(grown.slice(0, -24));
    expect(grown.slice(16)).not.toEqual(grown.slice(0, -16));
  });

  it('moves with its area', async () => {
    const paint = { 'fill-pattern': 'columns', 'fill-translate': [5, 0] };
    const [row, moved] = [
      await rowOf(fill({ 'fill-pattern': 'columns' })),
      await rowOf(fill(paint)),
    ];
    expect(moved.slice(5)).toEqual(row.slice(0, -5));
  });

  it('takes the fill color if it is a distance field', async () => {
    const row = await rowOf(fill({ 'fill-pattern': 'field', 'fill-color': '#00ff00' }));
    expect(new Set([...row].filter((color) => color === green || color === blank)).size).toBe(2);
    expect(row).not.toContain(red);
  });

  it('is drawn across a line, and along it', async () => {
    const draws = async (pattern: string) => {
      const paint = { 'line-width': 32, 'line-pattern': pattern };
      const { at } = await draw({ type: 'line', source: 's', paint }, [line([[-50, 50], [150, 50]])]); // oxfmt-ignore
      return at;
    };
    const rows = await draws('rows');
    expect([rows(50, 40), rows(50, 60), rows(50, 30)]).toEqual([BLUE, RED, WHITE]);
    const columns = await draws('columns');
    const reddish = Array.from({ length: 100 }, (_, x) => columns(x, 50)[0]! > 128);
    expect(reddish.slice(32)).toEqual(reddish.slice(0, -32));
    expect(new Set(reddish).size).toBe(2);
  });

  it('omits features whose image is missing', async () => {
    for (const layer of [
      fill({ 'fill-pattern': 'none' }),
      { type: 'line', source: 's', paint: { 'line-width': 99, 'line-pattern': 'none' } },
      { ...backdrop, paint: { 'background-pattern': 'none' } },
    ]) {
      expect(new Set(await rowOf(layer))).toEqual(new Set([blank]));
    }
  });
});
