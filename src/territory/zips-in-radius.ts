/** ZIPs within a radius, as `discover` means it: those whose centroid is, on a great circle. */
import type { Queryable } from '../db/database.ts';
import { badRequest, notFound } from '../errors.ts';
import { count } from '../words.ts';
import { MAX_RADIUS_MILES, MIN_RADIUS_MILES } from './discover.ts';
import { METERS_PER_MILE } from './miles.ts';

/** What distances are measured from: a ZIP's centroid, or a point. */
export type RadiusCenter = { zip: string } | { lat: number; lng: number };

/**
 * In order.
 * @throws ServiceError 400 for a radius or a point that cannot be, 404 for a ZIP that is none
 */
export async function zipsInRadius(
  db: Queryable,
  centre: RadiusCenter,
  radiusMiles: number,
): Promise<string[]> {
  if (!(radiusMiles >= MIN_RADIUS_MILES && radiusMiles <= MAX_RADIUS_MILES)) {
    throw badRequest(
      `A radius is a number of miles from ${MIN_RADIUS_MILES} to ${count(MAX_RADIUS_MILES)}.`,
    );
  }
  const { lng, lat } = 'zip' in centre ? await centroidOf(db, centre.zip) : checkedPoint(centre);
  // The box finds candidates by the index on centroids; a degree of latitude has 110.5 km at least.
  const rows = await db.query<{ zip: string }>(
    `with origin as materialized (
       select st_setsrid(st_makepoint($1, $2), 4326) as geom, $3::float8 / 110500 as lat_deg
     )
     select zip from origin, zips
     where centroid && st_expand(
         geom, lat_deg / cos(radians(least(89, abs($2::float8) + lat_deg))), lat_deg)
       and st_distance(geom::geography, centroid::geography, false) <= $3
     order by zip`,
    [lng, lat, radiusMiles * METERS_PER_MILE],
  );
  return rows.map(({ zip }) => zip);
}

interface Point {
  lat: number;
  lng: number;
}

async function centroidOf(db: Queryable, zip: string): Promise<Point> {
  const [point] = await db.query<Point & Record<string, unknown>>(
    'select st_y(centroid) as lat, st_x(centroid) as lng from zips where zip = $1',
    [zip],
  );
  if (point) return point;
  throw notFound(
    `There is no ZIP ${zip} on the map. PO-box ZIPs cover no ground: use another near by.`,
  );
}

function checkedPoint({ lat, lng }: Point): Point {
  if (Math.abs(lat) <= 90 && Math.abs(lng) <= 180) return { lat, lng };
  throw badRequest('A point has a latitude from -90 to 90 and a longitude from -180 to 180.');
}
