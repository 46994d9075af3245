/**
 * Finds the borders of a map of polygons: see `border-graph.ts`.
 *
 * Neighbors have common positions, so each side of a polygon is also a side of its neighbor in the opposite
 * direction. Sides without such a twin surround the regions that no polygon covers.
 */
import { OUTSIDE, UNCOVERED, type BorderGraph } from './border-graph.ts';
import { concat, convexHull, ringAreaM2 } from './convex-hull.ts';
import { pairIndex, positionIndex } from './position-index.ts';
import { uncoveredRegions } from './uncovered-regions.ts';

export interface BorderTracer {
  /**
   * Adds a polygon of a ZIP code.
   * @param rings its outer ring and its holes: longitude, latitude, longitude, …
   */
  add(zip: number, rings: readonly Float64Array[]): void;
  finish(): BorderGraph;
}

export function traceBorders(): BorderTracer {
  const positions = positionIndex();
  // Each side has its area on the left.
  const sides = pairIndex();
  const areaOfSide: number[] = [];
  const zips = [UNCOVERED];
  const areasM2 = [0];
  const hulls = [new Float64Array(0)];
  const borders = new Map<number, number>();

  const addBorder = (a: number, b: number, lengthM: number) => {
    const key = Math.min(a, b) * MAX_AREAS + Math.max(a, b);
    borders.set(key, (borders.get(key) ?? 0) + lengthM);
  };
  const lengthM = (from: number, to: number) =>
    sideLengthM(positions.lng(from), positions.lat(from), positions.lng(to), positions.lat(to));

  return {
    add(zip, rings) {
      const area = zips.push(zip) - 1;
      let areaM2 = 0;
      for (const [i, ring] of rings.entries()) {
        const ringM2 = ringAreaM2(ring);
        areaM2 += i === 0 ? Math.abs(ringM2) : -Math.abs(ringM2);
        // Outer rings run counterclockwise and holes run clockwise.
        const forward = ringM2 > 0 === (i === 0);
        let last = positions.idOf(ring[0]!, ring[1]!);
        for (let at = 2; at < ring.length; at += 2) {
          const next = positions.idOf(ring[at]!, ring[at + 1]!);
          const [from, to] = forward ? [last, next] : [next, last];
          last = next;
          if (from === to) continue;
          const twin = sides.take(to, from);
          if (twin === undefined) areaOfSide[sides.put(from, to)] = area;
          else if (areaOfSide[twin] !== area) addBorder(area, areaOfSide[twin]!, lengthM(from, to));
        }
      }
      areasM2.push(areaM2);
      hulls.push(convexHull(rings[0]!));
    },
    finish() {
      const open = sides.left();
      // For the uncovered region, the sides run in the opposite direction.
      const regions = uncoveredRegions(
        open.map((side) => ({ from: sides.to(side), to: sides.from(side) })),
        positions,
      );
      const firstRegion = zips.length - 1;
      const areaOfRegion = (region: number) => (region === 0 ? OUTSIDE : firstRegion + region);
      for (let region = 1; region < regions.count; region++) {
        zips.push(UNCOVERED);
        areasM2.push(0);
        hulls.push(new Float64Array(0));
      }
      for (const [i, side] of open.entries()) {
        const length = lengthM(sides.from(side), sides.to(side));
        addBorder(areaOfSide[side]!, areaOfRegion(regions.of[i]!), length);
      }
      const hullStarts = new Int32Array(hulls.length + 1);
      for (const [i, hull] of hulls.entries()) hullStarts[i + 1] = hullStarts[i]! + hull.length / 2;
      const pairs = [...borders].filter(([, length]) => length > 0);
      return {
        zips: Int32Array.from(zips),
        areasM2: Float64Array.from(areasM2),
        hullStarts,
        hulls: concat(hulls),
        left: Int32Array.from(pairs, ([key]) => Math.floor(key / MAX_AREAS)),
        right: Int32Array.from(pairs, ([key]) => key % MAX_AREAS),
        lengthsM: Float64Array.from(pairs, ([, length]) => length),
      };
    },
  };
}

/** With this limit, the product of two indexes is exact. */
const MAX_AREAS = 2 ** 26;

/** WGS 84: semi-major axis in meters and the square of the first eccentricity */
const A_M = 6_378_137;
const E2 = 0.0066943799901413;
const RADIANS = Math.PI / 180;

/**
 * Returns the length of a side on the ellipsoid, by the radii of curvature at its middle. For sides of up
 * to 20 km, the error is less than a millionth.
 */
function sideLengthM(lng1: number, lat1: number, lng2: number, lat2: number): number {
  const middle = ((lat1 + lat2) / 2) * RADIANS;
  const w2 = 1 - E2 * Math.sin(middle) ** 2;
  const normalM = A_M / Math.sqrt(w2);
  const north = ((normalM * (1 - E2)) / w2) * (lat2 - lat1) * RADIANS;
  const east = normalM * Math.cos(middle) * (lng2 - lng1) * RADIANS;
  return Math.hypot(north, east);
}
