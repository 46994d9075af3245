/** Distances between label points of ZIP codes, along the great circle. Pure. */
import { greatCircleMiles } from '../../../../../base/spatial/miles.ts';
import { nearestPoint } from '../../../../../base/spatial/nearest-point.ts';
import type { Market } from '../market.ts';

/** Longitude and latitude */
export type Point = readonly [lon: number, lat: number];

export const distanceMiles = ([lonA, latA]: Point, [lonB, latB]: Point): number =>
  greatCircleMiles(lonA, latA, lonB, latB);

const remembered = new WeakMap<object, Float64Array>();

/** Returns the distance of each ZIP code from the nearest one of a set; NaN without a label point. */
export function milesFrom(market: Market, zips: ReadonlySet<number>): Float64Array {
  const centers = () => Array.from(zips, (zip): Point => [market.lon[zip]!, market.lat[zip]!]);
  return milesFromNearest(market, zips, centers);
}

/** Returns the distance of each ZIP code from the nearest of these points; NaN without a label point, or a point. */
export const milesFromPoints = (market: Market, points: readonly Point[]): Float64Array =>
  milesFromNearest(market, points, () => points);

/** @param of for which the distances are remembered */
function milesFromNearest(
  market: Market,
  of: object,
  pointsOf: () => readonly Point[],
): Float64Array {
  const known = remembered.get(of);
  if (known && known.length === market.zips.length) return known;
  const points = pointsOf().filter(([lon]) => !Number.isNaN(lon));
  const search = nearestPoint(
    points.map(([lon]) => lon),
    points.map(([, lat]) => lat),
  );
  const miles = Float64Array.from(market.lon, (lon, zip) =>
    Number.isNaN(lon) ? NaN : (search(lon, market.lat[zip]!)?.miles ?? NaN),
  );
  remembered.set(of, miles);
  return miles;
}
