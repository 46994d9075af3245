import type { SymbolLayerSpecification } from '@maplibre/maplibre-gl-style-spec';
import type { Feature } from 'geojson';
import { describe, expect, it } from 'vitest';
import type { Scene, StyleImage } from '../../src/render/scene.ts';
import {
  BLUE,
  camera,
  GREEN,
  line,
  picture,
  point,
  RED,
  scene,
  white,
  WHITE,
  type Picture,
} from './pictures.ts';

type Layout = SymbolLayerSpecification['layout'];
type Paint = SymbolLayerSpecification['paint'];

/** An image of 20 x 10 pixels whose left and right halves have colors. */
function halves(left: readonly number[], right: readonly number[], more: object = {}): StyleImage {
  const pixels = new Uint8ClampedArray(4 * 20 * 10);
  for (let i = 0; i < 20 * 10; i++) pixels.set(i % 20 < 10 ? left : right, 4 * i);
  return { width: 20, height: 10, pixels, pixelRatio: 1, sdf: false, ...more };
}

const CLEAR = [0, 0, 0, 0];

const images: Record<string, StyleImage> = {
  flag: halves(RED, BLUE),
  'more:flag': halves(GREEN, GREEN),
  field: halves([0, 0, 0, 255], CLEAR, { sdf: true }),
  box: halves(RED, BLUE, { stretchX: [[9, 11]], stretchY: [[4, 6]], content: [9, 4, 11, 6] }),
};

function icons(layout: Layout, paint: Paint = {}, id = 'icons'): SymbolLayerSpecification {
  return { id, type: 'symbol', source: 's', layout: { 'icon-image': 'flag', ...layout }, paint };
}

const draw = (
  layers: readonly SymbolLayerSpecification[],
  features: readonly Feature[] = [point([50, 50])],
  changes: Partial<Scene> = {},
) => picture(scene([white, ...layers], features, { images, ...changes }));

const title = { 'text-field': 'Ready', 'text-font': ['Noto Sans Regular'], 'text-size': 16 };

describe('an icon', () => {
  it('is centered on its point, and stands beside it with an anchor and an offset', async () => {
    const centered = await draw([icons({})]);
    expect([centered.at(42, 50), centered.at(58, 50)]).toEqual([RED, BLUE]);
    expect([centered.at(38, 50), centered.at(62, 50), centered.at(50, 57)]).toEqual(
      Array(3).fill(WHITE),
    );
    const beside = await draw([icons({ 'icon-anchor': 'left', 'icon-offset': [0, 20] })]);
    expect([beside.at(55, 70), beside.at(65, 70), beside.at(55, 50)]).toEqual([RED, BLUE, WHITE]);
  });

  it('is scaled, rotated, translated, and faded', async () => {
    const turned = await draw([icons({ 'icon-size': 3, 'icon-rotate': 90 })]);
    expect([turned.at(50, 30), turned.at(50, 70), turned.at(30, 50)]).toEqual([RED, BLUE, WHITE]);
    const faint = await draw([icons({}, { 'icon-opacity': 0.5, 'icon-translate': [0, 20] })]);
    expect(faint.at(42, 50)).toEqual(WHITE);
    expect(Math.abs(faint.at(42, 70)[1]! - 128)).toBeLessThan(2);
  });

  it('takes its color and halo from the style if it is a distance field', async () => {
    const paint = { 'icon-color': '#00ff00', 'icon-halo-color': '#0000ff', 'icon-halo-width': 1 };
    const result = await draw([icons({ 'icon-image': 'field', 'icon-size': 4 }, paint)]);
    expect([result.at(30, 50), result.at(70, 50)]).toEqual([GREEN, WHITE]);
  });

  it('comes from any sprite, chosen by an expression among existing images', async () => {
    const first: NonNullable<Layout>['icon-image'] = [
      'coalesce',
      ['image', 'missing'],
      ['image', ['concat', 'more:', ['get', 'kind']]],
    ];
    const result = await draw(
      [icons({ 'icon-image': first })],
      [point([50, 50], { kind: 'flag' })],
    );
    expect(result.at(50, 50)).toEqual(GREEN);
  });

  it('is omitted if its image is missing, while its text is drawn', async () => {
    const result = await draw([icons({ 'icon-image': '{kind}', ...title })]);
    expect(result.at(42, 46)).toEqual(WHITE);
    expect(ink(result)).toBeGreaterThan(0);
  });

  it('turns with its line', async () => {
    const upward = line([
      [50, 95],
      [50, 5],
    ]);
    const layout: Layout = { 'symbol-placement': 'line-center', 'icon-size': 3 };
    const result = await draw([icons(layout)], [upward]);
    expect([result.at(50, 65), result.at(50, 35), result.at(30, 50)]).toEqual([RED, BLUE, WHITE]);
    const level = await draw(
      [icons({ ...layout, 'icon-rotation-alignment': 'viewport' })],
      [upward],
    );
    expect([level.at(30, 50), level.at(70, 50)]).toEqual([RED, BLUE]);
  });

  it('is omitted if the edge would cut it and symbols must be whole', async () => {
    const atEdge = [point([5, 50])];
    expect((await draw([icons({})], atEdge)).at(8, 50)).toEqual(BLUE);
    expect((await draw([icons({})], atEdge, { keepLabelsWhole: true })).at(8, 50)).toEqual(WHITE);
  });
});

/** Number of pixels that aren't white */
function ink(result: Picture): number {
  const pixels = Array.from({ length: 100 * 100 }, (_, i) =>
    result.at(i % 100, Math.floor(i / 100)),
  );
  return pixels.filter(([r, g, b]) => r! + g! + b! < 700).length;
}

describe('an icon in a turned or pitched view', () => {
  const seen = (layout: Layout, view: object, features = [point([50, 50])]) =>
    draw([icons(layout)], features, { view: { ...camera, ...view } });

  it('stands upright, or turns with the map', async () => {
    const east = { bearing: 90 };
    const upright = await seen({ 'icon-size': 3 }, east);
    expect([upright.at(30, 50), upright.at(70, 50)]).toEqual([RED, BLUE]);
    const turned = await seen({ 'icon-size': 3, 'icon-rotation-alignment': 'map' }, east);
    expect([turned.at(50, 70), turned.at(50, 30), turned.at(30, 50)]).toEqual([RED, BLUE, WHITE]);
  });

  it('is smaller far away, and flat if it lies on the map', async () => {
    const rowsOf = (result: Picture) =>
      Array.from({ length: 100 }, (_, y) => result.at(48, y)).filter(([, g]) => g === 0).length;
    const heights = [];
    for (const layout of [{}, { 'icon-pitch-alignment': 'map' as const }]) {
      heights.push(rowsOf(await seen({ 'icon-size': 3, ...layout }, { pitch: 60 })));
    }
    expect(heights).toEqual([28, 13]);
    const far = await seen({ 'icon-size': 3 }, { pitch: 60 }, [point([50, 10])]);
    expect(rowsOf(far)).toBeLessThan(26);
  });
});

describe('icons and texts', () => {
  const near = [point([50, 50]), point([56, 50])];

  it('avoid each other, within their padding', async () => {
    const one = await draw([icons({})], near);
    expect(one.at(64, 50)).toEqual(WHITE);
    expect((await draw([icons({ 'icon-overlap': 'always' })], near)).at(64, 50)).toEqual(BLUE);
    const apart = [point([30, 50]), point([56, 50])];
    expect((await draw([icons({})], apart)).at(64, 50)).toEqual(BLUE);
    expect((await draw([icons({ 'icon-padding': [0, 4] })], apart)).at(64, 50)).toEqual(WHITE);
  });

  it('are shown together, or alone if the rest is optional', async () => {
    const blocker = icons({ 'icon-anchor': 'top' }, {}, 'blocker');
    const both = icons({ ...title, 'text-anchor': 'top', 'icon-offset': [0, -15] });
    expect((await draw([both, blocker])).at(42, 35)).toEqual(WHITE);
    const optional = { ...both, layout: { ...both.layout, 'text-optional': true } };
    expect((await draw([optional, blocker])).at(42, 35)).toEqual(RED);
  });

  it('fit: an image stretches around its text, and its corners keep their size', async () => {
    const fitted = icons({ ...title, 'icon-image': 'box', 'icon-text-fit': 'both' });
    const result = await draw([fitted]);
    const rows = Array.from({ length: 100 }, (_, y) => y).filter(
      (y) => result.at(22, y)[0] === 255 && result.at(22, y)[1] === 0,
    );
    expect(rows.length).toBeGreaterThan(20);
    expect([result.at(10, 50), result.at(90, 50)]).toEqual([WHITE, WHITE]);
  });

  it('mix: an image among letters keeps its own size', async () => {
    const field = ['format', ['image', 'flag'], {}, 'Ready', {}, ['image', 'missing'], {}];
    const layout = { ...title, 'icon-image': '', 'text-field': field, 'text-anchor': 'left' };
    const result = await draw([icons(layout as Layout)], [point([10, 50])]);
    const rowsOf = (x: number, color: readonly number[]) =>
      Array.from({ length: 100 }, (_, y) => result.at(x, y)).filter(
        (pixel) => pixel.join() === color.join(),
      ).length;
    expect([rowsOf(15, RED), rowsOf(25, BLUE), rowsOf(15, BLUE)]).toEqual([10, 10, 0]);
    expect(ink(result)).toBeGreaterThan(250);
  });

  it('are placed once for layers that differ only in paint, and drawn by each', async () => {
    const lower = icons({}, {}, 'lower');
    const upper = icons({}, { 'icon-translate': [0, 20] }, 'upper');
    const result = await draw([lower, upper]);
    expect([result.at(42, 50), result.at(42, 70)]).toEqual([RED, RED]);
  });
});
