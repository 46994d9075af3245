import type { LayerSpecification } from '@maplibre/maplibre-gl-style-spec';
import type { Feature } from 'geojson';
import { describe, expect, it } from 'vitest';
import { glyphRange } from '../../src/data/basemap/glyphs.ts';
import { compileStyle } from '../../src/render/canvas/style/compile.ts';
import { Images } from '../../src/render/canvas/images.ts';
import { Omissions } from '../../src/render/canvas/omissions.ts';
import { paint } from '../../src/render/canvas/paint.ts';
import { shippedFace } from '../../src/render/canvas/fonts.ts';
import { anchorsAlong } from '../../src/render/canvas/placement/anchors.ts';
import type { PlacedLabel } from '../../src/render/canvas/text/label.ts';
import { breakLines } from '../../src/render/canvas/text/line-breaks.ts';
import { mergeLines } from '../../src/render/canvas/placement/merge-lines.ts';
import { OutlineFace } from '../../src/render/canvas/text/outline-face.ts';
import { layOutOnce } from '../../src/render/canvas/placement/layout.ts';
import { placeLabels } from '../../src/render/canvas/placement/place.ts';
import { filterAt } from '../../src/render/canvas/style/layer-filter.ts';
import { framedTiles } from '../../src/render/canvas/symbol/label-tiles.ts';
import { tileGeoJson } from '../../src/render/canvas/sources/geojson-tiles.ts';
import { propertyReader, tileZoomOf } from '../../src/render/canvas/style/property-values.ts';
import type { GlyphRanges } from '../../src/render/scene.ts';
import { View3 } from '../../src/base/spatial/view.ts';
import type { RectPx } from '../../src/base/spatial/flat.ts';
import {
  BLACK,
  camera,
  line,
  picture,
  point,
  polygon,
  scene,
  SIDE_PX,
  white,
  WHITE,
} from './pictures.ts';

/** A font in which every character is half an em wide. */
const measure = (text: string) => text.length / 2;

const PICTURE = { minX: 0, minY: 0, maxX: SIDE_PX, maxY: SIDE_PX };

function symbols(layout: object, id = 'labels', filter?: unknown): LayerSpecification {
  return {
    id,
    type: 'symbol',
    source: 's',
    ...(filter === undefined ? {} : { filter }),
    layout: {
      'text-field': ['get', 'name'],
      'text-font': ['Noto Sans Regular'],
      'text-size': 10,
      'text-padding': 0,
      ...layout,
    },
  } as LayerSpecification;
}

function place(
  layers: LayerSpecification[],
  features: Feature[],
  { reserved = [], keepWhole = true }: { reserved?: RectPx[]; keepWhole?: boolean } = {},
): PlacedLabel[][] {
  const compiled = compileStyle(scene(layers).style);
  const view = new View3(camera, SIDE_PX, SIDE_PX);
  const omissions = new Omissions();
  const faceOf = (stack: readonly string[]) => new OutlineFace(shippedFace(stack)!, measure);
  return placeLabels(
    compiled.layers.map((layer) => {
      const source = tileGeoJson(features, compiled.sources.s!.tiling!);
      const tiles = framedTiles(source, null, filterAt(layer, 9), view);
      const { zoom } = camera;
      const read = propertyReader(layer, zoom);
      const readLayout = propertyReader(layer, tileZoomOf(zoom));
      return { compiled: layer, zoom, read, readLayout, tiles };
    }),
    {
      picture: PICTURE,
      reserved,
      symbolsOf: layOutOnce({
        faceOf,
        omissions,
        pixelRatio: 1,
        view,
        images: new Images({}, omissions),
      }),
      view,
      keepWhole,
    },
  ).map((groups) => groups.flatMap(({ labels }) => labels));
}

const bold = ['literal', ['Noto Sans Bold']];
const texts = (labels: PlacedLabel[] | undefined) => labels?.map(({ text }) => text);
const positionsOf = (label: PlacedLabel | undefined) => label?.runs.map(({ x, y }) => [x, y]);
/** Anchors are rounded to tile units, which are 0.09 px here. */
const closeTo = (points: readonly (readonly [number, number])[]) =>
  points.map((point) => point.map((value) => expect.closeTo(value, 1)));

describe('a label', () => {
  it('is centered on its point by the height of capitals', () => {
    const [labels] = place([symbols({})], [point([50, 50], { name: 'ABCD' })]);
    // 4 letters of 5 px; the baseline is 9/24 em below the middle.
    expect(positionsOf(labels?.[0])).toEqual(closeTo([[40, 53.75]]));
  });

  it('lies on the side of its point that its anchor selects, moved by its offset', () => {
    const layout = { 'text-anchor': 'top-left', 'text-offset': [1, 0.5], 'text-line-height': 1 };
    const [labels] = place([symbols(layout)], [point([50, 50], { name: 'ABCD' })]);
    expect(positionsOf(labels?.[0])).toEqual(closeTo([[60, 50 + 5 + 5 + 3.75]]));
  });

  it('can be far larger than the picture', async () => {
    const layer = symbols({ 'text-size': 30_000, 'text-allow-overlap': true });
    const haloed = { ...layer, paint: { 'text-halo-color': 'red', 'text-halo-width': 30_000 } };
    const input = scene([white, haloed as LayerSpecification], [point([50, 50], { name: 'I' })]);
    expect((await picture(input)).at(50, 50)).toEqual(BLACK);
  });

  it('wraps at its maximum width, justified toward its anchor', () => {
    const layout = { 'text-max-width': 5, 'text-line-height': 1, 'text-anchor': 'right' };
    const justified = { ...layout, 'text-justify': 'auto' };
    const [labels] = place([symbols(justified)], [point([90, 50], { name: 'Fort Worth Tx' })]);
    expect(labels?.[0]?.runs.map(({ text }) => text)).toEqual(['Fort', 'Worth Tx']);
    expect(positionsOf(labels?.[0])).toEqual(
      closeTo([
        [70, 48.75],
        [50, 58.75],
      ]),
    );
  });

  it('applies case and letter spacing, and drops characters that no shipped font has', () => {
    const layout = { 'text-transform': 'uppercase', 'text-letter-spacing': 0.1 };
    const [labels] = place([symbols(layout)], [point([50, 50], { name: 'Waco 漢\u0007' })]);
    expect(labels?.[0]?.text).toBe('WACO ');
    expect(labels?.[0]?.letterSpacingPx).toBe(1);
  });

  it('accepts a property name in braces', () => {
    const [labels] = place(
      [symbols({ 'text-field': 'ZIP {zip}{gone}' })],
      [point([50, 50], { zip: 75201 })],
    );
    expect(texts(labels)).toEqual(['ZIP 75201']);
  });

  it('lies at the centroid of a polygon, or at its most spacious point', () => {
    const boomerang = [
      [20, 20],
      [80, 20],
      [80, 40],
      [60, 40],
      [60, 90],
      [20, 90],
    ] as const;
    const at = (outer: readonly (readonly [number, number])[]) =>
      positionsOf(place([symbols({})], [polygon([outer], { name: 'ABCD' })])[0]?.[0])?.[0];
    // Another point has more room, but by less than the precision.
    const skew = [
      [30, 30],
      [72, 32],
      [70, 70],
      [30, 68],
    ] as const;
    expect(at(skew)).toEqual([expect.closeTo(40.4, 0.3), expect.closeTo(53.8, 0.3)]);
    // 20 px from the left, right, and bottom
    const [x, y] = at(boomerang) as [number, number];
    expect(Math.abs(x - 30)).toBeLessThan(1);
    expect(y).toBeGreaterThan(40);
    expect(y).toBeLessThan(75);
  });

  const cutAndWhole = [point([8, 50], { name: 'ABCD' }), point([12, 80], { name: 'WXYZ' })];

  it('is cut at the edge of the picture, as on a screen', () => {
    const [labels] = place([symbols({})], cutAndWhole, { keepWhole: false });
    expect(texts(labels)).toEqual(['ABCD', 'WXYZ']);
  });

  it('is omitted if the edge would cut it and labels must be whole', () => {
    expect(texts(place([symbols({})], cutAndWhole)[0])).toEqual(['WXYZ']);
  });
});

describe('a rotated label', () => {
  const upright = symbols({ 'text-rotate': 90, 'text-anchor': 'left', 'text-line-height': 1 });

  it('rotates clockwise around its point', () => {
    const [labels] = place([upright], [point([50, 30], { name: 'ABCD' })]);
    expect(positionsOf(labels?.[0])).toEqual(closeTo([[46.25, 30]]));
    expect(labels?.[0]?.runs[0]?.angle).toBeCloseTo(Math.PI / 2, 9);
  });

  it('takes its angle from the feature, and keeps its rotated box free', () => {
    const layer = symbols({ 'text-rotate': ['get', 'angle'], 'text-line-height': 1 });
    const pair = (angle: number) => [
      point([40, 50], { name: 'ABCD', angle }),
      point([54, 50], { name: 'EFGH', angle }),
    ];
    expect(texts(place([layer], pair(0))[0])).toEqual(['ABCD']);
    expect(texts(place([layer], pair(90))[0])).toEqual(['ABCD', 'EFGH']);
    // At 45 degrees, its bounding box is 21 px wide.
    expect(texts(place([layer], pair(45))[0])).toEqual(['ABCD']);
  });
});

describe('a label with pairs of anchor and offset', () => {
  const layer = symbols({
    'text-variable-anchor-offset': ['left', [1, 0.5], 'right', [-2, 0], 'top', [0, 1.5]],
    'text-anchor': 'bottom',
    'text-line-height': 1,
  });

  it('tries the pairs in order, each with its offset', () => {
    const features = ['AAAA', 'BBBB', 'CCCC'].map((name) => point([50, 50], { name }));
    const [labels] = place([layer], features);
    // Variable anchors move labels 7/24 em toward the point, above and below it.
    expect(labels?.map((label) => positionsOf(label)?.[0])).toEqual(
      closeTo([
        [60, 58.75],
        [10, 53.75],
        [40, 70.83],
      ]),
    );
  });

  it('is omitted if no pair has free space', () => {
    const names = ['AAAA', 'BBBB', 'CCCC', 'DDDD'];
    const features = names.map((name) => point([50, 50], { name }));
    expect(texts(place([layer], features)[0])).toEqual(names.slice(0, 3));
  });
});

describe('a formatted label', () => {
  const formatted = (...sections: unknown[]) =>
    symbols({ 'text-field': ['format', ...sections], 'text-line-height': 1 });

  it('draws each section in its size, on a common baseline', () => {
    const layer = formatted('AB', { 'font-scale': 2 }, ['get', 'name'], {});
    const [labels] = place([layer], [point([50, 50], { name: 'cd' })]);
    // 20 + 10 px wide and 20 px high; larger letters lie lower by 2/24 of their size.
    expect(positionsOf(labels?.[0])).toEqual(
      closeTo([
        [35, 61.67],
        [55, 60.83],
      ]),
    );
    expect(labels?.[0]?.runs.map(({ section }) => section?.scale)).toEqual([2, 1]);
  });

  it('wraps across its sections', () => {
    const layer = symbols({
      'text-field': ['format', 'Fort Wo', {}, 'rth Texas', { 'text-font': bold }],
      'text-max-width': 5,
    });
    const [labels] = place([layer], [point([50, 50])]);
    const runs = labels?.[0]?.runs.map(({ text, section }) => [
      text,
      (section.face as OutlineFace).name,
    ]);
    expect(runs).toEqual([
      ['Fort Wo', 'Noto Sans Regular'],
      ['rth', 'Noto Sans Bold'],
      ['Texas', 'Noto Sans Bold'],
    ]);
  });

  it('keeps an empty line', () => {
    const [labels] = place([formatted('A\n\nB', {})], [point([50, 50])]);
    expect(positionsOf(labels?.[0])).toEqual(
      closeTo([
        [47.5, 43.75],
        [47.5, 63.75],
      ]),
    );
  });

  it('paints each section in its color, with the opacity of the label', async () => {
    const layer = symbols({
      'text-field': ['format', 'I', { 'text-color': '#ff0000' }, '  ', {}, 'I', {}],
      'text-font': ['Noto Sans Bold'],
      'text-size': 50,
    });
    const paint = { 'text-color': '#0000ff', 'text-opacity': 0.5 };
    const result = await picture(
      scene([white, { ...layer, paint } as LayerSpecification], [point([50, 50])]),
    );
    const row = Array.from({ length: SIDE_PX }, (_, x) => result.at(x, 50));
    const isHalf = (value: number) => Math.abs(value - 128) <= 1;
    const red = row.findIndex(([r, g, b]) => r === 255 && isHalf(g!) && isHalf(b!));
    const blue = row.findIndex(([r, g, b]) => isHalf(r!) && isHalf(g!) && b === 255);
    expect(red).toBeGreaterThan(0);
    expect(blue).toBeGreaterThan(red + 20);
  });
});

describe('labels that collide', () => {
  const overlapping = [point([50, 50], { name: 'AAAA' }), point([55, 52], { name: 'BBBB' })];

  it('yield to the first in their layer', () => {
    expect(texts(place([symbols({})], overlapping)[0])).toEqual(['AAAA']);
  });

  it('yield to the lower sort key', () => {
    const layer = symbols({ 'symbol-sort-key': ['match', ['get', 'name'], 'BBBB', 1, 2] });
    expect(texts(place([layer], overlapping)[0])).toEqual(['BBBB']);
  });

  it('yield to the upper layer', () => {
    const lower = symbols({}, 'lower', ['==', ['get', 'name'], 'AAAA']);
    const upper = symbols({}, 'upper', ['==', ['get', 'name'], 'BBBB']);
    expect(place([lower, upper], overlapping).map(texts)).toEqual([[], ['BBBB']]);
  });

  it('are all placed if they may overlap', () => {
    expect(texts(place([symbols({ 'text-allow-overlap': true })], overlapping)[0])).toHaveLength(2);
    expect(texts(place([symbols({ 'text-overlap': 'always' })], overlapping)[0])).toHaveLength(2);
  });

  it('keep their padding between each other', () => {
    const apart = [point([50, 40], { name: 'AAAA' }), point([50, 56], { name: 'BBBB' })];
    expect(texts(place([symbols({ 'text-padding': 1 })], apart)[0])).toHaveLength(2);
    expect(texts(place([symbols({ 'text-padding': 3 })], apart)[0])).toHaveLength(1);
  });

  it('are not blocked by labels that ignore placement', () => {
    const lower = symbols({}, 'lower', ['==', ['get', 'name'], 'AAAA']);
    const upper = symbols({ 'text-ignore-placement': true }, 'upper', [
      '==',
      ['get', 'name'],
      'BBBB',
    ]);
    expect(place([lower, upper], overlapping).map(texts)).toEqual([['AAAA'], ['BBBB']]);
  });

  it('try other anchors', () => {
    const layer = symbols({ 'text-variable-anchor': ['left', 'right'], 'text-radial-offset': 0.5 });
    const [labels] = place([layer], [point([50, 50], { name: 'AAAA' }), overlapping[1]!]);
    const starts = labels?.map((label) => positionsOf(label)?.[0]?.[0]);
    expect(starts).toEqual([expect.closeTo(55, 1), expect.closeTo(30, 1)]);
  });

  it('keep clear of furniture', () => {
    const furniture = { minX: 0, minY: 0, maxX: 60, maxY: 60 };
    expect(texts(place([symbols({})], overlapping, { reserved: [furniture] })[0])).toEqual([]);
  });
});

describe('labels that may overlap', () => {
  const overlapping = [
    point([50, 56], { name: 'AAAA', key: 1 }),
    point([52, 50], { name: 'BBBB', key: 3 }),
    point([54, 53], { name: 'CCCC', key: 2 }),
  ];
  const order = (layout: object) =>
    texts(place([symbols({ 'text-allow-overlap': true, ...layout })], overlapping)[0]);

  it('are drawn over those farther up', () => {
    expect(order({})).toEqual(['BBBB', 'CCCC', 'AAAA']);
    expect(order({ 'symbol-z-order': 'viewport-y', 'symbol-sort-key': ['get', 'key'] })).toEqual([
      'BBBB',
      'CCCC',
      'AAAA',
    ]);
  });

  it('are drawn over those with lower sort keys', () => {
    expect(order({ 'symbol-sort-key': ['get', 'key'] })).toEqual(['AAAA', 'CCCC', 'BBBB']);
  });

  it('are drawn in source order', () => {
    expect(order({ 'symbol-z-order': 'source' })).toEqual(['AAAA', 'BBBB', 'CCCC']);
  });

  it('overlap only each other if cooperative', () => {
    const only = (name: string) => ['==', ['get', 'name'], name];
    const cooperative = symbols({ 'text-overlap': 'cooperative' }, 'lower', [
      '!=',
      ['get', 'key'],
      2,
    ]);
    expect(texts(place([cooperative], overlapping)[0])).toHaveLength(2);
    const never = symbols({}, 'upper', only('CCCC'));
    expect(place([cooperative, never], overlapping).map(texts)).toEqual([[], ['CCCC']]);
    const always = symbols({ 'text-overlap': 'always' }, 'upper', only('CCCC'));
    expect(place([cooperative, always], overlapping).map(texts)[0]).toHaveLength(2);
  });
});

describe('a label along a line', () => {
  const along = symbols({ 'symbol-placement': 'line', 'symbol-spacing': 200 });

  /** Half the label and two ems, at the pixel size of the tile */
  const fromStart = (10 + 20) * Math.SQRT2;

  it('follows the line letter by letter, clear of its start', () => {
    const road = line(
      [
        [10, 50],
        [90, 50],
      ],
      { name: 'I 35' },
    );
    const [labels] = place([along], [road]);
    expect(labels?.[0]?.runs.map(({ text }) => text).join('')).toBe('I 35');
    const first = 10 + fromStart - 10;
    const starts = [first, first + 5, first + 10, first + 15];
    expect(positionsOf(labels?.[0])).toEqual(closeTo(starts.map((x) => [x, 53.75])));
  });

  it('reads from left to right, whatever the direction of the line', () => {
    const road = line(
      [
        [90, 50],
        [10, 50],
      ],
      { name: 'I 35' },
    );
    const [labels] = place([along], [road]);
    expect(positionsOf(labels?.[0])?.[0]).toEqual(closeTo([[90 - fromStart - 10, 53.75]])[0]);
  });

  it('rotates with the line', () => {
    const road = line(
      [
        [50, 10],
        [50, 90],
      ],
      { name: 'I 35' },
    );
    const [labels] = place([along], [road]);
    const run = labels![0]!.runs[0]!;
    expect(Math.abs(run.angle)).toBeCloseTo(Math.PI / 2, 9);
  });

  it('is omitted if the line is too short or bends too sharply', () => {
    const short = line(
      [
        [40, 50],
        [55, 50],
      ],
      { name: 'I 35' },
    );
    const bent = line(
      [
        [30, 50],
        [50, 50],
        [50, 70],
      ],
      { name: 'I 35' },
    );
    expect(place([along], [short])[0]).toEqual([]);
    expect(place([along], [bent])[0]).toEqual([]);
  });

  it('spans several pieces of a road', () => {
    const pieces = [
      line(
        [
          [50, 50],
          [68, 50],
        ],
        { name: 'I 35' },
      ),
      line(
        [
          [32, 50],
          [50, 50],
        ],
        { name: 'I 35' },
      ),
    ];
    expect(texts(place([along], pieces)[0])).toEqual(['I 35']);
  });

  const road = (from: number, to: number, y = 50) =>
    line(
      [
        [from, y],
        [to, y],
      ],
      { name: 'I 35' },
    );

  it('may be upside down if text-keep-upright is off', () => {
    const layer = symbols({ 'symbol-placement': 'line', 'text-keep-upright': false });
    const [labels] = place([layer], [road(90, 10)]);
    expect(positionsOf(labels?.[0])?.[0]).toEqual(closeTo([[90 - fromStart + 10, 46.25]])[0]);
    expect(Math.abs(labels![0]!.runs[0]!.angle)).toBeCloseTo(Math.PI, 9);
  });

  it('stays level on a slanted line if aligned with the viewport', () => {
    const layer = symbols({ 'symbol-placement': 'line', 'text-rotation-alignment': 'viewport' });
    const steep = line(
      [
        [50, 10],
        [50, 90],
      ],
      { name: 'I 35' },
    );
    const [labels] = place([layer], [steep]);
    expect(positionsOf(labels?.[0])).toEqual(closeTo([[40, 10 + fromStart + 3.75]]));
  });

  it('is placed once in the middle of each line with line-center placement', () => {
    const layer = symbols({ 'symbol-placement': 'line-center', 'symbol-spacing': 20 });
    const [labels] = place([layer], [road(5, 95, 20), road(50, 95), road(5, 50), road(5, 20, 80)]);
    // Lines that continue each other are not merged; the last is too short.
    expect(labels?.map((label) => positionsOf(label)?.[0])).toEqual(
      closeTo([
        [40, 23.75],
        [62.5, 53.75],
        [17.5, 53.75],
      ]),
    );
  });

  it('rotates letter by letter', () => {
    const layer = symbols({ 'symbol-placement': 'line', 'text-rotate': 90 });
    const [labels] = place([layer], [road(10, 90)]);
    for (const { angle } of labels![0]!.runs) expect(Math.sin(angle)).toBeCloseTo(1, 9);
    expect(labels![0]!.runs).toHaveLength(4);
  });

  it('follows the line at an offset, around its corners', () => {
    const layer = symbols({
      'symbol-placement': 'line-center',
      'text-offset': [0, -1],
      'text-max-angle': 90,
    });
    const corner = line(
      [
        [10, 50],
        [50, 50],
        [50, 80],
      ],
      { name: 'ABCDEFGH' },
    );
    const [labels] = place([layer], [corner]);
    const middles = labels![0]!.runs.map(({ x, y, angle }) => [
      x + 2.5 * Math.cos(angle) + 3.75 * Math.sin(angle),
      y + 2.5 * Math.sin(angle) - 3.75 * Math.cos(angle),
    ]);
    // To the left of the line: above its first part and to the right of its second.
    for (const [x, y] of middles) {
      expect(Math.min(Math.abs(y! - 40), Math.abs(x! - 60))).toBeLessThan(0.1);
    }
    expect(new Set(middles.map(([, y]) => Math.abs(y! - 40) < 0.1)).size).toBe(2);
    const steps = middles.slice(1).map(([x, y], i) => {
      const [fromX, fromY] = middles[i]!;
      return Math.abs(x! - fromX!) + Math.abs(y! - fromY!);
    });
    expect(steps).toEqual(steps.map(() => expect.closeTo(5, 6)));
  });

  describe('repeats at its spacing', () => {
    const label = { width: 24, scale: 10, maxAngle: 1 };
    const xs = (line: number[], spacing: number, extent = label) =>
      anchorsAlong(line, spacing, extent, 1).map(({ x }) => x);

    it('starting two ems after the start of the line', () => {
      expect(xs([1000, 500, 7000, 500], 2000)).toEqual([1600, 3600, 5600]);
    });

    it('starting at half the spacing if the line continues from another tile', () => {
      expect(xs([0, 500, 6000, 500], 2000)).toEqual([1000, 3000, 5000]);
    });

    it('with a quarter of the spacing between long labels', () => {
      expect(xs([0, 500, 8000, 500], 2000, { ...label, width: 200 })).toEqual([1250, 3750, 6250]);
    });

    it('once, in the middle of a line shorter than the spacing', () => {
      expect(xs([1000, 500, 1500, 500], 2000)).toEqual([1250]);
      expect(xs([1000, 500, 1200, 500], 2000)).toEqual([]);
    });
  });
});

describe('merging lines', () => {
  const piece = (name: string, points: number[], feature = 0) => ({ name, points, feature });
  const merged = (pieces: ReturnType<typeof piece>[]) =>
    mergeLines(pieces).map(({ points }) => points);

  it('merges all lines that continue each other, whatever their order', () => {
    const pieces = [
      piece('A', [2, 0, 3, 0]),
      piece('A', [0, 0, 1, 0]),
      piece('A', [9, 9, 8, 8]),
      piece('A', [1, 0, 2, 0]),
    ];
    expect(merged(pieces)).toEqual([
      [0, 0, 1, 0, 2, 0, 3, 0],
      [9, 9, 8, 8],
    ]);
  });

  it('uses each piece once at a fork', () => {
    const pieces = [piece('A', [0, 0, 1, 0]), piece('A', [1, 0, 2, 1]), piece('A', [1, 0, 2, -1])];
    expect(merged(pieces)).toEqual([
      [0, 0, 1, 0, 2, 1],
      [1, 0, 2, -1],
    ]);
  });

  it('merges each end only once', () => {
    const pieces = [
      piece('A', [0, 0, 1, 0]),
      piece('A', [2, 0, 3, 0]),
      piece('A', [1, 0, 2, 0]),
      piece('A', [1, 0, 1, 5]),
    ];
    expect(merged(pieces)).toEqual([
      [0, 0, 1, 0, 2, 0, 3, 0],
      [1, 0, 1, 5],
    ]);
  });

  it('does not merge different names', () => {
    expect(merged([piece('A', [0, 0, 1, 0]), piece('B', [1, 0, 2, 0])])).toHaveLength(2);
  });
});

describe('breaking lines', () => {
  it('makes lines even instead of filling the first', () => {
    expect(breakLines('Salt Lake City Utah', 6, measure)).toEqual(['Salt Lake', 'City Utah']);
  });

  it('passes the start index of each piece that it measures', () => {
    const text = 'Salt \u00a0Lake  City';
    breakLines(text, 3, (piece, start) => {
      expect(text.slice(start, start + piece.length)).toBe(piece);
      return piece.length;
    });
    expect.hasAssertions();
  });

  it('always breaks at a newline, and never inside a word', () => {
    expect(breakLines('A\nB', 50, measure)).toEqual(['A', 'B']);
    expect(breakLines('Albuquerque', 2, measure)).toEqual(['Albuquerque']);
  });

  it.each(['。', '︒', '﹂', '㍿', '⼀'])(
    'may break after %s, as after other ideographs',
    (letter) => {
      expect(breakLines(`東京${letter}大阪${letter}`, 1.5, measure)).toHaveLength(2);
      expect(breakLines(letter.repeat(4), 1, measure)).toEqual([
        letter.repeat(2),
        letter.repeat(2),
      ]);
    },
  );
});

describe('text in a picture', () => {
  it('is drawn with its halo around it', async () => {
    const layer = symbols({ 'text-size': 40, 'text-font': ['Noto Sans Bold'] });
    const paint = { 'text-color': '#000000', 'text-halo-color': '#ff0000', 'text-halo-width': 3 };
    const result = await picture(
      scene([white, { ...layer, paint } as LayerSpecification], [point([50, 50], { name: 'I' })]),
    );
    const row = Array.from({ length: SIDE_PX }, (_, x) => result.at(x, 50));
    const count = (red: number) => row.filter((p) => p[0] === red && p[1] === 0).length;
    expect(count(0)).toBeGreaterThanOrEqual(4);
    expect(count(255)).toBeGreaterThanOrEqual(4);
    expect(result.at(50, 50)).toEqual([0, 0, 0, 255]);
    expect(result.at(5, 50)).toEqual(WHITE);
  });

  it('takes its size from the feature', async () => {
    const layer = symbols({ 'text-size': ['get', 'size'], 'text-font': ['Noto Sans Bold'] });
    const features = [
      point([25, 50], { name: 'I', size: 60 }),
      point([75, 50], { name: 'I', size: 20 }),
    ];
    const result = await picture(scene([white, layer], features));
    const heightAt = (x: number) =>
      Array.from({ length: SIDE_PX }, (_, y) => result.at(x, y)[0]!).filter((red) => red < 128)
        .length;
    // Capitals are 0.71 em high.
    expect(Math.abs(heightAt(25) - 43)).toBeLessThanOrEqual(1);
    expect(Math.abs(heightAt(75) - 14)).toBeLessThanOrEqual(1);
  });

  it('has a halo that fades by its blur on both sides of its edge', async () => {
    const layer = symbols({ 'text-size': 80, 'text-font': ['Noto Sans Bold'] });
    const haloRow = async (blur: number) => {
      const paint = {
        'text-color': '#000000',
        'text-halo-color': '#ff0000',
        'text-halo-width': 8,
        'text-halo-blur': blur,
      };
      const result = await picture(
        scene([white, { ...layer, paint } as LayerSpecification], [point([50, 50], { name: 'I' })]),
      );
      const row = Array.from({ length: SIDE_PX }, (_, x) => result.at(x, 50)[1]!);
      return { soft: row.filter((green) => green > 20 && green < 235).length, row };
    };
    const sharp = await haloRow(0);
    const blurred = await haloRow(4);
    expect(sharp.soft).toBeLessThanOrEqual(4);
    // 4.8 px inside and outside, on both sides of the letter
    expect(blurred.soft).toBeGreaterThanOrEqual(10);
    expect(blurred.soft).toBeLessThanOrEqual(19);
    // The edge at half opacity stays in place.
    const edge = sharp.row.findIndex((green) => green < 128);
    expect(Math.abs(blurred.row.findIndex((green) => green < 128) - edge)).toBeLessThanOrEqual(1);
  });
});

describe('text in a font of the scene', () => {
  const layer = (name: string) =>
    symbols({ 'text-field': name, 'text-font': ['House', 'Other'], 'text-size': 24 });
  const pictureOf = async (name: string, glyphs?: GlyphRanges) =>
    picture(scene([white, layer(name)], [point([50, 50])], glyphs && { glyphs }));
  const rows = ({ at }: Awaited<ReturnType<typeof pictureOf>>) =>
    Array.from({ length: SIDE_PX ** 2 }, (_, i) => at(i % SIDE_PX, Math.floor(i / SIDE_PX))[0]!);
  const house = async () => ({ 'House,Other/0-255': await glyphRange(['Noto Sans Bold'], 0) });

  it('accepts any font name, but requires the font', async () => {
    const [dark] = rows(await pictureOf('I', await house())).toSorted((a, b) => a - b);
    expect(dark).toBe(0);
    await expect(pictureOf('I')).rejects.toThrow('House, Other');
  });

  it('is centered, with the font’s metrics', async () => {
    const pixels = await pictureOf('I', await house());
    const column = Array.from({ length: SIDE_PX }, (_, y) => pixels.at(50, y)[0]!);
    const inked = column.flatMap((value, y) => (value < 128 ? [y] : []));
    // Capitals are 0.714 em high; their bottoms are 9/24 em below the middle.
    expect(inked.length).toBe(17);
    expect(inked.at(-1)).toBe(58);
  });

  it('omits characters without a glyph, and their space', async () => {
    const glyphs = await house();
    expect(rows(await pictureOf('I\u6f22I', glyphs))).toEqual(rows(await pictureOf('II', glyphs)));
  });
});

describe('a painting', () => {
  it('lists the placed labels with their layers and boxes', () => {
    const layers = [white, symbols({}, 'towns')];
    const features = [point([50, 50], { name: 'AAAA' }), point([52, 50], { name: 'BBBB' })];
    const { labels } = paint(scene(layers, features));
    expect(labels.map(({ layer, text, feature }) => [layer, text, feature.properties])).toEqual([
      ['towns', 'AAAA', { name: 'AAAA' }],
    ]);
    const { minX, maxX, minY, maxY } = labels[0]!.box;
    expect((minX + maxX) / 2).toBeCloseTo(50, 0);
    expect((minY + maxY) / 2).toBeCloseTo(50, 0);
    expect(maxY - minY).toBeCloseTo(12, 0);
  });
});
