/** Reads GeoJSON as people export it, and reports its problems. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { geoJsonFeatures } from '../../../src/base/files/geojson.ts';
import { readFeatures } from '../../../src/territories/brands/import/read-features.ts';

async function* oneText(text: string) {
  yield text;
}
const readGeoJson = (value: unknown) =>
  readFeatures(geoJsonFeatures(oneText(JSON.stringify(value))));

const SQUARE = [
  [-97, 32],
  [-96, 32],
  [-96, 33],
  [-97, 33],
  [-97, 32],
];
const polygon = (ring: unknown = SQUARE) => ({ type: 'Polygon', coordinates: [ring] });
const feature = (geometry: unknown, properties: unknown = null) => ({
  type: 'Feature',
  properties,
  geometry,
});
const collectionOf = (...geometries: unknown[]): object => ({
  type: 'GeometryCollection',
  geometries,
});
const collection = (...features: unknown[]) => ({ type: 'FeatureCollection', features });

describe('a feature', () => {
  it.each([
    { zip: '75201' },
    { ZCTA5CE20: '75201' },
    { zcta5ce10: 75201 },
    { 'ZIP Code': '75201-1234' },
    { name: 'North', postal_code: ' 75201 ' },
  ])('stands for the ZIP code in a property: %o', async (properties) => {
    const { readings, areas } = await readGeoJson(feature(polygon(), properties));
    expect(readings).toMatchObject([{ at: 1, outcome: 'new', zip: '75201' }]);
    expect(areas).toEqual([]);
  });

  it('with a number as its ZIP code gets the lost zeros back, as a guess', async () => {
    for (const [zip, expected] of [
      [2134, '02134'],
      [501, '00501'],
    ] as const) {
      expect((await readGeoJson(feature(null, { zip }))).readings).toMatchObject([
        { outcome: 'guessed', zip: expected },
      ]);
    }
  });

  it('may have any number of polygons', async () => {
    const coordinates = Array.from({ length: 300_000 }, () => []);
    expect(
      (await readGeoJson(feature({ type: 'MultiPolygon', coordinates }))).readings,
    ).toMatchObject([{ outcome: 'not_understood', reason: 'A polygon has no outline.' }]);
  });

  it('may stand for several ZIP codes, or a range of them', async () => {
    expect((await readGeoJson(feature(null, { zips: '75201, 75204' }))).readings).toMatchObject([
      { at: 1, outcome: 'new', zip: '75201' },
      { at: 1, outcome: 'new', zip: '75204' },
    ]);
    expect((await readGeoJson(feature(null, { zip: '752*' }))).readings).toMatchObject([
      { at: 1, outcome: 'range' },
    ]);
  });

  it.each([
    [{ GEOID20: '75201' }, '75201'],
    [{ AFFGEOID20: '860Z200US75201' }, '75201'],
    [{ GEOID: '4827684' }, null],
    [{ name: 'North' }, null],
  ])('with a code is an area that may be that ZIP code: %o', async (properties, possibleZip) => {
    const { readings, areas } = await readGeoJson(feature(polygon(), properties));
    expect(readings).toEqual([]);
    expect(areas).toMatchObject([{ at: 1, possibleZip, bbox: [-97, 32, -96, 33] }]);
  });

  it.each([
    ['a polygon', polygon()],
    ['a multipolygon', { type: 'MultiPolygon', coordinates: [[SQUARE]] }],
    ['a collection', { type: 'GeometryCollection', geometries: [polygon()] }],
    ['with heights', polygon(SQUARE.map((position) => [...position, 120]))],
  ])('is read as an area: %s', async (_what, geometry) => {
    for (const whole of [geometry, feature(geometry), collection(feature(geometry))]) {
      expect((await readGeoJson(whole)).areas).toHaveLength(1);
    }
  });

  it.each([SQUARE.slice(0, 4), SQUARE.slice(0, 3)])('has its ring closed', async (...ring) => {
    const [area] = (await readGeoJson(feature(polygon(ring)))).areas;
    expect(area!.shape.coordinates[0]![0]).toHaveLength(ring.length + 1);
  });

  it('is read as the areas of its collection, and the rest is counted', async () => {
    const point = { type: 'Point', coordinates: [-97, 32] };
    const line = { type: 'MultiLineString', coordinates: [SQUARE] };
    const geometry = collectionOf(point, polygon(), collectionOf(line, point));
    expect(await readGeoJson(feature(geometry))).toMatchObject({
      readings: [],
      areas: [{ at: 1, bbox: [-97, 32, -96, 33] }],
      ignored: { point: 2, line: 1 },
    });
  });

  it.each([
    ['no geometry', null, 'neither a geometry nor a property'],
    ['a point', { type: 'Point', coordinates: [-97, 32] }, 'A Point covers no area'],
    ['a line', { type: 'LineString', coordinates: SQUARE }, 'covers no area'],
    ['an unknown type', { type: 'Circle' }, 'unknown type'],
    ['a text', 'POLYGON((0 0))', 'geometry isn’t an object'],
    ['an empty geometry', { type: 'MultiPolygon', coordinates: [] }, 'geometry is empty'],
    ['no ring', { type: 'Polygon', coordinates: [] }, 'no outline'],
    ['text instead of numbers', polygon([['-97', '32']]), 'aren’t pairs of numbers'],
    ['null instead of a number', polygon([[null, 32]]), 'aren’t pairs of numbers'],
    ['too few positions', polygon(SQUARE.slice(0, 2)), 'at least three corners'],
    ['only a point and a line', collectionOf({ type: 'Point' }), 'A Point covers no area'],
    [
      'a deep collection',
      collectionOf(collectionOf(collectionOf(collectionOf(collectionOf(collectionOf()))))),
      'too deeply',
    ],
    [
      'a line as a ring',
      polygon([0, 1, 2, 0].map((i) => [-97 + i, 32])),
      'three different corners',
    ],
    [
      'an area in Europe',
      polygon(SQUARE.map(([lng, lat]) => [lng! + 105, lat! + 15])),
      'outside the United States',
    ],
    [
      'Boston, latitude first',
      polygon(SQUARE.map(([lng, lat]) => [lat! + 10, lng! + 26])),
      'seem to be swapped',
    ],
    ['latitude first', polygon(SQUARE.map(([lng, lat]) => [lat, lng])), 'swapped'],
    ['meters', polygon(SQUARE.map(([x, y]) => [x! * 111_320, y! * 111_320])), 'Reproject'],
  ])('reports %s', async (_what, geometry, reason) => {
    const good = feature(polygon());
    const { readings, areas } = await readGeoJson(collection(good, feature(geometry), good));
    expect(readings).toMatchObject([
      { at: 2, outcome: 'not_understood', zip: null, reason: expect.stringContaining(reason) },
    ]);
    expect(areas.map(({ at }) => at)).toEqual([1, 3]);
  });

  it('that is invalid is reported, and the others are read', async () => {
    const { readings, areas } = await readGeoJson(
      collection(null, 7, { type: 'X' }, feature(polygon())),
    );
    expect(readings.map(({ at }) => at)).toEqual([1, 2, 3]);
    expect(areas.map(({ at }) => at)).toEqual([4]);
  });
});

describe('a file', () => {
  it.each([null, 7, {}, { type: 'Topology' }])(
    'that is not GeoJSON is refused: %o',
    async (value) => {
      await expect(readGeoJson(value)).rejects.toThrow('not GeoJSON');
    },
  );

  it('in another coordinate system is refused with its name; one in degrees is read', async () => {
    const crs = (name: string) => ({ crs: { type: 'name', properties: { name } } });
    const read = (name: string) => readGeoJson({ ...collection(feature(polygon())), ...crs(name) });
    await expect(read('urn:ogc:def:crs:EPSG::3857')).rejects.toThrow(
      'The coordinates are in urn:ogc:def:crs:EPSG::3857',
    );
    expect((await read('urn:ogc:def:crs:OGC:1.3:CRS84')).areas).toHaveLength(1);
  });

  it('with too many areas or corners is refused', async () => {
    const many = Array.from({ length: 501 }, () => feature(polygon()));
    await expect(readGeoJson(collection(...many))).rejects.toThrow('501 areas');
    const ring = Array.from({ length: 50_001 }, (_, i) => [-97 + i / 1e6, 32 + (i % 2)]);
    await expect(readGeoJson(feature(polygon([...ring, ring[0]])))).rejects.toThrow(
      '50,002 corners',
    );
    await expect(readGeoJson(collection())).rejects.toThrow('no features');
  });

  it('with any JSON is either read or refused with a reason', async () => {
    const { json } = fc.letrec((tie) => ({
      json: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(null, true, 0, -97, 1e308, 'Polygon', 'Feature', 'FeatureCollection'),
        fc.array(tie('json'), { maxLength: 4 }),
        fc.record(
          {
            type: fc.constantFrom(
              'Polygon',
              'MultiPolygon',
              'Feature',
              'FeatureCollection',
              'Point',
              3,
            ),
            features: tie('json'),
            geometry: tie('json'),
            geometries: tie('json'),
            properties: tie('json'),
            coordinates: tie('json'),
          },
          { requiredKeys: [] },
        ),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(json, async (value) => {
        expect(await outcomeOf(value)).toMatch(/^(read|refused)$/);
      }),
      { numRuns: 2_000 },
    );
  });
});

async function outcomeOf(value: unknown): Promise<string> {
  try {
    const { readings, areas } = await readGeoJson(value);
    return readings.length + areas.length > 0 ? 'read' : 'passed over';
  } catch (error) {
    if ((error as { status?: number }).status === 400) return 'refused';
    throw error;
  }
}
