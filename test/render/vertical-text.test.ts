import type { LayerSpecification } from '@maplibre/maplibre-gl-style-spec';
import type { Feature } from 'geojson';
import { describe, expect, it } from 'vitest';
import { Images } from '../../src/render/canvas/images.ts';
import { Omissions } from '../../src/render/canvas/omissions.ts';
import { compileStyle } from '../../src/render/canvas/style/compile.ts';
import { tileGeoJson } from '../../src/render/canvas/sources/geojson-tiles.ts';
import { propertyReader, tileZoomOf } from '../../src/render/canvas/style/property-values.ts';
import type { PlacedIcon } from '../../src/render/canvas/icon/placed-icon.ts';
import type { LabelGroup } from '../../src/render/canvas/placement/draw-order.ts';
import type { Face, GlyphRun } from '../../src/render/canvas/text/label.ts';
import { framedTiles } from '../../src/render/canvas/symbol/label-tiles.ts';
import { layOutOnce } from '../../src/render/canvas/placement/layout.ts';
import { placeLabels } from '../../src/render/canvas/placement/place.ts';
import { withVerticalPunctuation } from '../../src/render/canvas/text/vertical.ts';
import { View3 } from '../../src/base/spatial/view.ts';
import { camera, line, point, scene, SIDE_PX } from './pictures.ts';

/** A font with every character, each an em wide. */
const face: Face = {
  name: 'Wide',
  isGlyphwise: true,
  drawable: (text) => text,
  missing: () => [],
  pieces: (text) => [...text].map((each) => ({ text: each, letters: 1, advance: 24 })),
  letters: (text) => face.pieces(text),
  drawHalo() {},
  drawLetters() {},
};

const frame = {
  width: 10,
  height: 10,
  pixels: new Uint8ClampedArray(400),
  pixelRatio: 1,
  sdf: false,
};

/** Returns the letters of the labels placed, of 10 px. */
const letters = (feature: Feature, layout: object): GlyphRun[] =>
  place(feature, layout).flatMap(({ labels }) => labels.flatMap(({ runs }) => runs));

function place(feature: Feature, layout: object): LabelGroup[] {
  const layer = {
    id: 'labels',
    type: 'symbol',
    source: 's',
    layout: { 'text-field': ['get', 'name'], 'text-size': 10, ...layout },
  } as LayerSpecification;
  const style = compileStyle(scene([layer]).style);
  const [compiled] = style.layers;
  const { zoom } = camera;
  const view = new View3(camera, SIDE_PX, SIDE_PX);
  const tiles = framedTiles(tileGeoJson([feature], style.sources.s!.tiling!), null, null, view);
  const read = propertyReader(compiled!, zoom);
  const readLayout = propertyReader(compiled!, tileZoomOf(zoom));
  const omissions = new Omissions();
  const images = new Images({ frame }, omissions);
  const parts = { view, faceOf: () => face, images, omissions, pixelRatio: 1 };
  const [groups] = placeLabels([{ compiled: compiled!, zoom, read, readLayout, tiles }], {
    view,
    keepWhole: false,
    symbolsOf: layOutOnce(parts),
    picture: { minX: 0, minY: 0, maxX: SIDE_PX, maxY: SIDE_PX },
    reserved: [],
  });
  return groups!;
}

const steepLine = (from: number, to: number, name: string) =>
  line(
    [
      [50, from],
      [50, to],
    ],
    { name },
  );
const onLine = { 'symbol-placement': 'line', 'symbol-spacing': 1000 };

describe('a Chinese text', () => {
  it('is written downward, upright, at a point of a style that prefers vertical text', () => {
    const runs = letters(point([50, 50], { name: '東京都' }), {
      'text-writing-mode': ['vertical', 'horizontal'],
    });
    expect(runs.map(({ text, angle }) => [text, angle])).toEqual([
      ['東', 0],
      ['京', 0],
      ['都', 0],
    ]);
    const [first, second, third] = runs;
    expect([second!.x, third!.x]).toEqual([first!.x, first!.x].map((x) => expect.closeTo(x, 6)));
    expect([second!.y - first!.y, third!.y - second!.y]).toEqual([
      expect.closeTo(10, 6),
      expect.closeTo(10, 6),
    ]);
  });

  it.each([
    ['downward', 10, 90],
    ['upward', 90, 10],
  ])('stands upright on a line that runs %s', (_direction, from, to) => {
    const runs = letters(steepLine(from, to, '東京'), onLine);
    expect(runs.map(({ text }) => text)).toEqual(['東', '京']);
    const turns = runs.map(({ angle }) => Math.cos(angle));
    expect(turns).toEqual([expect.closeTo(1, 6), expect.closeTo(1, 6)]);
    expect(runs[1]!.y).toBeGreaterThan(runs[0]!.y);
  });

  it('leaves Latin words on their side, but sets numbers and codes upright', () => {
    const runs = letters(steepLine(2, 98, '東A1ab'), onLine);
    expect(runs.map(({ angle }) => Math.round(Math.cos(angle)))).toEqual([1, 0, 0, 0, 0]);
    const codes = letters(steepLine(2, 98, '東A1都'), onLine);
    expect(codes.map(({ angle }) => Math.round(Math.cos(angle)))).toEqual([1, 1, 1, 1]);
  });
});

describe('punctuation in vertical text', () => {
  it('takes its vertical form, except beside letters that lie on their side', () => {
    expect(withVerticalPunctuation('東（京）、-都')).toBe('東︵京︶︑︲都');
    expect(withVerticalPunctuation('a-b (東)')).toBe('a-b (東︶');
  });
});

it('an icon fitted to vertical text turns with it', () => {
  const layout = {
    'icon-image': 'frame',
    'icon-text-fit': 'both',
    'text-line-height': 1,
    'text-writing-mode': ['vertical'],
  };
  const groups = place(point([50, 50], { name: '東京都庁' }), layout);
  const [{ icon, angle }] = groups.flatMap(({ icons }) => icons) as [PlacedIcon];
  expect(angle).toBeCloseTo(Math.PI / 2);
  const { left, top, right, bottom } = icon.shape;
  expect([left, top, right, bottom]).toEqual([-20, -5, 20, 5]);
});
