/** Points are placed by the polygons that PostGIS finds. */
import { expect, it } from 'vitest';
import { ZipAreas } from '../../../src/territories/own-data/import/zip-areas.ts';
import { uploadLookUps } from '../../../src/territories/own-data/import/tenant-look-ups.ts';
import { servedByEach } from '../../../src/territories/serving/serving.ts';
import { testDatabase } from '../../support/database.ts';
import { triesAll } from '../../support/thorough.ts';
import { organizationWith } from '../brands/organization.ts';

const { db } = await testDatabase('sample');

/** All of them in CI, because they take a while */
const POINTS = triesAll ? 50_000 : 2_000;
const BATCH = 1_000;

it('Random points have the ZIP code whose polygon covers them, one by one and in files', async () => {
  const { tenant } = await organizationWith(db, 'North');
  // Around ZIP codes, in cities and in the country, so that few lie in the sea.
  const points = await db.query<{ lng: number; lat: number }>(
    `select st_x(centroid) + (random() - 0.5) * 0.3 as lng, st_y(centroid) + (random() - 0.5) * 0.3 as lat
     from zips cross join generate_series(1, 2) order by random() limit $1`,
    [POINTS],
  );
  const areas = new ZipAreas(uploadLookUps({ common: db }, null));
  let found = 0;
  for (let at = 0; at < points.length; at += BATCH) {
    const some = points.slice(at, at + BATCH);
    const rows = await db.query<{ zip: string | null }>(
      // Without the boxes, which have an index, PostGIS would look at 33,000 boundaries for each point.
      `select (select min(b.zip) from zips join zip_boundaries b using (zip)
         where bbox && point and lod = 0 and st_covers(b.geom, point)) as zip
       from unnest($1::float8[], $2::float8[]) with ordinality as given (lng, lat, at),
         st_setsrid(st_makepoint(lng, lat), 4326) as point order by at`,
      [some.map(({ lng }) => lng), some.map(({ lat }) => lat)],
    );
    const covering = rows.map(({ zip }) => zip);
    const asked = some.map((point) => ({ point }));
    const served = await servedByEach({ tenant, brandScope: 'all' }, asked);
    expect(served.map(({ zip }) => zip)).toEqual(covering);
    await areas.load(some.map(({ lng, lat }) => [lng, lat] as const));
    expect(some.map(({ lng, lat }) => areas.zipAt(lng, lat))).toEqual(covering);
    found += covering.filter((zip) => zip !== null).length;
  }
  expect(points).toHaveLength(POINTS);
  expect(found).toBeGreaterThan(POINTS / 2);
});
