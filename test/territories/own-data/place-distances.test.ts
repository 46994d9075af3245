/** Distances of ZIP codes from an organization's places, in lists, tools, and filters. */
import { expect, it } from 'vitest';
import { placeDistances } from '../../../src/territories/own-data/place-distances.ts';
import { discover } from '../../../src/territories/brands/discover.ts';
import { queryTargeting } from '../../../src/territories/brands/targeting/targeting.ts';
import { testDatabase } from '../../support/database.ts';
import { DALLAS, organizationWith, unlimitedViewer } from '../brands/organization.ts';
import { storeZips } from '../brands/holding.ts';

const { db } = await testDatabase('sample');
const { tenant, brands } = await organizationWith(db, 'Star', 'Moon');
const [star, moon] = brands;
await storeZips(tenant, star, DALLAS);
const viewer = unlimitedViewer(tenant);

const add = (kind: string, lng: number, lat: number, brandId: string | null) =>
  tenant.query(
    `insert into places (organization_id, name, kind, brand_id, point, located_by, created_by, changed_by)
     values ($1, $2, $2, $5, st_point($3, $4, 4326), 'coordinates', $6, $6)`,
    [kind, lng, lat, brandId, { kind: 'operator', id: null, name: 'Pat' }],
  );

it('are those to the nearest place and the nearest competitor, as PostGIS measures them', async () => {
  const before = await placeDistances(tenant, DALLAS);
  expect(before(DALLAS[0]!)).toEqual({ milesToPlace: null, milesToCompetitor: null });
  await add('office', -96.8, 32.78, star.id);
  await add('store', -97.1, 32.9, null);
  await add('depot', -96.7, 32.8, moon.id);
  await add('competitor', -96.75, 32.9, star.id);
  const measured = await db.query<Record<'zip' | 'place' | 'competitor', string>>(
    `select zip, min(miles) filter (where kind <> 'competitor')::text as place,
       min(miles) filter (where kind = 'competitor')::text as competitor
     from (select zips.zip, kind, st_distance(centroid::geography, point::geography, false) / 1609.344 as miles
       from zips, places where organization_id = $1 and zips.zip = any($2)
         and (brand_id is null or brand_id = $3)) pairs
     group by zip`,
    [tenant.organizationId, DALLAS, star.id],
  );
  const of = await placeDistances(tenant, DALLAS, star.id);
  expect(measured.length).toBe(DALLAS.length);
  for (const { zip, place, competitor } of measured) {
    const { milesToPlace, milesToCompetitor } = of(zip);
    expect(milesToPlace).toBeCloseTo(Number(place), 0);
    expect(milesToCompetitor).toBeCloseTo(Number(competitor), 0);
  }
});

it('are told with candidates, and filter targeting', async () => {
  const vertical = 'roofing';
  const { rows } = await discover(
    viewer,
    'all',
    { vertical, brand: star, source: { zip: DALLAS[0]! }, radiusMiles: 15 },
    { limit: 20 },
  );
  const of = await placeDistances(
    tenant,
    rows.map(({ zip }) => zip),
    star.id,
  );
  expect(rows.length).toBeGreaterThan(5);
  for (const row of rows) expect(row).toMatchObject(of(row.zip));

  const zips = [...DALLAS, ...rows.map(({ zip }) => zip)].sort();
  const filters = { milesToCompetitor: { min: 8 }, milesToPlace: { max: 5 } };
  const found = await queryTargeting(db, viewer, { vertical, zips, filters }, { limit: 100 });
  const all = await placeDistances(tenant, zips);
  const expected = zips.filter(
    (zip) => all(zip).milesToCompetitor! >= 8 && all(zip).milesToPlace! <= 5,
  );
  expect(expected.length).toBeGreaterThan(0);
  expect(expected.length).toBeLessThan(zips.length);
  expect(found.rows.map(({ zip }) => zip).sort()).toEqual(expected);
  for (const { zip, figures } of found.rows) expect(figures).toEqual(all(zip));
});
