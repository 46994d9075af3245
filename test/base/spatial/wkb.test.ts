import { expect, it } from 'vitest';
import { readFlatWkb, readWkb } from '../../../src/base/spatial/wkb.ts';
import { testDatabase } from '../../support/database.ts';

const { db } = await testDatabase('empty');

it.each([
  'POINT(1 2)',
  'LINESTRING(1 2,3 4.5)',
  'POLYGON((0 0,4 0,4 4,0 0),(1 0.5,2 0.5,2 1,1 0.5))',
  'MULTIPOINT((1 2),(3 4))',
  'MULTILINESTRING((1 2,3 4),(5 6,7 8))',
  'MULTIPOLYGON(((0 0,4 0,4 4,0 0)),((10 0,14 0,14 4,10 0)))',
  'GEOMETRYCOLLECTION(POINT(1 2),MULTIPOINT((3 4)))',
])('reads the WKB of %s like the GeoJSON of PostGIS', async (wkt) => {
  const [row] = await db.query<{ little: Buffer; big: Buffer; json: string }>(
    `select st_asbinary($1::geometry, 'NDR') as little, st_asbinary($1::geometry, 'XDR') as big,
       st_asgeojson($1::geometry) as json`,
    [wkt],
  );
  expect(readWkb(row!.little)).toEqual(JSON.parse(row!.json));
  expect(readWkb(row!.big)).toEqual(JSON.parse(row!.json));
  expect(JSON.stringify(readFlatWkb(row!.little))).toBe(JSON.stringify(readWkb(row!.little)));
  expect(JSON.stringify(readFlatWkb(row!.big))).toBe(JSON.stringify(readWkb(row!.little)));
});

it('refuses WKB that is truncated or has three dimensions', async () => {
  const [row] = await db.query<{ cut: Buffer; deep: Buffer }>(
    `select substring(st_asbinary('LINESTRING(1 2,3 4)'::geometry) for 20) as cut,
       st_asbinary('POINT Z (1 2 3)'::geometry) as deep`,
  );
  for (const read of [readWkb, readFlatWkb]) {
    expect(() => read(row!.cut)).toThrow(RangeError);
    expect(() => read(row!.deep)).toThrow(/more than two dimensions/);
  }
});
