/** Centers of ZIP codes around a point. */
import type { Queryable } from '../../base/db/database.ts';

/** In degrees */
export interface Point {
  lat: number;
  lng: number;
}

export interface ZipCenter extends Point {
  zip: string;
}

/** Returns the ZIP codes whose center is within a great-circle radius, in order. */
export function zipCentersAround(
  db: Queryable,
  { lat, lng }: Point,
  radiusM: number,
): Promise<ZipCenter[]> {
  // The bounding box uses the index on centroids. A degree of latitude is at least 110.5 km long.
  return db.query<ZipCenter>(
    `with origin as materialized (
       select st_setsrid(st_makepoint($1, $2), 4326) as geom, $3::float8 / 110500 as lat_deg
     )
     select zip, st_x(centroid) as lng, st_y(centroid) as lat from origin, zips
     where centroid && st_expand(
         geom, lat_deg / cos(radians(least(89, abs($2::float8) + lat_deg))), lat_deg)
       and st_distance(geom::geography, centroid::geography, false) <= $3
     order by zip`,
    [lng, lat, radiusM],
  );
}
