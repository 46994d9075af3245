/**
 * Selects the ZIP codes of drawn areas: more than half of each lies inside the union of the areas.
 */
import { kinks } from '@turf/kinks';
import pLimit from 'p-limit';
import type { Tenant, TenantDatabase } from '../../account/tenant.ts';
import { isCanceled } from '../../db/failures.ts';
import { badRequest, unavailable } from '../../errors.ts';
import type { Reading } from './finding.ts';
import type { ImportedArea } from './geojson.ts';

/** Real outlines take much less. The timeout stops malicious input. */
const TIMEOUT_MS = 20_000;
/** Each overlay holds a database connection until it finishes. */
const MAX_OVERLAYS = 2;
const overlays = pLimit(MAX_OVERLAYS);

/** @throws ServiceError 400 if the overlay takes too long; 503 while other overlays are running */
export async function zipsInAreas(
  db: TenantDatabase,
  areas: readonly ImportedArea[],
): Promise<Reading[]> {
  if (areas.length === 0) return [];
  if (overlays.activeCount + overlays.pendingCount >= MAX_OVERLAYS) {
    throw unavailable('Other imports are matching outlines to ZIP codes. Try again in a minute.');
  }
  try {
    return await overlays(() =>
      db.transaction((tx) => readingsOf(tx, areas), { statementMs: TIMEOUT_MS }),
    );
  } catch (error) {
    if (!isCanceled(error)) throw error;
    throw badRequest(
      'The outlines are too complex to match to ZIP codes. Simplify them, or name each feature’s ' +
        'ZIP code in a property "zip".',
      { cause: error },
    );
  }
}

async function readingsOf(tx: Tenant, areas: readonly ImportedArea[]): Promise<Reading[]> {
  const named = await areasNamedByZip(tx, areas);
  const readings: Reading[] = areas
    .filter(({ at }) => named.has(at))
    .map(({ at, given, possibleZip }) => {
      const reason = 'The feature’s code is a ZIP code at the same location.';
      return { at, given: given || possibleZip!, zip: possibleZip, outcome: 'new', reason };
    });
  const drawn = areas.filter(({ at }) => !named.has(at));
  const invalid = await invalidAreas(tx, drawn);
  const isRepairable = (area: ImportedArea) =>
    !invalid.has(area.at) || area.positions <= MAX_REPAIRABLE_POSITIONS;
  const overlaid = drawn.filter(isRepairable);
  for (const { at, given } of drawn.filter((area) => !isRepairable(area))) {
    readings.push({ at, given, zip: null, outcome: 'not_understood', reason: UNREPAIRABLE });
  }
  const matches = await zipsMostlyInside(tx, overlaid);
  const areaAt = new Map(overlaid.map((area) => [area.at, area]));
  for (const { zip, share, at } of matches) {
    const area = areaAt.get(at)!;
    const inside = `${percent(share)} of it lies inside.`;
    readings.push({
      at,
      given: area.given,
      zip,
      outcome: invalid.has(at) ? 'guessed' : 'new',
      reason: invalid.has(at) ? `${inside} ${repairNote(area)}` : inside,
    });
  }
  const matched = new Set(matches.map(({ at }) => at));
  for (const { at, given, bbox } of overlaid) {
    if (matched.has(at)) continue;
    const reason = `No ZIP code lies mostly inside that isn’t in another feature.${swapHint(bbox)}`;
    readings.push({ at, given, zip: null, outcome: 'not_understood', reason });
  }
  return readings.sort((a, b) => a.at - b.at || ((a.zip ?? '') < (b.zip ?? '') ? -1 : 1));
}

/** Repairing and finding self-intersections take quadratic time in the number of corners. */
const MAX_REPAIRABLE_POSITIONS = 1_000;

const UNREPAIRABLE =
  'The outline is invalid, for example because it crosses itself, and has too many corners to ' +
  'repair. Repair or simplify it.';

function repairNote({ shape }: ImportedArea): string {
  const [crossing] = kinks(shape).features;
  if (!crossing) return 'The outline is invalid and was repaired: check the result.';
  const [lng, lat] = crossing.geometry.coordinates.map((degrees) => degrees.toFixed(4));
  return `The outline crosses itself near ${lng}, ${lat} and was repaired: check the result.`;
}

/** Percent to one decimal, rounded down so that 50% isn’t shown for less. */
const percent = (share: number) => `${Math.min(100, Math.floor(1000 * share) / 10)}%`;

/** Hints at swapped coordinates if the box would then be in the United States. */
const swapHint = ([west, south, east, north]: ImportedArea['bbox']) =>
  west > 17 && east < 72 && south > -180 && north < -64
    ? ' Longitude and latitude seem to be swapped. Longitude comes first.'
    : '';

/**
 * Returns the numbers of the features whose code is a ZIP code at their location. Other areas, such
 * as counties, have five-digit codes too.
 */
async function areasNamedByZip(tx: Tenant, areas: readonly ImportedArea[]): Promise<Set<number>> {
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
      ...[corner(0), corner(1), corner(2), corner(3)],
    ],
  );
  return new Set(rows.map(({ at }) => at));
}

/** Returns the numbers of the features whose area isn't a valid polygon. */
async function invalidAreas(tx: Tenant, areas: readonly ImportedArea[]): Promise<Set<number>> {
  const rows = await tx.common.query<{ at: number }>(
    `select at
     from unnest($1::int[], $2::text[]) as t (at, text), lateral (
       select st_geomfromgeojson(text) as shape offset 0) s
     where not st_isvalid(shape)`,
    shapesOf(areas),
  );
  return new Set(rows.map(({ at }) => at));
}

const shapesOf = (areas: readonly ImportedArea[]) => [
  areas.map(({ at }) => at),
  areas.map(({ shape }) => JSON.stringify(shape)),
];

/**
 * The union of the areas is cut into pieces of few corners, so that each ZIP code meets only one or
 * two pieces, and a ZIP code inside one piece isn't cut at all. Shares are computed in square
 * degrees: within one ZIP code they match shares of the ground. A ZIP code belongs to the first
 * area that contains its centroid, or to the nearest area.
 */
async function zipsMostlyInside(
  tx: Tenant,
  areas: readonly ImportedArea[],
): Promise<{ zip: string; share: number; at: number }[]> {
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
