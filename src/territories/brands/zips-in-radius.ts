/** Finds ZIP codes whose centroid is within a great-circle radius. */
import type { Queryable } from '../../base/db/database.ts';
import { badRequest } from '../../errors.ts';
import { zipCentersAround, type Point } from '../../data/market/zip-centers.ts';
import { formatCount } from '../../base/text/words.ts';
import { MAX_RADIUS_MILES, MIN_RADIUS_MILES, noPlace } from './discover.ts';
import { METERS_PER_MILE } from '../../base/spatial/miles.ts';

/** Center of a radius: the centroid of a ZIP code, or a point */
export type RadiusCenter = { zip: string } | { lat: number; lng: number };

/**
 * Returns the ZIP codes, sorted.
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
  const point = await pointOf(db, center);
  const rows = await zipCentersAround(db, point, radiusMiles * METERS_PER_MILE);
  return rows.map(({ zip }) => zip);
}

/**
 * Returns the ZIP codes that are within a distance of any of some others.
 * @param among which ZIP codes to return; null: of the whole country
 */
export async function zipsNear(
  db: Queryable,
  others: readonly string[],
  miles: number,
  among: readonly string[] | null,
): Promise<Set<string>> {
  // A degree of longitude is at least 20 km long up to 79° north, so a box of degrees contains the circle.
  const rows = await db.query<{ zip: string }>(
    `with o as materialized (select centroid from zips where zip = any($1))
     select zip from zips z
     where ($3::text[] is null or zip = any($3))
       and centroid && (select st_expand(st_extent(centroid)::box2d, $2::float8 / 20000) from o)
       and exists (
         select 1 from zips near
         where near.zip = any($1) and near.centroid && st_expand(z.centroid, $2::float8 / 20000)
           and st_dwithin(near.centroid::geography, z.centroid::geography, $2::float8))`,
    [others, miles * METERS_PER_MILE, among],
  );
  return new Set(rows.map(({ zip }) => zip));
}

/**
 * Returns the point of a center.
 * @throws ServiceError 400 for an invalid point; 404 for a ZIP code without a location
 */
export const pointOf = async (db: Queryable, center: RadiusCenter): Promise<Point> =>
  'zip' in center ? centroidOf(db, center.zip) : validatePoint(center);

async function centroidOf(db: Queryable, zip: string): Promise<Point> {
  const [point] = await db.query<Point>(
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
