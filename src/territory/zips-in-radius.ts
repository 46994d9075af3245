/** ZIP codes whose centroid is within a great-circle radius. */
import type { Queryable } from '../db/database.ts';
import { badRequest } from '../errors.ts';
import { formatCount } from '../words.ts';
import { MAX_RADIUS_MILES, MIN_RADIUS_MILES, noPlace } from './discover.ts';
import { METERS_PER_MILE } from './miles.ts';

/** Center of a radius: a ZIP code's centroid, or a point. */
export type RadiusCenter = { zip: string } | { lat: number; lng: number };

/**
 * Returns the ZIP codes in order.
 * @throws ServiceError 400 for an invalid radius or point; 404 for a ZIP code without a location
 */
export async function zipsInRadius(
  db: Queryable,
  center: RadiusCenter,
  radiusMiles: number,
): Promise<string[]> {
  if (!(radiusMiles >= MIN_RADIUS_MILES && radiusMiles <= MAX_RADIUS_MILES)) {
    throw badRequest(
      `The radius must be from ${MIN_RADIUS_MILES} to ${formatCount(MAX_RADIUS_MILES)} miles.`,
    );
  }
  const { lng, lat } = 'zip' in center ? await centroidOf(db, center.zip) : validatePoint(center);
  // The bounding box uses the index on centroids. A degree of latitude is at least 110.5 km long.
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
    'select st_y(centroid) as lat, st_x(centroid) as lng from zips where zip = $1 and centroid is not null',
    [zip],
  );
  if (point) return point;
  throw await noPlace(db, zip);
}

function validatePoint({ lat, lng }: Point): Point {
  if (Math.abs(lat) <= 90 && Math.abs(lng) <= 180) return { lat, lng };
  throw badRequest('Latitude must be from -90 to 90, and longitude from -180 to 180.');
}
