/**
 * Measures a territory's outline: its compactness and the ZIP codes that it surrounds. The graph of borders gives
 * the outline without merging polygons. Areas and lengths are on the ellipsoid, and sides are straight in longitude
 * and latitude.
 */
import { letOthersRun } from '../../../base/workers/let-others-run.ts';
import { OUTSIDE } from '../../../base/spatial/border-graph.ts';
import { concat, convexHull, ringAreaM2 } from '../../../base/spatial/convex-hull.ts';
import { flaggedZips, flagZips } from './adjacency.ts';
import type { NationalBorders } from './national-borders.ts';

/**
 * Compactness, as the mean of the territory's pieces weighted by area. A territory of two compact pieces in two
 * metros is therefore compact.
 */
interface Compactness {
  /**
   * Polsby-Popper, 4πA / P²: the area divided by that of a circle with the same perimeter. 1 is a
   * circle, and 0.79 a square. Ragged borders and holes lower it. (Polsby and Popper, The Third
   * Criterion, Yale Law & Policy Review 9, 1991.)
   */
  polsbyPopper: number;
  /** The area divided by that of the convex hull: 1 means no bays and no holes */
  hullRatio: number;
}

export interface Outline extends Compactness {
  /** ZIP codes within holes of the territory, sorted */
  enclosed: string[];
}

/** Number of areas that take a few milliseconds. Other requests run in between. */
const SLICE_AREAS = 4_000;

/** Returns the outline of a territory, or null if none of its ZIP codes has a boundary. */
export async function outlineOf(
  borders: NationalBorders,
  zips: Iterable<string>,
): Promise<Outline | null> {
  const held = flagZips(zips);
  const isOpen = borders.zips.map((zip) => 1 - (held[zip] ?? 0));
  const compactness = await compactnessIn(borders, isOpen);
  if (!compactness) return null;
  await letOthersRun();
  // ZIP codes that aren't held are enclosed if no chain of borders connects them to the outside. Touching corners
  // don't connect.
  takeConnected(borders, isOpen, OUTSIDE);
  const enclosed = flagZips([]);
  for (const [zip, area] of borders.areaOfZip.entries()) if (isOpen[area]) enclosed[zip] = 1;
  return { ...compactness, enclosed: flaggedZips(enclosed) };
}

/** Returns an outline's compactness without searching the country for holes, or null as `outlineOf`. */
export function compactnessOf(
  borders: NationalBorders,
  zips: Iterable<string>,
): Promise<Compactness | null> {
  const held = flagZips(zips);
  return compactnessIn(
    borders,
    borders.zips.map((zip) => 1 - (held[zip] ?? 0)),
  );
}

/** @param isOpen flags of the areas that aren't held */
async function compactnessIn(
  borders: NationalBorders,
  isOpen: Int32Array,
): Promise<Compactness | null> {
  const isHeld = isOpen.map((flag) => 1 - flag);
  let areaM2 = 0;
  let polsbyPopper = 0;
  let hullRatio = 0;
  let sliced = 0;
  for (let from = 0; (from = isHeld.indexOf(1, from)) >= 0;) {
    const piece = takeConnected(borders, isHeld, from);
    if ((sliced += piece.length) > SLICE_AREAS) {
      await letOthersRun();
      sliced = 0;
    }
    const sizes = sizesOf(borders, isOpen, piece);
    areaM2 += sizes.areaM2;
    polsbyPopper += (4 * Math.PI * sizes.areaM2 ** 2) / sizes.perimeterM ** 2;
    hullRatio += sizes.areaM2 ** 2 / sizes.hullM2;
  }
  return areaM2 === 0
    ? null
    : { polsbyPopper: polsbyPopper / areaM2, hullRatio: hullRatio / areaM2 };
}

/** Returns the flagged areas that borders connect with an area, and removes their flags. */
function takeConnected(
  { first, neighbors }: NationalBorders,
  flags: Int32Array,
  from: number,
): number[] {
  const connected = [from];
  flags[from] = 0;
  for (let next = 0; next < connected.length; next++) {
    const area = connected[next]!;
    for (let at = first[area]!; at < first[area + 1]!; at++) {
      const neighbor = neighbors[at]!;
      if (flags[neighbor] !== 1) continue;
      flags[neighbor] = 0;
      connected.push(neighbor);
    }
  }
  return connected;
}

/** @param isOpen flags of the areas that aren't held. Borders with them are the perimeter. */
function sizesOf(
  { areasM2, first, neighbors, bordersM, hullStarts, hulls }: NationalBorders,
  isOpen: Int32Array,
  piece: readonly number[],
) {
  let areaM2 = 0;
  let perimeterM = 0;
  const rim: Float64Array[] = [];
  for (const area of piece) {
    areaM2 += areasM2[area]!;
    const before = perimeterM;
    for (let at = first[area]!; at < first[area + 1]!; at++)
      if (isOpen[neighbors[at]!]) perimeterM += bordersM[at]!;
    if (perimeterM === before) continue;
    const hull = hulls.subarray(2 * hullStarts[area]!, 2 * hullStarts[area + 1]!);
    rim.push(hull);
  }
  const hull = rim.length === 1 ? rim[0]! : convexHull(concat(rim));
  return { areaM2, perimeterM, hullM2: ringAreaM2(hull) };
}
