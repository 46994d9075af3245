import type { LayerSpecification } from '@maplibre/maplibre-gl-style-spec';
import { describe, expect, it, vi } from 'vitest';
import { render } from '../../src/render/render.ts';
import {
  BLACK,
  BLUE,
  corners,
  GREEN,
  line,
  picture,
  point,
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
    const result = await picture(scene([white]));
    expect([result.at(0, 0), result.at(99, 99)]).toEqual([WHITE, WHITE]);
  });

  it('stays translucent, with a color that is not premultiplied', async () => {
    const clear = { ...white, paint: { 'background-color': '#ff0000', 'background-opacity': 0.5 } };
    const result = await picture(scene([clear as LayerSpecification]));
    const [red, green, blue, alpha] = result.at(50, 50);
    expect([red, green, blue]).toEqual([255, 0, 0]);
    expect(alpha).toBeGreaterThanOrEqual(127);
    expect(alpha).toBeLessThanOrEqual(128);
  });
});

describe('a ring that isn’t closed', () => {
  const shape = (isClosed: boolean) => {
    const feature = polygon([corners(20, 80), corners(40, 60)]);
    if (!isClosed) for (const ring of feature.geometry.coordinates) ring.pop();
    return feature;
  };
  // Lines are drawn from tiles, and fills are drawn whole.
  it.each([
    ['a fill', fill({ 'fill-color': '#ff0000' })],
    ['an outline', fill({ 'fill-color': '#ff0000', 'fill-outline-color': '#0000ff' })],
    [
      'a dashed line',
      stroke({ 'line-color': '#ff0000', 'line-width': 4, 'line-dasharray': [2, 1] }),
    ],
  ])('has all its corners in %s', async (_what, layer) => {
    const [open, closed] = await Promise.all(
      [false, true].map((isClosed) => render(scene([white, layer], [shape(isClosed)]))),
    );
    expect(Buffer.compare(open!, closed!)).toBe(0);
  });
});

describe('a fill', () => {
  it('colors the inside of a polygon, but not its hole', async () => {
    const ring = polygon([corners(20, 80), corners(40, 60)]);
    const result = await picture(scene([white, fill({ 'fill-color': '#ff0000' })], [ring]));
    expect(result.at(30, 50)).toEqual(RED);
    expect(result.at(50, 50)).toEqual(WHITE);
    expect(result.at(10, 50)).toEqual(WHITE);
    expect([result.at(20, 50), result.at(18, 50)]).toEqual([RED, WHITE]);
  });

  it('ignores the winding order of rings', async () => {
    const ring = polygon([corners(20, 80).toReversed(), corners(40, 60)]);
    const result = await picture(scene([white, fill({ 'fill-color': '#ff0000' })], [ring]));
    expect([result.at(30, 50), result.at(50, 50)]).toEqual([RED, WHITE]);
  });

  it('draws one feature inside the hole of another', async () => {
    const features = [polygon([corners(20, 80), corners(40, 60)]), square(45, 55)];
    const result = await picture(scene([white, fill({ 'fill-color': '#ff0000' })], features));
    expect(result.at(50, 50)).toEqual(RED);
    expect(result.at(42, 50)).toEqual(WHITE);
  });

  it('blends overlapping translucent features', async () => {
    const paint = { 'fill-color': '#000000', 'fill-opacity': 0.5 };
    const result = await picture(scene([white, fill(paint)], [square(10, 60), square(40, 90)]));
    expect(result.at(20, 20)[0]).toBeCloseTo(128, -0.5);
    expect(result.at(50, 50)[0]).toBeCloseTo(64, -0.5);
  });

  it('applies the opacity of its layer once', async () => {
    const paint = { 'fill-color': '#000000', 'fill-layer-opacity': 0.5 };
    const result = await picture(scene([white, fill(paint)], [square(10, 60), square(40, 90)]));
    expect([result.at(20, 20)[0], result.at(50, 50)[0], result.at(5, 5)[0]]).toEqual([
      128, 128, 255,
    ]);
  });

  it('takes its color from the feature and its opacity from the zoom', async () => {
    const paint = {
      'fill-color': ['match', ['get', 'kind'], 'a', '#ff0000', '#0000ff'],
      'fill-opacity': ['interpolate', ['linear'], ['zoom'], 9, 0, 9.5, 1],
    };
    const features = [square(10, 40, { kind: 'a' }), square(60, 90, { kind: 'b' })];
    const result = await picture(scene([white, fill(paint)], features));
    expect([result.at(20, 20), result.at(70, 70)]).toEqual([RED, BLUE]);
  });

  it('shows only features that pass its filter and zoom range', async () => {
    const features = [square(10, 40, { kind: 'a' }), square(60, 90, { kind: 'b' })];
    const red = { 'fill-color': '#ff0000' };
    const filtered = fill(red, { filter: ['==', ['get', 'kind'], 'b'] });
    const result = await picture(scene([white, filtered], features));
    expect([result.at(20, 20), result.at(70, 70)]).toEqual([WHITE, RED]);
    const tooFar = await picture(scene([white, fill(red, { minzoom: 9.6 })], features));
    expect(tooFar.at(20, 20)).toEqual(WHITE);
    const tooNear = await picture(scene([white, fill(red, { maxzoom: 9.5 })], features));
    expect(tooNear.at(20, 20)).toEqual(WHITE);
  });

  it('may depend on the distance and area of its features', async () => {
    const west = square(0, 50).geometry;
    const color = ['step', ['distance', west], '#ff0000', 2000, '#0000ff'];
    const layers = [
      white,
      fill({ 'fill-color': color }),
      fill({ 'fill-color': '#00ff00' }, { id: 'lines', filter: ['within', west] }),
    ];
    const [inside, outside] = [10, 70].map((from) =>
      line([
        [from, from],
        [from + 20, from],
        [from + 20, from + 20],
      ]),
    );
    const result = await picture(
      scene(layers, [square(51, 60), square(80, 90), inside!, outside!]),
    );
    expect([result.at(55, 55), result.at(85, 88)]).toEqual([RED, BLUE]);
    expect([result.at(26, 14), result.at(86, 74)]).toEqual([GREEN, BLUE]);
  });

  it('is moved by its translation', async () => {
    const paint = { 'fill-color': '#ff0000', 'fill-translate': [20, -10] };
    const result = await picture(scene([white, fill(paint)], [square(40, 60)]));
    expect([result.at(41, 59), result.at(79, 31)]).toEqual([WHITE, RED]);
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
    const result = await picture(scene([white, fill(paint)], [square(20, 80), neighbor]));
    expect(result.at(45, 40)).toEqual(RED);
    const seam = [49, 50].map((x) => result.at(x, 40)[0]!);
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
    const result = await picture(scene([white, fill(sharp)], [left, right]));
    const once = result.at(50, 50);
    for (let y = 12; y < 88; y++) {
      for (let x = 12; x < 88; x++) expect(result.at(x, y)).toEqual(once);
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
    const result = await picture(scene([white, fill(paint)], [slanting]));
    for (let y = 0; y < 100; y++) {
      for (let x = 0; x < 100; x++) expect([RED, WHITE]).toContainEqual(result.at(x, y));
    }
  });

  it('fills lines as if they were closed', async () => {
    const bent = line([
      [20, 20],
      [80, 20],
      [80, 80],
    ]);
    const result = await picture(scene([white, fill({ 'fill-color': '#ff0000' })], [bent]));
    expect([result.at(60, 40), result.at(40, 60)]).toEqual([RED, WHITE]);
  });

  it('fills the whole picture if its outline surrounds it', async () => {
    const result = await picture(
      scene([white, fill({ 'fill-color': '#ff0000' })], [square(-5000, 5000)]),
    );
    for (const [x, y] of [
      [0, 0],
      [99, 0],
      [0, 99],
      [99, 99],
      [50, 50],
    ] as const) {
      expect(result.at(x, y)).toEqual(RED);
    }
  });
});

describe('a line', () => {
  const across = line([
    [10, 50],
    [90, 50],
  ]);

  it('is as wide as specified, with its casing on both sides', async () => {
    const casing = stroke({ 'line-color': '#000000', 'line-width': 14 }, {}, 'casing');
    const road = stroke({ 'line-color': '#ff0000', 'line-width': 10 });
    const result = await picture(scene([white, casing, road], [across]));
    expect([result.at(50, 46), result.at(50, 54)]).toEqual([RED, RED]);
    expect([result.at(50, 44), result.at(50, 56)]).toEqual([BLACK, BLACK]);
    expect([result.at(50, 42), result.at(50, 58)]).toEqual([WHITE, WHITE]);
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
    const dashed = stroke({ 'line-color': '#ff0000', 'line-width': 4, 'line-dasharray': [5, 2.5] });
    const result = await picture(scene([white, dashed], [across]));
    // At half a zoom, 20 px on and 10 px off become 28.3 and 14.1.
    expect([result.at(15, 50), result.at(36, 50)]).toEqual([RED, RED]);
    expect([result.at(40, 50), result.at(50, 50)]).toEqual([WHITE, WHITE]);
    expect(result.at(54, 50)).toEqual(RED);
  });

  it('changes its color along its whole length, also beyond the picture', async () => {
    const gradient = ['step', ['line-progress'], '#ff0000', 0.25, '#00ff00', 0.5, '#0000ff'];
    const layer = stroke({ 'line-width': 10, 'line-gradient': gradient });
    const long = line([
      [20, 50],
      [180, 50],
    ]);
    const input = scene([white, layer], [long]);
    Object.assign(input.style.sources.s!, { lineMetrics: true });
    const result = await picture(input);
    expect([result.at(40, 50), result.at(80, 50)]).toEqual([RED, GREEN]);
    expect(result.at(98, 50)).toEqual(GREEN);
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
    const result = await picture(scene([white, layer], features));
    expect([result.at(50, 21), result.at(50, 23)]).toEqual([RED, WHITE]);
    expect([result.at(50, 79), result.at(50, 81)]).toEqual([RED, WHITE]);
  });

  it('follows the outline of a polygon', async () => {
    const layer = stroke({ 'line-color': '#ff0000', 'line-width': 4 });
    const result = await picture(scene([white, layer], [square(20, 80)]));
    expect([result.at(20, 50), result.at(50, 80), result.at(50, 50)]).toEqual([RED, RED, WHITE]);
  });

  it('does not show the clipped edge of a polygon outside the picture', async () => {
    const layer = stroke({ 'line-color': '#ff0000', 'line-width': 40 });
    const result = await picture(scene([white, layer], [square(-3000, 3000)]));
    expect([result.at(0, 0), result.at(99, 50)]).toEqual([WHITE, WHITE]);
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
    const input = scene(
      [white, fill({ 'fill-color': '#ff0000', 'fill-opacity': 0.4 })],
      [square(20, 80)],
      { furniture: { title: 'Title', attribution: 'Census' } },
    );
    const first = await render(input);
    expect(first.equals(await render(input))).toBe(true);
    expect(first.equals(await render(structuredClone(input)))).toBe(true);
  });

  it('returns the same letters in a process that has drawn others', async () => {
    const label = (text: string, size: number) =>
      scene(
        [
          white,
          {
            id: 'names',
            type: 'symbol',
            source: 's',
            layout: { 'text-field': text, 'text-font': ['Noto Sans Regular'], 'text-size': size },
            paint: { 'text-halo-color': '#ffe08a', 'text-halo-width': 1.3 },
          },
        ],
        [point([50, 50])],
      );
    for (const text of ['Zoo 7', 'Wax', 'é']) await render(label(text, 13));
    const warm = await render(label('Waxé 75', 12.37));
    vi.resetModules();
    const { render: renderFirst } = await import('../../src/render/render.ts');
    expect(warm.equals(await renderFirst(label('Waxé 75', 12.37)))).toBe(true);
  });

  it('accepts bounds as its view', async () => {
    const layers = [white, fill({ 'fill-color': '#ff0000' })];
    const box = square(40, 60);
    const [west, north] = box.geometry.coordinates[0]![0]!;
    const [east, south] = box.geometry.coordinates[0]![2]!;
    const view = { bounds: [west, south, east, north] as never, paddingPx: 10 };
    const result = await picture(scene(layers, [box], { view }));
    expect([result.at(11, 11), result.at(88, 88)]).toEqual([RED, RED]);
    expect([result.at(8, 50), result.at(50, 91)]).toEqual([WHITE, WHITE]);
  });

  it('uses its own features instead of those in the style document', async () => {
    const input = scene([white, fill({ 'fill-color': '#ff0000' })]);
    const data = { type: 'FeatureCollection' as const, features: [square(20, 80)] };
    input.style.sources.s = { type: 'geojson', data };
    expect((await picture({ ...input, sources: {} })).at(50, 50)).toEqual(RED);
    expect((await picture(input)).at(50, 50)).toEqual(WHITE);
  });
});
