/** Uploaded rows with coordinates or addresses, in tables and in GeoJSON. */
import { describe, expect, it } from 'vitest';
import type { Geocoder } from '../../../src/outside/geocoding/geocoder.ts';
import { geocoderFrom } from '../../../src/outside/geocoding/geocoder.ts';
import { testDatabase } from '../../support/database.ts';
import { MAX_ADDRESSES } from '../../../src/own-data/import/place.ts';
import { amountsOf, attention, uploading } from './upload.ts';

const { db } = await testDatabase('sample');
const upload = uploading(db);

/** Points of the sample with the lowest of the ZIP codes that cover each */
async function samplePoints(count: number) {
  return db.query<{ lng: number; lat: number; zip: string | null }>(
    `with box as (select st_xmin(e) as w, st_ymin(e) as s, st_xmax(e) as e, st_ymax(e) as n
       from (select st_extent(bbox) as e from zips where state in ('TX', 'CO')) as extent),
     random as (select setseed(0.5)),
     points as (
       select st_setsrid(st_makepoint(w + random() * (e - w), s + random() * (n - s)), 4326) as point
       from box, random, generate_series(1, $1)
       union all
       (select st_pointn(st_exteriorring(st_geometryn(geom, 1)), 2) from zip_boundaries
       where lod = 0 order by zip limit $1))
     select st_x(point) as lng, st_y(point) as lat,
       (select min(zip) from zips join zip_boundaries using (zip)
        where bbox && point and lod = 0 and st_covers(geom, point)) as zip
     from points`,
    [count],
  );
}

describe('coordinates', () => {
  it('are in the ZIP codes that PostGIS finds, also on borders', async () => {
    const points = await samplePoints(1_500);
    const file = ['name,lat,lng', ...points.map(({ lng, lat }, i) => `p${i},${lat},${lng}`)];
    const result = await upload(file.join('\n'));
    const expected: Record<string, number> = {};
    for (const { zip } of points) if (zip !== null) expected[zip] = (expected[zip] ?? 0) + 1;
    expect(result.used.place).toEqual({ by: 'coordinates', lng: 'lng', lat: 'lat' });
    expect(amountsOf(result.sets[0]!)).toEqual(expected);
    expect(Object.keys(expected).length).toBeGreaterThan(500);
    expect(result.counts.placed).toBe(points.filter(({ zip }) => zip !== null).length);
  });

  it('are reported if they lie outside the country, are swapped, or aren’t degrees', async () => {
    const { findings, counts } = await upload(
      [
        'Longitude;Latitude',
        '-96.8;32.78',
        '32.78;-96.8',
        '2.35;48.85',
        '-79.38;43.65',
        '500123;4000123',
        '96.8° W;32.78 N',
        ';',
        '-96.8;',
      ].join('\n'),
    );
    expect(counts).toMatchObject({ placed: 2, outside_country: 3, not_understood: 2 });
    expect(findings.map(({ line, outcome, reason }) => [line, outcome, reason])).toEqual([
      [
        ...[3, 'outside_country'],
        'It lies outside the United States and its islands; longitude and latitude seem to be swapped.',
      ],
      [4, 'outside_country', 'It lies outside the United States and its islands.'],
      [5, 'outside_country', 'It lies outside the United States and its islands.'],
      [
        ...[6, 'not_understood'],
        'These aren’t a longitude and a latitude in degrees, such as -96.8 and 32.78.',
      ],
      [
        ...[9, 'not_understood'],
        'These aren’t a longitude and a latitude in degrees, such as -96.8 and 32.78.',
      ],
    ]);
  });

  it('place a row whose ZIP code is missing, as a guess', async () => {
    const file = 'zip,lat,lng\n75201,,\n,32.78,-96.8\n,,\n';
    const result = await upload(file);
    expect(result.summary).toContain('1 row without a ZIP code was placed by another column.');
    expect(result.counts).toMatchObject({ placed: 1, guessed: 1 });
    const chosen = await upload(file, { coordinates: { lng: 'lng', lat: 'lat' } });
    expect(chosen.used.place.by).toBe('coordinates');
    expect(chosen.counts).toMatchObject({ placed: 1, not_understood: 1 });
  });
});

describe('GeoJSON', () => {
  const feature = (properties: object, coordinates?: number[]) => ({
    type: 'Feature',
    properties,
    geometry: coordinates ? { type: 'Point', coordinates } : null,
  });
  const FEATURES = [
    feature({ name: 'A "quoted" {name]', revenue: 10, tags: [1, 2] }, [-96.8, 32.78]),
    feature({ revenue: 20 }, [-96.8, 32.78, 140]),
    feature({ revenue: null }),
  ];

  it.each([
    ['a collection', JSON.stringify({ type: 'FeatureCollection', features: FEATURES }, null, 1)],
    ['features first', JSON.stringify({ features: FEATURES, type: 'FeatureCollection' })],
    ['a feature per line', FEATURES.map((one) => JSON.stringify(one)).join('\n')],
  ])('is read in chunks of any size: %s', async (_, text) => {
    const amounts = [{ kind: 'sum' as const, column: 'revenue' }];
    const whole = await upload(text, { amounts });
    expect(Object.values(amountsOf(whole.sets[0]!))).toEqual([30]);
    expect(attention(whole)).toEqual([[3, null, 'not_understood']]);
    expect(whole.columns.map(({ name, content }) => [name, content])).toEqual([
      ['name', 'text'],
      ['revenue', 'number'],
      ['Point longitude', 'longitude'],
      ['Point latitude', 'latitude'],
    ]);
    for (const chunkBytes of [1, 7, 100]) {
      expect(await upload(text, { amounts, chunkBytes })).toEqual(whole);
    }
  });

  it('may name ZIP codes in a property', async () => {
    const features = [feature({ zip: '75201' }), feature({ zip: 2134 })];
    const result = await upload(JSON.stringify({ type: 'FeatureCollection', features }));
    expect(result.sets.map(amountsOf)).toEqual([{ '02134': 1, '75201': 1 }]);
  });

  it.each([
    ['{"type":"FeatureCollection","features":[{"type":"Feature"', /ends too early/],
    ['{"type":"FeatureCollection","features":[{"type":"Feature",}]}', /isn’t valid JSON/],
    ['{"type":"Topology","objects":{}}', /not GeoJSON/],
    ['[1, 2]', /not GeoJSON/],
    ['{"type":"FeatureCollection","features":[{"type":"Feature"},7]}', /not GeoJSON/],
    ['{"type":"FeatureCollection","features":[]}', /The file is empty/],
    [
      JSON.stringify({
        type: 'FeatureCollection',
        features: FEATURES,
        crs: { type: 'name', properties: { name: 'EPSG:3857' } },
      }),
      /must use longitude and latitude/,
    ],
  ])('is refused with advice: %s', async (text, message) => {
    await expect(upload(text)).rejects.toThrow(message);
  });
});

describe('addresses', () => {
  const FILE = [
    'Name,Street,City,State',
    'A,1500 Marilla St,Dallas,TX',
    'B,1500 MARILLA  st,Dallas,TX',
    'C,1 Nowhere Rd,Dallas,TX',
    'D,,,',
    'E,10 Bank St,London,',
  ].join('\n');

  it('are looked up once each', async () => {
    const asked: string[] = [];
    const geocoder: Geocoder = {
      find: async (text) => {
        asked.push(text);
        if (text.includes('London')) return [{ lng: -0.1, lat: 51.5, label: 'London' }];
        return text.includes('Nowhere') ? [] : [{ lng: -96.8, lat: 32.78, label: 'City Hall' }];
      },
    };
    const result = await upload(FILE, { geocoder });
    expect(asked).toEqual([
      ...['1500 Marilla St, Dallas, TX', '1 Nowhere Rd, Dallas, TX', '10 Bank St, London'],
    ]);
    expect(result.used.place).toEqual({ by: 'address', columns: ['Street', 'City', 'State'] });
    expect(result.findings.map(({ line, outcome, reason }) => [line, outcome, reason])).toEqual([
      [4, 'not_understood', 'The address wasn’t found. Check it, or add its ZIP code.'],
      [5, 'not_understood', 'The address is missing.'],
      [6, 'outside_country', 'It lies outside the United States and its islands.'],
    ]);
    expect(result.counts.placed).toBe(2);
  });

  it('are looked up until there are too many', async () => {
    let asked = 0;
    const geocoder: Geocoder = {
      find: async () => {
        asked++;
        return [{ lng: -96.8, lat: 32.78, label: 'City Hall' }];
      },
    };
    const rows = Array.from({ length: MAX_ADDRESSES + 2 }, (_, i) => `${i + 1} Main St,Dallas`);
    const result = await upload(['Street,City', ...rows, rows[0]].join('\n'), { geocoder });
    expect(asked).toBe(MAX_ADDRESSES);
    expect(result.counts).toMatchObject({ placed: MAX_ADDRESSES + 1, not_understood: 2 });
    expect(result.findings.map(({ line, reason }) => [line, reason])).toEqual(
      [MAX_ADDRESSES + 2, MAX_ADDRESSES + 3].map((line) => [
        ...[line, expect.stringContaining('more than 5,000 different addresses')],
      ]),
    );
  });

  it('are refused without a geocoder, and while it doesn’t respond', async () => {
    await expect(upload(FILE)).rejects.toThrow(/this service can’t look up addresses/);
    const geocoder = geocoderFrom({ url: 'http://127.0.0.1:1/', engine: 'photon' });
    await expect(upload(FILE, { geocoder })).rejects.toMatchObject({
      status: 503,
      message: /isn’t responding/,
    });
  });

  it('with ZIP codes need no geocoder', async () => {
    const result = await upload('Address\n"1500 Marilla St, Dallas, TX 75201"\n');
    expect(result.counts).toMatchObject({ guessed: 1 });
  });
});
