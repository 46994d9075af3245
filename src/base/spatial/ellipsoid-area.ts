/**
 * Areas on the ellipsoid, by Lambert's cylindrical equal-area projection, where the shoelace formula gives
 * true areas. Sides are straight in longitude and latitude, as defined in RFC 7946. With geodesics, as in
 * PostGIS, the area of a polygon with 10 km sides differs by 0.01%.
 */

/** WGS 84: semi-major axis in meters and first eccentricity */
const A_M = 6_378_137;
const E = 0.0818191908426215;
const RADIANS = Math.PI / 180;

/** Snyder, Map Projections: A Working Manual, 3-12. Proportional to the area below a latitude. */
function authalic(sine: number): number {
  const es = E * sine;
  return (1 - E * E) * (sine / (1 - es * es) - Math.log((1 - es) / (1 + es)) / (2 * E));
}

/**
 * Returns the area between a side of a ring and the equator, in square meters; negative for a westward
 * side. The sum over a closed ring is its area, positive for a clockwise ring.
 */
export function areaUnderSideM2(lng1: number, lat1: number, lng2: number, lat2: number): number {
  const q1 = authalic(Math.sin(lat1 * RADIANS));
  const q2 = authalic(Math.sin(lat2 * RADIANS));
  return ((lng2 - lng1) * RADIANS * A_M * A_M * (q1 + q2)) / 4;
}
