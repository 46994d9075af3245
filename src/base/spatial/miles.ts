/** Miles and great-circle distances. Pure. */

/** The international mile. The service shows miles and stores metric lengths. */
export const METERS_PER_MILE = 1609.344;
export const SQUARE_METERS_PER_SQUARE_MILE = METERS_PER_MILE ** 2;

/** The mean radius of WGS 84, as on PostGIS’s sphere */
export const EARTH_RADIUS_MILES = 6_371_008.8 / METERS_PER_MILE;
const RADIANS = Math.PI / 180;

/** Returns the great-circle distance between two points, by the haversine formula. */
export function greatCircleMiles(lng: number, lat: number, toLng: number, toLat: number): number {
  const [u, v] = [lat * RADIANS, toLat * RADIANS];
  const h =
    Math.sin((u - v) / 2) ** 2 +
    Math.cos(u) * Math.cos(v) * Math.sin(((lng - toLng) * RADIANS) / 2) ** 2;
  return 2 * EARTH_RADIUS_MILES * Math.asin(Math.min(1, Math.sqrt(h)));
}
