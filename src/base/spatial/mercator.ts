/**
 * Web Mercator as in MapLibre: the world is a square of `512 * 2^zoom` pixels. x increases eastward
 * from longitude -180, y southward from latitude 85.0511.
 */

export const TILE_SIZE_PX = 512;

/** The edge of the square world: atan(sinh(pi)) in degrees. */
export const MAX_LATITUDE = 85.0511287798066;

/** Longitude and latitude in degrees, WGS 84. */
export type LngLat = [lng: number, lat: number];

/** The side of the world, in pixels. */
export function worldSizePx(zoom: number): number {
  return TILE_SIZE_PX * 2 ** zoom;
}

/** Converts a longitude to a fraction of the world's width: 0 to 1 for -180 to 180. */
export function mercatorX(lng: number): number {
  return lng / 360 + 0.5;
}

/** Converts a latitude to a fraction of the world's height from the north, clamped to the square world. */
export function mercatorY(lat: number): number {
  const clamped = Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, lat));
  // ln(tan(pi/4 + lat/2)) with a single sine (Snyder, Map Projections, 7-2a).
  const sine = Math.sin((clamped * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

/** The inverse of `mercatorX`. */
export function lngOfMercatorX(x: number): number {
  return (x - 0.5) * 360;
}

/** The inverse of `mercatorY`. */
export function latOfMercatorY(y: number): number {
  return (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI;
}
