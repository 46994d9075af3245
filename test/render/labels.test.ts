import type { LayerSpecification } from '@maplibre/maplibre-gl-style-spec';
import type { Feature } from 'geojson';
import { describe, expect, it } from 'vitest';
import { compileStyle } from '../../src/render/canvas/compile.ts';
import { projectFeatures } from '../../src/render/canvas/screen-feature.ts';
import { joinLines, labelMiddles } from '../../src/render/canvas/text/along-line.ts';
import { breakLines } from '../../src/render/canvas/text/line-breaks.ts';
import type { PlacedLabel } from '../../src/render/canvas/text/candidates.ts';
import { placeLabels } from '../../src/render/canvas/text/place.ts';
import { propertiesAt } from '../../src/render/canvas/values.ts';
import { Viewport } from '../../src/spatial/camera.ts';
import type { RectPx } from '../../src/spatial/flat.ts';
import { camera, line, picture, point, polygon, scene, SIDE_PX, white, WHITE } from './pictures.ts';

/** Every character is half an em wide. */
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
  reserved: RectPx[] = [],
): PlacedLabel[][] {
  const compiled = compileStyle(scene(layers).style);
  const projected = projectFeatures(features, new Viewport(camera, SIDE_PX, SIDE_PX), 1);
  return placeLabels(
    compiled.layers.map((layer) => ({
      path: layer.path,
      read: propertiesAt(layer, camera.zoom),
      readLayout: propertiesAt(layer, Math.floor(camera.zoom)),
      features: projected.filter(
        ({ style }) => layer.filter?.({ zoom: 9 }, style as never) ?? true,
      ),
    })),
    PICTURE,
    reserved,
    measure,
  );
}

const texts = (labels: PlacedLabel[] | undefined) => labels?.map(({ text }) => text);
const where = (label: PlacedLabel | undefined) =>
  label?.runs.map(({ x, y }) => [Math.round(x * 100) / 100, Math.round(y * 100) / 100]);

describe('a label', () => {
  it('is centred on its point, capitals in the middle', () => {
    const [labels] = place([symbols({})], [point([50, 50], { name: 'ABCD' })]);
    // 4 letters of 5 px; the baseline 9/24 em below the middle.
    expect(where(labels?.[0])).toEqual([[40, 53.75]]);
  });

  it('stands beside its point when anchored there, moved by its offset in ems', () => {
    const layout = { 'text-anchor': 'top-left', 'text-offset': [1, 0.5], 'text-line-height': 1 };
    const [labels] = place([symbols(layout)], [point([50, 50], { name: 'ABCD' })]);
    expect(where(labels?.[0])).toEqual([[60, 50 + 5 + 5 + 3.75]]);
  });

  it('wraps at its width, justified to its anchor', () => {
    const layout = { 'text-max-width': 5, 'text-line-height': 1, 'text-anchor': 'right' };
    const justified = { ...layout, 'text-justify': 'auto' };
    const [labels] = place([symbols(justified)], [point([90, 50], { name: 'Fort Worth Tx' })]);
    expect(labels?.[0]?.runs.map(({ text }) => text)).toEqual(['Fort', 'Worth Tx']);
    expect(where(labels?.[0])).toEqual([
      [70, 48.75],
      [50, 58.75],
    ]);
  });

  it('is transformed, spaced and cleared of what no shipped font has', () => {
    const layout = { 'text-transform': 'uppercase', 'text-letter-spacing': 0.1 };
    const [labels] = place([symbols(layout)], [point([50, 50], { name: 'Waco 漢\u0007' })]);
    expect(labels?.[0]?.text).toBe('WACO ');
    expect(labels?.[0]?.letterSpacingPx).toBe(1);
  });

  it('may name a property in braces', () => {
    const [labels] = place(
      [symbols({ 'text-field': 'ZIP {zip}{gone}' })],
      [point([50, 50], { zip: 75201 })],
    );
    expect(texts(labels)).toEqual(['ZIP 75201']);
  });

  it('of a polygon stands where the visible part has most room', () => {
    const wide = polygon(
      [
        [
          [40, 20],
          [900, 20],
          [900, 80],
          [40, 80],
        ],
      ],
      { name: 'ABCD' },
    );
    const [labels] = place([symbols({})], [wide]);
    // The part inside the picture is 60 px square around (70, 50).
    const [[x, y]] = where(labels?.[0]) as [[number, number]];
    expect(x).toBeCloseTo(60, -0.5);
    expect(y).toBeCloseTo(53.75, -0.5);
  });

  it('is left out where the edge of the picture would cut it', () => {
    const features = [point([8, 50], { name: 'ABCD' }), point([12, 80], { name: 'WXYZ' })];
    expect(texts(place([symbols({})], features)[0])).toEqual(['WXYZ']);
  });
});

describe('labels that collide', () => {
  const near = [point([50, 50], { name: 'AAAA' }), point([55, 52], { name: 'BBBB' })];

  it('leave the place to the first of their layer', () => {
    expect(texts(place([symbols({})], near)[0])).toEqual(['AAAA']);
  });

  it('leave it to the lower sort key', () => {
    const layer = symbols({ 'symbol-sort-key': ['match', ['get', 'name'], 'BBBB', 1, 2] });
    expect(texts(place([layer], near)[0])).toEqual(['BBBB']);
  });

  it('leave it to the upper layer', () => {
    const lower = symbols({}, 'lower', ['==', ['get', 'name'], 'AAAA']);
    const upper = symbols({}, 'upper', ['==', ['get', 'name'], 'BBBB']);
    expect(place([lower, upper], near).map(texts)).toEqual([[], ['BBBB']]);
  });

  it('all stand when they may overlap', () => {
    expect(texts(place([symbols({ 'text-allow-overlap': true })], near)[0])).toHaveLength(2);
    expect(texts(place([symbols({ 'text-overlap': 'always' })], near)[0])).toHaveLength(2);
  });

  it('keep their padding between them', () => {
    const apart = [point([50, 40], { name: 'AAAA' }), point([50, 56], { name: 'BBBB' })];
    expect(texts(place([symbols({ 'text-padding': 1 })], apart)[0])).toHaveLength(2);
    expect(texts(place([symbols({ 'text-padding': 3 })], apart)[0])).toHaveLength(1);
  });

  it('do not count those that ignore placement', () => {
    const lower = symbols({}, 'lower', ['==', ['get', 'name'], 'AAAA']);
    const upper = symbols({ 'text-ignore-placement': true }, 'upper', [
      '==',
      ['get', 'name'],
      'BBBB',
    ]);
    expect(place([lower, upper], near).map(texts)).toEqual([['AAAA'], ['BBBB']]);
  });

  it('try their other anchors', () => {
    const layer = symbols({
      'text-variable-anchor': ['left', 'right'],
      'text-radial-offset': 0.5,
    });
    const [labels] = place([layer], [point([50, 50], { name: 'AAAA' }), near[1]!]);
    expect(labels?.map((label) => where(label)?.[0]?.[0])).toEqual([55, 30]);
  });

  it('keep clear of furniture', () => {
    const furniture = { minX: 0, minY: 0, maxX: 60, maxY: 60 };
    expect(texts(place([symbols({})], near, [furniture])[0])).toEqual([]);
  });
});

describe('a label along a line', () => {
  const along = symbols({ 'symbol-placement': 'line', 'symbol-spacing': 200 });

  it('runs along it letter by letter, in the middle', () => {
    const road = line(
      [
        [10, 50],
        [90, 50],
      ],
      { name: 'I 35' },
    );
    const [labels] = place([along], [road]);
    expect(labels?.[0]?.runs.map(({ text }) => text).join('')).toBe('I 35');
    expect(where(labels?.[0])).toEqual([
      [40, 53.75],
      [45, 53.75],
      [50, 53.75],
      [55, 53.75],
    ]);
  });

  it('reads from left to right whichever way the line runs', () => {
    const road = line(
      [
        [90, 50],
        [10, 50],
      ],
      { name: 'I 35' },
    );
    const [labels] = place([along], [road]);
    expect(where(labels?.[0])?.[0]).toEqual([40, 53.75]);
  });

  it('turns with it', () => {
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

  it('is left out where the line is too short or bends too sharply', () => {
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

  it('crosses from one piece of a road to the next', () => {
    const pieces = [
      line(
        [
          [50, 50],
          [60, 50],
        ],
        { name: 'I 35' },
      ),
      line(
        [
          [38, 50],
          [50, 50],
        ],
        { name: 'I 35' },
      ),
    ];
    expect(texts(place([along], pieces)[0])).toEqual(['I 35']);
  });

  it('is repeated at its spacing', () => {
    expect(labelMiddles(1000, 50, 250)).toEqual([125, 375, 625, 875]);
    expect(labelMiddles(60, 50, 250)).toEqual([30]);
    expect(labelMiddles(40, 50, 250)).toEqual([]);
  });
});

describe('joining lines', () => {
  it('makes one of all that continue each other, whatever their order', () => {
    const pieces = [
      [2, 0, 3, 0],
      [0, 0, 1, 0],
      [1, 0, 2, 0],
      [9, 9, 8, 8],
    ];
    expect(joinLines(pieces)).toEqual([
      [0, 0, 1, 0, 2, 0, 3, 0],
      [9, 9, 8, 8],
    ]);
  });

  it('uses each piece once at a fork', () => {
    const pieces = [
      [0, 0, 1, 0],
      [1, 0, 2, 1],
      [1, 0, 2, -1],
    ];
    expect(joinLines(pieces)).toEqual([
      [0, 0, 1, 0, 2, 1],
      [1, 0, 2, -1],
    ]);
  });
});

describe('breaking lines', () => {
  it('leaves the lines even rather than filling the first', () => {
    expect(breakLines('Salt Lake City Utah', 6, measure)).toEqual(['Salt Lake', 'City Utah']);
  });

  it('breaks at a newline in any case, and never inside a word', () => {
    expect(breakLines('A\nB', 50, measure)).toEqual(['A', 'B']);
    expect(breakLines('Albuquerque', 2, measure)).toEqual(['Albuquerque']);
  });
});

describe('text on the picture', () => {
  it('is drawn with its halo around it', async () => {
    const layer = symbols({ 'text-size': 40, 'text-font': ['Noto Sans Bold'] });
    const paint = {
      'text-color': '#000000',
      'text-halo-color': '#ff0000',
      'text-halo-width': 3,
    };
    const drawn = await picture(
      scene([white, { ...layer, paint } as LayerSpecification], [point([50, 50], { name: 'I' })]),
    );
    const row = Array.from({ length: SIDE_PX }, (_, x) => drawn.at(x, 50));
    const count = (red: number) => row.filter((p) => p[0] === red && p[1] === 0).length;
    expect(count(0)).toBeGreaterThanOrEqual(4);
    expect(count(255)).toBeGreaterThanOrEqual(4);
    expect(drawn.at(50, 50)).toEqual([0, 0, 0, 255]);
    expect(drawn.at(5, 50)).toEqual(WHITE);
  });
});
