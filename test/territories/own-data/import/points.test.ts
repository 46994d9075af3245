/** Uploaded rows with coordinates or addresses, in tables and in GeoJSON. */
import { describe, expect, it } from 'vitest';
import type { Geocoder } from '../../../../src/data/geocoding/geocoder.ts';
import { geocoderFrom } from '../../../../src/data/geocoding/geocoder.ts';
import { testDatabase } from '../../../support/database.ts';
import { readDegrees, readPoint } from '../../../../src/territories/own-data/import/coordinates.ts';
import { MAX_ADDRESSES } from '../../../../src/territories/own-data/import/addresses.ts';
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
        3,
        'outside_country',
        'It lies outside the United States and its islands; longitude and latitude seem to be swapped.',
      ],
      [4, 'outside_country', 'It lies outside the United States and its islands.'],
      [5, 'outside_country', 'It lies outside the United States and its islands.'],
      [
        6,
        'not_understood',
        'These aren’t a longitude and a latitude in degrees, such as -96.8 and 32.78.',
      ],
      [
        9,
        'not_understood',
        'These aren’t a longitude and a latitude in degrees, such as -96.8 and 32.78.',
      ],
    ]);
  });

  it.each([
    ['swapped', '32.78', '-96.8', 'longitude and latitude seem to be swapped.'],
    ['without a minus', '96.8', '32.78', 'the minus of its longitude seems to be missing.'],
    [
      'swapped, without a minus',
      '32.78',
      '96.8',
      'longitude and latitude seem to be swapped, and the minus of the longitude seems to be missing.',
    ],
  ])('get a guess if they are %s', async (_, lng, lat, guess) => {
    const { findings } = await upload(`lng,lat\n${lng},${lat}\n-96.8,32.78\n`);
    expect(findings.map(({ reason }) => reason)).toEqual([
      `It lies outside the United States and its islands; ${guess}`,
    ]);
  });

  it.each([
    '32.78',
    '32,78',
    '32.78°',
    'N 32.78',
    "32°46.8'N",
    '32° 46′ 48″ N',
    '32 46 48',
    '32:46:48',
    '32d46\'48"N',
    "32º 46' 48'' N",
    '32 46.8',
    'N 32 46,8',
  ])('may be written with minutes and decimal commas: %j', (text) => {
    expect(readDegrees(text)).toBeCloseTo(32.78, 9);
    const negative = text.includes('N') ? text.replace('N', 'S') : `-${text}`;
    expect(readDegrees(negative)).toBeCloseTo(-32.78, 9);
  });

  it.each([
    '32 46',
    '32:46',
    '32 78 10',
    '32.5 46',
    '32°46.5\'10"',
    '-32.78 N',
    'N 32.78 N',
    '1,234.5',
    '500123',
  ])('aren’t read if they may mean something else: %j', (text) => {
    expect(readDegrees(text)).toBe(null);
  });

  it.each([
    '32.78, -96.8',
    '32.78,-96.8',
    '(32.78, -96.8)',
    '32.78 -96.8',
    '32.78;-96.8',
    '[32.78, -96.8]',
    '-96.8, 32.78',
    'POINT(-96.8 32.78)',
    'POINT Z (-96.8 32.78 10)',
    'SRID=4326;POINT(-96.8 32.78)',
    '32.78° N, 96.8° W',
    '96.8W 32.78N',
    'N32.78 W96.8',
    '32°46\'48"N 96°48\'00"W',
    'geo:32.78,-96.8',
    '32,78 -96,8',
    '32,78; -96,8',
    '32,7800,-96,8000',
    '{"type":"Point","coordinates":[-96.8,32.78]}',
  ])('may be in one column: %j', (text) => {
    const [lng, lat] = readPoint(text)!;
    expect(lng).toBeCloseTo(-96.8, 9);
    expect(lat).toBeCloseTo(32.78, 9);
  });

  it.each([
    '10, 20',
    '12,5',
    '850,00',
    '1.234,50',
    '32.78',
    'Dallas, TX',
    '1500 Marilla St',
    '2025-01-02',
  ])('aren’t any two numbers: %j', (text) => {
    expect(readPoint(text)).toBe(null);
  });

  it('with decimal commas aren’t amounts', async () => {
    const { summary, columns, counts } = await upload('lat;lng;Jobs\n32,78;-96,8;5\n');
    expect(summary).not.toContain('decimal');
    expect(columns.some(({ decimalComma }) => decimalComma)).toBe(false);
    expect(counts.placed).toBe(1);
  });

  it('in one column place rows, also next to missing ones', async () => {
    const file =
      'name,Location,revenue\na,"32.78, -96.8",100\nb,"(32.78, -96.8)",200\nc,POINT(-96.8 32.78),300\nd,,5\ne,"32.78, 96.8",5\n';
    const result = await upload(file, { amounts: [{ kind: 'sum', column: 'revenue' }] });
    expect(result.summary).toContain('Coordinates are in “Location”.');
    expect(Object.values(amountsOf(result.sets[0]!))).toEqual([600]);
    expect(result.counts).toMatchObject({ placed: 3, outside_country: 1, not_understood: 1 });
    const { place } = result.used;
    const chosen = await upload(`zip,${file.replaceAll('\n', '\n,').slice(0, -1)}`, {
      coordinates: { lng: 'Location', lat: 'Location' },
    });
    expect(chosen.used.place).toEqual(place);
  });

  it('place a row whose ZIP code is missing, as a guess', async () => {
    const file = 'zip,lat,lng\n75201,,\n,32.78,-96.8\n,,\n';
    const result = await upload(file);
    expect(result.summary).toContain('1 row without a ZIP code was placed by another column.');
    expect(result.summary).toContain('Coordinates are used only for rows without a ZIP code.');
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

  it('may be a sequence, with a separator before each feature', async () => {
    const text = FEATURES.map((one) => `\u001e${JSON.stringify(one)}\n`).join('');
    for (const chunkBytes of [1, 50, 10_000]) {
      const result = await upload(text, { chunkBytes });
      expect(result.summary).toContain('Read as a GeoJSON sequence.');
      expect(result.counts).toMatchObject({ placed: 2, not_understood: 1 });
    }
  });

  it('may have areas, which place nothing and are named', async () => {
    const area = {
      type: 'Polygon',
      coordinates: [
        [
          [-97, 32],
          [-96, 32],
          [-96, 33],
          [-97, 32],
        ],
      ],
    };
    const collection = (...properties: object[]) =>
      JSON.stringify({
        type: 'FeatureCollection',
        features: properties.map((one) => ({ type: 'Feature', properties: one, geometry: area })),
      });
    const amounts = [{ kind: 'sum' as const, column: 'revenue' }];
    const zips = collection({ ZCTA5CE20: '75201', revenue: 3 }, { revenue: 4 });
    const result = await upload(zips, { amounts });
    expect(result.sets.map(amountsOf)).toEqual([{ '75201': 3 }]);
    expect(result.summary).toContain(
      '2 features have an area, a line, or several points, which aren’t used: only ZIP codes and single points place a row.',
    );
    const reason =
      'A Polygon is not a point. Upload points, or give each feature a property “zip”.';
    expect(result.findings.map((one) => one.reason)).toEqual([reason]);
    const without = await upload(collection({ revenue: 3 }), { amounts });
    expect(without.findings.map((one) => one.reason)).toEqual([reason]);
  });

  it('may name ZIP codes in a property', async () => {
    const features = [feature({ zip: '75201' }), feature({ zip: 2134 })];
    const result = await upload(JSON.stringify({ type: 'FeatureCollection', features }));
    expect(result.sets.map(amountsOf)).toEqual([{ '02134': 1, '75201': 1 }]);
  });

  it.each([
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
      '1500 Marilla St, Dallas, TX',
      '1 Nowhere Rd, Dallas, TX',
      '10 Bank St, London',
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
        line,
        expect.stringContaining('more than 5,000 different addresses'),
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
