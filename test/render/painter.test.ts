import type { LayerSpecification } from '@maplibre/maplibre-gl-style-spec';
import { describe, expect, it } from 'vitest';
import { render } from '../../src/render/render.ts';
import {
  BLACK,
  BLUE,
  corners,
  GREEN,
  line,
  picture,
  polygon,
  RED,
  scene,
  square,
  white,
  WHITE,
} from './pictures.ts';

const fill = (paint: object, more: object = {}) =>
  ({ id: 'fill', type: 'fill', source: 's', paint, ...more }) as LayerSpecification;
const stroke = (paint: object, more: object = {}, id = 'line') =>
  ({ id, type: 'line', source: 's', paint, ...more }) as LayerSpecification;

describe('a background', () => {
  it('covers the whole picture', async () => {
    const drawn = await picture(scene([white]));
    expect([drawn.at(0, 0), drawn.at(99, 99)]).toEqual([WHITE, WHITE]);
  });

  it('stays translucent with its opacity, not premultiplied', async () => {
    const clear = { ...white, paint: { 'background-color': '#ff0000', 'background-opacity': 0.5 } };
    const drawn = await picture(scene([clear as LayerSpecification]));
    const [red, green, blue, alpha] = drawn.at(50, 50);
    expect([red, green, blue]).toEqual([255, 0, 0]);
    expect(alpha).toBeGreaterThanOrEqual(127);
    expect(alpha).toBeLessThanOrEqual(128);
  });
});

describe('a fill', () => {
  it('colors the inside, but neither the outside nor the hole', async () => {
    const ring = polygon([corners(20, 80), corners(40, 60)]);
    const drawn = await picture(scene([white, fill({ 'fill-color': '#ff0000' })], [ring]));
    expect(drawn.at(30, 50)).toEqual(RED);
    expect(drawn.at(50, 50)).toEqual(WHITE);
    expect(drawn.at(10, 50)).toEqual(WHITE);
    expect([drawn.at(20, 50), drawn.at(18, 50)]).toEqual([RED, WHITE]);
  });

  it('ignores the winding order of rings', async () => {
    const ring = polygon([corners(20, 80).toReversed(), corners(40, 60)]);
    const drawn = await picture(scene([white, fill({ 'fill-color': '#ff0000' })], [ring]));
    expect([drawn.at(30, 50), drawn.at(50, 50)]).toEqual([RED, WHITE]);
  });

  it('covers the hole of a feature with another feature', async () => {
    const features = [polygon([corners(20, 80), corners(40, 60)]), square(45, 55)];
    const drawn = await picture(scene([white, fill({ 'fill-color': '#ff0000' })], features));
    expect(drawn.at(50, 50)).toEqual(RED);
    expect(drawn.at(42, 50)).toEqual(WHITE);
  });

  it('blends overlapping translucent features', async () => {
    const paint = { 'fill-color': '#000000', 'fill-opacity': 0.5 };
    const drawn = await picture(scene([white, fill(paint)], [square(10, 60), square(40, 90)]));
    expect(drawn.at(20, 20)[0]).toBeCloseTo(128, -0.5);
    expect(drawn.at(50, 50)[0]).toBeCloseTo(64, -0.5);
  });

  it('takes its color from the feature and its opacity from the zoom', async () => {
    const paint = {
      'fill-color': ['match', ['get', 'kind'], 'a', '#ff0000', '#0000ff'],
      'fill-opacity': ['interpolate', ['linear'], ['zoom'], 9, 0, 9.5, 1],
    };
    const features = [square(10, 40, { kind: 'a' }), square(60, 90, { kind: 'b' })];
    const drawn = await picture(scene([white, fill(paint)], features));
    expect([drawn.at(20, 20), drawn.at(70, 70)]).toEqual([RED, BLUE]);
  });

  it('shows only features that pass its filter and zoom range', async () => {
    const features = [square(10, 40, { kind: 'a' }), square(60, 90, { kind: 'b' })];
    const red = { 'fill-color': '#ff0000' };
    const filtered = fill(red, { filter: ['==', ['get', 'kind'], 'b'] });
    const drawn = await picture(scene([white, filtered], features));
    expect([drawn.at(20, 20), drawn.at(70, 70)]).toEqual([WHITE, RED]);
    const tooFar = await picture(scene([white, fill(red, { minzoom: 9.6 })], features));
    expect(tooFar.at(20, 20)).toEqual(WHITE);
    const tooNear = await picture(scene([white, fill(red, { maxzoom: 9.5 })], features));
    expect(tooNear.at(20, 20)).toEqual(WHITE);
  });

  it('is moved by its translation', async () => {
    const paint = { 'fill-color': '#ff0000', 'fill-translate': [20, -10] };
    const drawn = await picture(scene([white, fill(paint)], [square(40, 60)]));
    expect([drawn.at(41, 59), drawn.at(79, 31)]).toEqual([WHITE, RED]);
  });

  it('draws higher sort keys on top', async () => {
    const sorted = fill(
      { 'fill-color': ['get', 'color'] },
      { layout: { 'fill-sort-key': ['get', 'key'] } },
    );
    const features = [
      square(20, 80, { color: '#ff0000', key: 2 }),
      square(20, 80, { color: '#0000ff', key: 1 }),
    ];
    expect((await picture(scene([white, sorted], features))).at(50, 50)).toEqual(RED);
  });

  it('draws its outline over its neighbors', async () => {
    const paint = { 'fill-color': '#ff0000', 'fill-outline-color': '#000000' };
    const neighbor = polygon([corners(20, 80).map(([x, y]) => [x + 30, y] as const)]);
    const drawn = await picture(scene([white, fill(paint)], [square(20, 80), neighbor]));
    expect(drawn.at(45, 40)).toEqual(RED);
    const seam = [49, 50].map((x) => drawn.at(x, 40)[0]!);
    expect(Math.min(...seam)).toBeLessThan(150);
  });

  it('assigns each pixel along a shared edge to one side', async () => {
    const sharp = { 'fill-color': '#ff0000', 'fill-opacity': 0.5, 'fill-antialias': false };
    const left = polygon([
      [
        [10, 10],
        [63, 10],
        [31, 90],
        [10, 90],
      ],
    ]);
    const right = polygon([
      [
        [63, 10],
        [90, 10],
        [90, 90],
        [31, 90],
      ],
    ]);
    const drawn = await picture(scene([white, fill(sharp)], [left, right]));
    const once = drawn.at(50, 50);
    for (let y = 12; y < 88; y++) {
      for (let x = 12; x < 88; x++) expect(drawn.at(x, y)).toEqual(once);
    }
  });

  it('has hard edges without antialiasing', async () => {
    const paint = { 'fill-color': '#ff0000', 'fill-antialias': false };
    const slanting = polygon([
      [
        [20, 20],
        [80, 27],
        [61, 80],
      ],
    ]);
    const drawn = await picture(scene([white, fill(paint)], [slanting]));
    for (let y = 0; y < 100; y++) {
      for (let x = 0; x < 100; x++) expect([RED, WHITE]).toContainEqual(drawn.at(x, y));
    }
  });

  it('also fills lines as if closed', async () => {
    const bent = line([
      [20, 20],
      [80, 20],
      [80, 80],
    ]);
    const drawn = await picture(scene([white, fill({ 'fill-color': '#ff0000' })], [bent]));
    expect([drawn.at(60, 40), drawn.at(40, 60)]).toEqual([RED, WHITE]);
  });

  it('fills the picture that it surrounds', async () => {
    const drawn = await picture(
      scene([white, fill({ 'fill-color': '#ff0000' })], [square(-5000, 5000)]),
    );
    for (const [x, y] of [
      [0, 0],
      [99, 0],
      [0, 99],
      [99, 99],
      [50, 50],
    ] as const) {
      expect(drawn.at(x, y)).toEqual(RED);
    }
  });
});

describe('a line', () => {
  const across = line([
    [10, 50],
    [90, 50],
  ]);

  it('has its width, with its casing around it', async () => {
    const casing = stroke({ 'line-color': '#000000', 'line-width': 14 }, {}, 'casing');
    const road = stroke({ 'line-color': '#ff0000', 'line-width': 10 });
    const drawn = await picture(scene([white, casing, road], [across]));
    expect([drawn.at(50, 46), drawn.at(50, 54)]).toEqual([RED, RED]);
    expect([drawn.at(50, 44), drawn.at(50, 56)]).toEqual([BLACK, BLACK]);
    expect([drawn.at(50, 42), drawn.at(50, 58)]).toEqual([WHITE, WHITE]);
  });

  it('ends at its cap', async () => {
    const paint = { 'line-color': '#ff0000', 'line-width': 10 };
    const butt = await picture(scene([white, stroke(paint)], [across]));
    expect([butt.at(10, 50), butt.at(8, 50)]).toEqual([RED, WHITE]);
    const squared = stroke(paint, { layout: { 'line-cap': 'square' } });
    const longer = await picture(scene([white, squared], [across]));
    expect([longer.at(6, 46), longer.at(3, 50)]).toEqual([RED, WHITE]);
    const rounded = stroke(paint, { layout: { 'line-cap': 'round' } });
    const round = await picture(scene([white, rounded], [across]));
    expect([round.at(6, 50), round.at(5, 45)]).toEqual([RED, WHITE]);
  });

  it('measures dashes in line widths, scaled with the map since the last integer zoom', async () => {
    const dashed = stroke({
      'line-color': '#ff0000',
      'line-width': 4,
      'line-dasharray': [5, 2.5],
    });
    const drawn = await picture(scene([white, dashed], [across]));
    // At half a zoom, 20 px on and 10 px off become 28.3 and 14.1.
    expect([drawn.at(15, 50), drawn.at(36, 50)]).toEqual([RED, RED]);
    expect([drawn.at(40, 50), drawn.at(50, 50)]).toEqual([WHITE, WHITE]);
    expect(drawn.at(54, 50)).toEqual(RED);
  });

  it('takes its width from the feature', async () => {
    const features = [
      line(
        [
          [10, 20],
          [90, 20],
        ],
        { lanes: 2 },
      ),
      line(
        [
          [10, 70],
          [90, 70],
        ],
        { lanes: 10 },
      ),
    ];
    const layer = stroke({ 'line-color': '#ff0000', 'line-width': ['*', 2, ['get', 'lanes']] });
    const drawn = await picture(scene([white, layer], features));
    expect([drawn.at(50, 21), drawn.at(50, 23)]).toEqual([RED, WHITE]);
    expect([drawn.at(50, 79), drawn.at(50, 81)]).toEqual([RED, WHITE]);
  });

  it('follows the outline of a polygon', async () => {
    const layer = stroke({ 'line-color': '#ff0000', 'line-width': 4 });
    const drawn = await picture(scene([white, layer], [square(20, 80)]));
    expect([drawn.at(20, 50), drawn.at(50, 80), drawn.at(50, 50)]).toEqual([RED, RED, WHITE]);
  });

  it('does not show the clipped edge of a polygon outside the picture', async () => {
    const layer = stroke({ 'line-color': '#ff0000', 'line-width': 40 });
    const drawn = await picture(scene([white, layer], [square(-3000, 3000)]));
    expect([drawn.at(0, 0), drawn.at(99, 50)]).toEqual([WHITE, WHITE]);
  });
});

describe('the pixel ratio', () => {
  it('draws the same picture with more pixels', async () => {
    const layers = [
      white,
      fill({ 'fill-color': '#00ff00', 'fill-translate': [15, 0] }),
      stroke({ 'line-color': '#ff0000', 'line-width': 10 }),
    ];
    const once = await picture(scene(layers, [square(20, 80)]));
    const twice = await picture(scene(layers, [square(20, 80)], { pixelRatio: 2 }));
    expect([twice.width, twice.height]).toEqual([200, 200]);
    for (const [x, y] of [
      [50, 50],
      [28, 40],
      [38, 40],
      [16, 40],
      [12, 40],
      [84, 40],
      [93, 40],
      [97, 40],
    ] as const) {
      expect(twice.at(2 * x, 2 * y)).toEqual(once.at(x, y));
    }
    expect([twice.at(99, 99), twice.at(40, 80)]).toEqual([GREEN, RED]);
  });
});

describe('a scene', () => {
  it('returns the same bytes every time, also from a structured clone', async () => {
    const drawn = scene(
      [white, fill({ 'fill-color': '#ff0000', 'fill-opacity': 0.4 })],
      [square(20, 80)],
      { furniture: { title: 'Title', attribution: 'Census' } },
    );
    const first = await render(drawn);
    expect(first.equals(await render(drawn))).toBe(true);
    expect(first.equals(await render(structuredClone(drawn)))).toBe(true);
  });

  it('accepts bounds as its view', async () => {
    const layers = [white, fill({ 'fill-color': '#ff0000' })];
    const box = square(40, 60);
    const [west, north] = box.geometry.coordinates[0]![0]!;
    const [east, south] = box.geometry.coordinates[0]![2]!;
    const view = { bounds: [west, south, east, north] as never, paddingPx: 10 };
    const drawn = await picture(scene(layers, [box], { view }));
    expect([drawn.at(11, 11), drawn.at(88, 88)]).toEqual([RED, RED]);
    expect([drawn.at(8, 50), drawn.at(50, 91)]).toEqual([WHITE, WHITE]);
  });

  it('draws the features of the document unless it has its own', async () => {
    const held = scene([white, fill({ 'fill-color': '#ff0000' })]);
    const data = { type: 'FeatureCollection' as const, features: [square(20, 80)] };
    held.style.sources.s = { type: 'geojson', data };
    expect((await picture({ ...held, sources: {} })).at(50, 50)).toEqual(RED);
    expect((await picture(held)).at(50, 50)).toEqual(WHITE);
  });
});
