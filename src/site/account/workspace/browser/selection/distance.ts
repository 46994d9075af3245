/** Distances between label points of ZIP codes, along the great circle. Pure. */
import { METERS_PER_MILE } from '../../../../../spatial/miles.ts';
import type { Market } from '../market.ts';

/** Longitude and latitude */
export type Point = readonly [lon: number, lat: number];

const MEAN_EARTH_RADIUS_KM = 6371.0088;
const RADIUS_MILES = (1000 * MEAN_EARTH_RADIUS_KM) / METERS_PER_MILE;

export function distanceMiles([lonA, latA]: Point, [lonB, latB]: Point): number {
  const radians = Math.PI / 180;
  const h =
    Math.sin(((latB - latA) * radians) / 2) ** 2 +
    Math.cos(latA * radians) *
      Math.cos(latB * radians) *
      Math.sin(((lonB - lonA) * radians) / 2) ** 2;
  return 2 * RADIUS_MILES * Math.asin(Math.min(1, Math.sqrt(h)));
}

const remembered = new WeakMap<ReadonlySet<number>, Float64Array>();

/**
 * Returns the distance of each ZIP code from the nearest one of a set; NaN without a label point. Sets are
 * compared by chords between points on a sphere, which need no trigonometry, because a state has millions
 * of pairs.
 */
export function milesFrom(market: Market, zips: ReadonlySet<number>): Float64Array {
  const known = remembered.get(zips);
  if (known && known.length === market.zips.length) return known;
  const points = Array.from(market.lon, (lon, zip) => onSphere(lon, market.lat[zip]!));
  const from = [...zips].map((zip) => points[zip]!).filter(([x]) => !Number.isNaN(x));
  const miles = Float64Array.from(points, ([x, y, z]) => {
    if (Number.isNaN(x)) return NaN;
    let nearest = Infinity;
    for (const [a, b, c] of from) {
      const chord = (x - a) ** 2 + (y - b) ** 2 + (z - c) ** 2;
      if (chord < nearest) nearest = chord;
    }
    return from.length === 0
      ? NaN
      : 2 * RADIUS_MILES * Math.asin(Math.min(1, Math.sqrt(nearest) / 2));
  });
  remembered.set(zips, miles);
  return miles;
}

function onSphere(lon: number, lat: number): readonly [number, number, number] {
  const radians = Math.PI / 180;
  const [east, north] = [lon * radians, lat * radians];
  return [Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)];
}
