/** Selects ZIP codes by shapes around their label points, by county, or by neighbors. */
import { distanceMiles, type Point } from './distance.ts';
import type { Market } from '../market.ts';
import { difference, union } from './sets.ts';

/** The effect of a new choice on the selection */
export type SelectionMode = 'replace' | 'add' | 'subtract';

export function combine(
  selection: ReadonlySet<number>,
  chosen: ReadonlySet<number>,
  mode: SelectionMode,
): ReadonlySet<number> {
  if (mode === 'replace') return chosen;
  return mode === 'add' ? union(selection, chosen) : difference(selection, chosen);
}

/** Adds the ZIP code, or removes it if it is selected. */
export const toggle = (selection: ReadonlySet<number>, zip: number): ReadonlySet<number> =>
  combine(selection, new Set([zip]), selection.has(zip) ? 'subtract' : 'add');

/** ZIP codes with a label point inside a ring, which doesn't have to repeat its first point */
export function zipsInRing(market: Market, ring: readonly Point[]): Set<number> {
  if (ring.length < 3) return new Set();
  const [west, east] = extentOf(ring.map(([lon]) => lon));
  const [south, north] = extentOf(ring.map(([, lat]) => lat));
  const middle = (west + east) / 2;
  return numbersWhere(market, (lon, lat) => {
    // A ring drawn across the antimeridian has longitudes beyond 180.
    const x = lon + 360 * Math.round((middle - lon) / 360);
    return x >= west && x <= east && lat >= south && lat <= north && isInRing(x, lat, ring);
  });
}

/** ZIP codes with their label point within a great-circle radius */
export const zipsAround = (market: Market, center: Point, miles: number): Set<number> =>
  numbersWhere(market, (lon, lat) => distanceMiles(center, [lon, lat]) <= miles);

/** Returns all ZIP codes of the counties of the given ones. */
export function zipsOfCounties({ counties }: Market, zips: Iterable<number>): Set<number> {
  const wanted = new Set(Array.from(zips, (zip) => counties[zip]!));
  wanted.delete('');
  const found = new Set<number>();
  for (const [zip, county] of counties.entries()) if (wanted.has(county)) found.add(zip);
  return found;
}

/** ZIP codes that share a border with a selected one, without the selection itself */
export function neighborsOf({ borders }: Market, selection: ReadonlySet<number>): Set<number> {
  const found = new Set<number>();
  for (const zip of selection) {
    for (let at = borders.starts[zip]!; at < borders.starts[zip + 1]!; at++) {
      const neighbor = borders.neighbors[at]!;
      if (!selection.has(neighbor)) found.add(neighbor);
    }
  }
  return found;
}

export const zipsOf = ({ zips }: Market, numbers: Iterable<number>): string[] =>
  Array.from(numbers, (number) => zips[number]!).sort();

/** The comparisons are false for a ZIP code without a label point, since its coordinates are NaN. */
function numbersWhere(
  { lon, lat }: Market,
  matches: (lon: number, lat: number) => boolean,
): Set<number> {
  const found = new Set<number>();
  for (let zip = 0; zip < lon.length; zip++) if (matches(lon[zip]!, lat[zip]!)) found.add(zip);
  return found;
}

const extentOf = (values: readonly number[]): [least: number, most: number] => [
  Math.min(...values),
  Math.max(...values),
];

/** Even-odd rule: a ray to the east crosses the ring an odd number of times. */
export function isInRing(x: number, y: number, ring: readonly Point[]): boolean {
  let inside = false;
  for (let i = 0, before = ring.length - 1; i < ring.length; before = i++) {
    const [x1, y1] = ring[i]!;
    const [x2, y2] = ring[before]!;
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) inside = !inside;
  }
  return inside;
}
