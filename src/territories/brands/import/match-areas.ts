/** Matches drawn areas to ZIP codes in the database. */
import pLimit from 'p-limit';
import type { Tenant, TenantDatabase } from '../../../people/account/tenant.ts';
import { isCanceled } from '../../../base/db/failures.ts';
import { badRequest, unavailable } from '../../../errors.ts';
import { isRepairable, type AreaMatches, type AreaOutline } from './look-ups.ts';

/** Time limit against malicious input. Real outlines take much less. */
const TIMEOUT_MS = 20_000;
/** Each overlay holds a database connection until it finishes. */
const MAX_OVERLAYS = 2;
const overlays = pLimit(MAX_OVERLAYS);

/** Matches areas. @throws ServiceError 400 if the overlay takes too long; 503 while other overlays run */
export async function matchAreas(
  db: TenantDatabase,
  areas: readonly AreaOutline[],
): Promise<AreaMatches> {
  if (overlays.activeCount + overlays.pendingCount >= MAX_OVERLAYS) {
    throw unavailable('Too many imports are running. Try again in a minute.');
  }
  try {
    return await overlays(() =>
      db.transaction((tx) => matchesOf(tx, areas), { statementMs: TIMEOUT_MS }),
    );
  } catch (error) {
    if (!isCanceled(error)) throw error;
    throw badRequest(
      'The areas are too complex to match to ZIP codes. Simplify them, or name each feature’s ' +
        'ZIP code in a property "zip".',
      { cause: error },
    );
  }
}

async function matchesOf(tx: Tenant, areas: readonly AreaOutline[]): Promise<AreaMatches> {
  const named = await areasNamedByZip(tx, areas);
  const drawn = areas.filter(({ at }) => !named.has(at));
  const invalid = await invalidAreas(tx, drawn);
  const overlaid = drawn.filter((area) => !invalid.has(area.at) || isRepairable(area));
  return { named, invalid, zips: await zipsMostlyInside(tx, overlaid) };
}

/**
 * Returns the numbers of the features whose code is a ZIP code at the same location. Other areas, such as counties,
 * have five-digit codes too.
 */
async function areasNamedByZip(tx: Tenant, areas: readonly AreaOutline[]): Promise<Set<number>> {
  const candidates = areas.filter(({ possibleZip }) => possibleZip !== null);
  const corner = (i: number) => candidates.map(({ bbox }) => bbox[i]);
  const rows = await tx.common.query<{ at: number }>(
    `select at from unnest($1::int[], $2::text[], $3::float8[], $4::float8[], $5::float8[], $6::float8[])
       as t (at, zip, west, south, east, north)
     join zips using (zip)
     where st_intersects(centroid, st_makeenvelope(west, south, east, north, 4326))
       -- excludes a county around a ZIP code of the same number
       and (east - west) * (north - south) <= 4 * st_area(bbox)`,
    [
      candidates.map(({ at }) => at),
      candidates.map(({ possibleZip }) => possibleZip),
      corner(0),
      corner(1),
      corner(2),
      corner(3),
    ],
  );
  return new Set(rows.map(({ at }) => at));
}

/** Returns the numbers of the features whose area isn't a valid polygon. */
async function invalidAreas(tx: Tenant, areas: readonly AreaOutline[]): Promise<Set<number>> {
  const rows = await tx.common.query<{ at: number }>(
    `select at
     from unnest($1::int[], $2::text[]) as t (at, text), lateral (
       select st_geomfromgeojson(text) as shape offset 0) s
     where not st_isvalid(shape)`,
    shapesOf(areas),
  );
  return new Set(rows.map(({ at }) => at));
}

const shapesOf = (areas: readonly AreaOutline[]) => [
  areas.map(({ at }) => at),
  areas.map(({ geoJson }) => geoJson),
];

/**
 * Returns the ZIP codes mostly inside the areas. Cuts the union of the areas into pieces with few corners, so that
 * each ZIP code meets only one or two pieces, and a ZIP code inside one piece isn't cut at all. Shares are computed in
 * square degrees, which match shares of the ground within one ZIP code. A ZIP code belongs to the first area that
 * contains its centroid, or else to the nearest area.
 */
async function zipsMostlyInside(
  tx: Tenant,
  areas: readonly AreaOutline[],
): Promise<AreaMatches['zips']> {
  if (areas.length === 0) return [];
  return tx.common.query(
    `with areas as materialized (
       select at, case when st_isvalid(shape) then shape
         else st_collectionextract(st_makevalid(shape, 'method=structure'), 3) end as area
       from unnest($1::int[], $2::text[]) as t (at, text), lateral (
         select st_geomfromgeojson(text) as shape offset 0) s
     ), pieces as materialized (
       select st_subdivide(st_union(area), 128) as piece from areas
     ), shares as materialized (
       select zips.zip, zips.centroid, sum(inside.area) / max(st_area(geom)) as share
       from pieces join zips on zips.bbox && piece,
         -- Lookup by primary key: the planner would otherwise read every boundary of the country.
         lateral (select geom from zip_boundaries b where b.zip = zips.zip and lod = 0 offset 0) b,
         lateral (select case when st_covers(piece, geom) then st_area(geom)
           else st_area(st_intersection(piece, geom)) end as area) inside
       group by zips.zip, zips.centroid
     )
     select zip, share, coalesce(
       (select min(at) from areas where st_intersects(area, centroid)),
       (select at from areas order by area <-> centroid limit 1)) as at
     from shares where share > 0.5 + 1e-9 order by at, zip`,
    shapesOf(areas),
  );
}
