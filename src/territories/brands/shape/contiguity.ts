/** Finds pieces, holes, gaps, and isolated ZIP codes of a territory. Pure. */
import {
  flaggedZips,
  flagZips,
  formatZip,
  neighborsOf,
  neighborsOfSet,
  type Adjacency,
} from './adjacency.ts';

/**
 * Returns the connected pieces of a set of ZIP codes, largest first, then by lowest ZIP code. Each piece is sorted,
 * and every ZIP code is in exactly one piece. All pieces but the first are the territory's islands.
 */
export function findPieces(zips: ReadonlySet<string>, adjacency: Adjacency): string[][] {
  // Sorting is stable: pieces of equal size stay in the order of their lowest ZIP code.
  return walkPieces(zips, adjacency)
    .sort((a, b) => b.length - a.length)
    .map((piece) => Array.from(piece.sort(), formatZip));
}

/** Returns the number of pieces, faster than `findPieces`. */
export const countPieces = (zips: ReadonlySet<string>, adjacency: Adjacency): number =>
  walkPieces(zips, adjacency).length;

/** Returns the pieces as numbers, by lowest ZIP code. */
function walkPieces(
  zips: ReadonlySet<string>,
  { first, neighbors }: Adjacency,
): Int32Array<ArrayBuffer>[] {
  const pieces: Int32Array<ArrayBuffer>[] = [];
  const unseen = flagZips(zips);
  /** The ZIP codes of all pieces. Its end is also the queue of ZIP codes whose neighbors haven't been visited. */
  const walked = new Int32Array(zips.size);
  let end = 0;
  for (let start = unseen.indexOf(1); start >= 0; start = unseen.indexOf(1, start + 1)) {
    const from = end;
    unseen[start] = 0;
    walked[end++] = start;
    for (let next = from; next < end; next++) {
      const zip = walked[next]!;
      for (let at = first[zip]!; at < first[zip + 1]!; at++) {
        const neighbor = neighbors[at]!;
        if (!unseen[neighbor]) continue;
        unseen[neighbor] = 0;
        walked[end++] = neighbor;
      }
    }
    pieces.push(walked.slice(from, end));
  }
  return pieces;
}

/** Returns the members of a set of ZIP codes that border no other member, sorted. */
export function findIsolated(zips: ReadonlySet<string>, { first, neighbors }: Adjacency): string[] {
  const held = flagZips(zips);
  const isolated = held.map((isHeld, zip) =>
    isHeld && !neighbors.subarray(first[zip], first[zip + 1]).some((one) => held[one]) ? 1 : 0,
  );
  return flaggedZips(isolated);
}

/** The effect of removing a ZIP code that connects parts of a territory */
interface CutOff {
  /** Number of additional pieces */
  pieces: number;
  /** ZIP codes that lose their connection to the largest piece, sorted */
  zips: string[];
}

/** ZIP codes that stay connected, as far as found */
interface Part {
  zips: string[];
  /** ZIP codes whose neighbors haven't been visited */
  open: string[];
}

/**
 * Returns how a territory would split without a ZIP code, or null if it wouldn't.
 *
 * Walks from all neighbors of the ZIP code at once, always from the smallest part, until the parts have met. That
 * usually takes a few steps. If the territory splits, it takes about twice as many steps as the smaller parts have
 * ZIP codes, even if the territory covers the country.
 */
export function cutOffBy(
  zip: string,
  held: ReadonlySet<string>,
  adjacency: Adjacency,
): CutOff | null {
  const starts = neighborsOf(adjacency, zip).filter((neighbor) => held.has(neighbor));
  const partOf = new Map(
    starts.map((start): [string, Part] => [start, { zips: [start], open: [start] }]),
  );
  const growing = new Set(partOf.values());
  const whole: Part[] = [];

  function grow(part: Part): void {
    const edge = part.open;
    part.open = [];
    for (const neighbor of edge.flatMap((one) => neighborsOf(adjacency, one))) {
      if (neighbor === zip || !held.has(neighbor)) continue;
      const other = partOf.get(neighbor);
      if (other === part) continue;
      const met = other ?? { zips: [neighbor], open: [neighbor] };
      growing.delete(met);
      for (const one of met.zips) partOf.set(one, part);
      part.zips.push(...met.zips);
      part.open.push(...met.open);
    }
  }

  while (growing.size > 1) {
    const smallest = [...growing].reduce((a, b) => (b.zips.length < a.zips.length ? b : a));
    if (smallest.open.length > 0) grow(smallest);
    else {
      growing.delete(smallest);
      whole.push(smallest);
    }
  }
  if (whole.length === 0) return null;
  const [last] = growing;
  // The last part is at least as large as the others. Once it is larger, its remaining ZIP codes don't matter.
  while (last!.open.length > 0 && last!.zips.length <= whole.at(-1)!.zips.length) grow(last!);
  const parts = [last!, ...whole].map(({ zips }) => zips.sort());
  const [, ...smaller] = parts.sort((a, b) => b.length - a.length || (a[0]! < b[0]! ? -1 : 1));
  return { pieces: smaller.length, zips: smaller.flat().sort() };
}

/**
 * A ZIP code is a gap if it shares at least this part of its border with the territory. On a street grid, a ZIP code
 * shares a quarter of its border along a straight edge of the territory, half in an inner corner, and three quarters
 * if the territory has three of its sides. Only the last one is a gap. No standard defines a number (Esri, Maptitude,
 * and eSpatial report any unassigned area as a gap). Real borders are uneven, so 0.6 is nearer to the corner's half.
 */
export const GAP_BORDER_SHARE = 0.6;

/**
 * Returns the ZIP codes that aren't held but share most of their border with the territory, sorted. Coasts don't
 * count as borders.
 * @param adjacency includes the borders of held ZIP codes and of their neighbors
 */
export function findGaps(held: ReadonlySet<string>, adjacency: Adjacency): string[] {
  return neighborsOfSet(adjacency, held).filter(
    (zip) => heldBorderShare(zip, held, adjacency) >= GAP_BORDER_SHARE,
  );
}

/** ZIP codes that a territory surrounds, or almost surrounds, but doesn't hold */
export interface Openings {
  /** Connected groups of enclosed ZIP codes, largest first */
  holes: string[][];
  /** ZIP codes outside the holes that share most of their border with the territory, sorted */
  gaps: string[];
}

/**
 * @param enclosed ZIP codes within the territory's outline
 * @param adjacency includes the borders of held and enclosed ZIP codes and of their neighbors
 */
export function findOpenings(
  held: ReadonlySet<string>,
  enclosed: readonly string[],
  adjacency: Adjacency,
): Openings {
  const inHole = new Set(enclosed);
  return {
    holes: findPieces(inHole, adjacency),
    gaps: findGaps(held, adjacency).filter((zip) => !inHole.has(zip)),
  };
}

/** Returns the part of its border that a ZIP code shares with the territory, 0..1. */
export function heldBorderShare(
  zip: string,
  held: ReadonlySet<string>,
  adjacency: Adjacency,
): number {
  const lengths = adjacency.bordersCm.subarray(adjacency.first[Number(zip)]);
  let all = 0;
  let shared = 0;
  for (const [i, neighbor] of neighborsOf(adjacency, zip).entries()) {
    all += lengths[i]!;
    if (held.has(neighbor)) shared += lengths[i]!;
  }
  return all === 0 ? 0 : shared / all;
}
