import type { LayerSpecification } from '@maplibre/maplibre-gl-style-spec';
import fc from 'fast-check';
import type { Feature, Geometry } from 'geojson';
import { describe, expect, it } from 'vitest';
import { InvalidSceneError, UnsupportedStyleError } from '../../src/render/errors.ts';
import { render } from '../../src/render/render.ts';
import { at, corners, line, point, polygon, scene, square, white } from './pictures.ts';

const layer = (id: string, type: string, properties = {}) =>
  ({ id, type, source: 's', ...properties }) as LayerSpecification;

const LAYERS = [
  white,
  layer('f', 'fill', { paint: { 'fill-color': 'red' } }),
  layer('e', 'fill-extrusion', { paint: { 'fill-extrusion-height': 5 } }),
  layer('l', 'line', { paint: { 'line-dasharray': [2, 1] } }),
  layer('c', 'circle', { filter: ['==', ['geometry-type'], 'Point'] }),
  layer('h', 'heatmap'),
  layer('t', 'symbol', { layout: { 'text-field': ['get', 'name'], 'text-font': ['Noto Sans Regular'] } }), // oxfmt-ignore
  layer('p', 'symbol', { layout: { 'symbol-placement': 'line', 'text-field': 'a', 'text-font': ['Noto Sans Regular'] } }), // oxfmt-ignore
];

/** Draws data of the style itself. */
async function draw(data: unknown, options = {}): Promise<{ bytes: Buffer; warnings: string[] }> {
  const base = scene(LAYERS);
  const sources = { s: { type: 'geojson', data, ...options } } as never;
  const warnings: string[] = [];
  const drawn = { ...base, style: { ...base.style, sources }, sources: {} };
  const bytes = await render(drawn, undefined, (warning) => warnings.push(warning));
  return { bytes, warnings };
}

const collection = (features: readonly unknown[]) => ({ type: 'FeatureCollection', features });
const shape = (geometry: unknown) => ({ type: 'Feature', properties: {}, geometry });

const GOOD = [square(10, 40), point([70, 20], { name: 'Dallas' }), line([[5, 60], [90, 95]])]; // oxfmt-ignore
const ring = (from: number, to: number) => polygon([corners(from, to)]).geometry.coordinates[0]!;
const warningFor = (what: string) =>
  `sources.s.data is drawn without shapes whose coordinates are missing or broken: ${what}. Correct them.`;

describe('broken GeoJSON', () => {
  it.each<[string, unknown]>([
    ['a Point without coordinates', { type: 'Point' }],
    ['a Point with null', { type: 'Point', coordinates: null }],
    ['a Point with texts', { type: 'Point', coordinates: ['a', 'b'] }],
    ['a Point of one number', { type: 'Point', coordinates: [5] }],
    ['an empty Point', { type: 'Point', coordinates: [] }],
    ['a line with a null position', { type: 'LineString', coordinates: [at([5, 5]), null] }],
    ['a polygon without rings', { type: 'Polygon', coordinates: [] }],
    ['a polygon with an empty ring', { type: 'Polygon', coordinates: [[]] }],
    ['a polygon with a ring of numbers', { type: 'Polygon', coordinates: [1, 2, 3] }],
    ['a polygon without a level', { type: 'Polygon', coordinates: ring(50, 60) }],
    ['a polygon with a level too many', { type: 'Polygon', coordinates: [[ring(50, 60)]] }],
    ['a hole without an area', { type: 'Polygon', coordinates: [[], ring(50, 60)] }],
    ['a MultiPolygon of a polygon', { type: 'MultiPolygon', coordinates: [ring(50, 60)] }],
    ['an unknown type', { type: 'Circle', coordinates: at([50, 50]) }],
    ['a geometry that is a text', 'Point'],
    ['no geometry at all', undefined],
    ['a collection without geometries', { type: 'GeometryCollection' }],
  ])('with %s is named, and the rest is drawn', async (_name, geometry) => {
    const { bytes, warnings } = await draw(collection([...GOOD, shape(geometry)]));
    expect(warnings).toEqual([warningFor('features[3]')]);
    expect(bytes.equals((await draw(collection(GOOD))).bytes)).toBe(true);
  });

  it('draws the sound parts of a shape', async () => {
    const areas = { type: 'MultiPolygon', coordinates: [[], [ring(10, 40), []], [[]]] };
    const points = { type: 'MultiPoint', coordinates: [at([70, 20]), ['a']] };
    const both = { type: 'GeometryCollection', geometries: [points, { type: 'Point' }] };
    const { bytes, warnings } = await draw(collection([shape(areas), shape(both)]));
    expect(warnings).toEqual([warningFor('features[0], features[1]')]);
    const sound = await draw(collection([square(10, 40), point([70, 20])]));
    expect(bytes.equals(sound.bytes)).toBe(true);
  });

  it('is named without an index if it isn’t in a collection', async () => {
    expect((await draw({ type: 'Point' })).warnings).toEqual([warningFor('its geometry')]);
    expect((await draw(shape({ type: 'Point' }))).warnings).toEqual([warningFor('its geometry')]);
  });

  it('counts the features beyond 50', async () => {
    const { warnings } = await draw(collection(Array(60).fill(shape({ type: 'Point' }))));
    expect(warnings[0]).toContain('features[49], and 10 more');
  });

  it('closes rings, and ignores wrong boxes, ids, and properties', async () => {
    const closed = square(10, 40);
    const coordinates = closed.geometry.coordinates.map((each) => each.slice(0, -1));
    const open = { ...shape({ type: 'Polygon', coordinates }), bbox: [0, 0, 1, 1], id: {} };
    for (const properties of [null, 'text', undefined]) {
      const { bytes, warnings } = await draw(collection([{ ...open, properties }]));
      expect(warnings).toEqual([]);
      expect(bytes.equals((await draw(collection([closed]))).bytes)).toBe(true);
    }
  });

  it('omits features without a geometry, which are valid, without a warning', async () => {
    const { bytes, warnings } = await draw(collection([null, ...GOOD, shape(null)]));
    expect(warnings).toEqual([]);
    expect(bytes.equals((await draw(collection(GOOD))).bytes)).toBe(true);
  });

  it('is drawn or refused in a sentence, wherever a value is replaced', async () => {
    const area = polygon([corners(50, 90), corners(60, 70)]).geometry;
    const many = {
      type: 'GeometryCollection',
      geometries: [
        area,
        { type: 'MultiPolygon', coordinates: [area.coordinates] },
        { type: 'MultiLineString', coordinates: [ring(20, 30)] },
        { type: 'MultiPoint', coordinates: ring(20, 30) },
      ],
    } as Geometry;
    const whole: Feature[] = [...GOOD, { type: 'Feature', properties: {}, geometry: many }];
    const pathsIn = (value: unknown, path: string[] = []): string[][] => [
      path,
      ...Object.entries(value instanceof Object ? value : {}).flatMap(([key, inner]) =>
        pathsIn(inner, [...path, key]),
      ),
    ];
    const data = collection(whole);
    const paths = pathsIn(data);
    const values = [
      null,
      undefined,
      [],
      {},
      'a',
      5,
      -1e308,
      true,
      [[]],
      [null],
      [5, 5],
      at([9, 9]),
    ];
    const options = [{}, { cluster: true }, { lineMetrics: true }, { generateId: true }];
    const failures: unknown[] = [];
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom(...paths), fc.constantFrom(...values)), { minLength: 1, maxLength: 3 }), // oxfmt-ignore
        fc.constantFrom(...options),
        async (changes, option) => {
          let changed: unknown = structuredClone(data);
          for (const [path, value] of changes) changed = replaced(changed, path, value);
          await draw(changed, option).catch((error: unknown) => {
            const isSentence =
              error instanceof InvalidSceneError || error instanceof UnsupportedStyleError;
            if (!isSentence) failures.push(error);
          });
        },
      ),
      { numRuns: 150 },
    );
    expect(failures).toEqual([]);
  });
});

function replaced(within: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  if (!(within instanceof Object) || !(key in within)) return within;
  const copy = (Array.isArray(within) ? [...within] : { ...within }) as Record<string, unknown>;
  copy[key] = replaced(copy[key], rest, value);
  return copy;
}
