/** How a set of ZIP codes is connected on the map. Pure. */
import { neighborsOf, neighborsOfSet, type Adjacency } from './adjacency.ts';

/**
 * Returns the connected pieces of a set of ZIP codes, largest first, then by lowest ZIP code. Each
 * piece is in order, and every ZIP code is in exactly one piece. All pieces but the first are the
 * territory's islands.
 */
export function findPieces(zips: ReadonlySet<string>, adjacency: Adjacency): string[][] {
  const found: string[][] = [];
  const seen = new Set<string>();
  for (const start of [...zips].sort()) {
    if (seen.has(start)) continue;
    seen.add(start);
    const piece = [start];
    // The piece is also the queue: the loop visits the ZIP codes that it appends.
    for (const zip of piece) {
      for (const neighbor of neighborsOf(adjacency, zip)) {
        if (!zips.has(neighbor) || seen.has(neighbor)) continue;
        seen.add(neighbor);
        piece.push(neighbor);
      }
    }
    found.push(piece.sort());
  }
  // Sorting is stable: pieces of equal size stay in the order of their lowest ZIP code.
  return found.sort((a, b) => b.length - a.length);
}

/** How a territory splits when one ZIP code is removed. */
export interface CutOff {
  /** Number of additional pieces */
  pieces: number;
  /** ZIP codes that are no longer connected to the largest piece, in order */
  zips: string[];
}

/** Returns how a territory would split without a ZIP code; null if it wouldn't. */
export function cutOffBy(
  zip: string,
  held: ReadonlySet<string>,
  adjacency: Adjacency,
): CutOff | null {
  const rest = new Set(held);
  rest.delete(zip);
  const around = new Set([...neighborsOf(adjacency, zip)].filter((n) => rest.has(n)));
  // A ZIP code with at most one held neighbor connects nothing, so there's no need to walk the
  // territory.
  if (around.size < 2) return null;
  const parts = findPieces(rest, adjacency).filter((piece) => piece.some((z) => around.has(z)));
  if (parts.length < 2) return null;
  return { pieces: parts.length - 1, zips: parts.slice(1).flat().sort() };
}

/**
 * A ZIP code is a gap if at least this share of its border is with the territory. On a street grid,
 * a ZIP code along a straight edge of the territory shares a quarter of its border, one in an
 * inner corner half, and one held on three sides three quarters: only the last one is a gap. No
 * standard defines a number (Esri, Maptitude, and eSpatial report any unassigned area as a gap).
 * Real borders are uneven, so 0.6 stays closer to the corner.
 */
export const GAP_BORDER_SHARE = 0.6;

/**
 * Returns the ZIP codes that aren't held but share most of their border with the territory, in
 * order. Coasts don't count as borders.
 * @param adjacency includes the borders of held ZIP codes and of their neighbors
 */
export function findGaps(held: ReadonlySet<string>, adjacency: Adjacency): string[] {
  return neighborsOfSet(adjacency, held).filter(
    (zip) => heldBorderShare(zip, held, adjacency) >= GAP_BORDER_SHARE,
  );
}

/** Returns the share of a ZIP code's border that is with the territory, 0..1. */
export function heldBorderShare(
  zip: string,
  held: ReadonlySet<string>,
  adjacency: Adjacency,
): number {
  let all = 0;
  let shared = 0;
  for (const [neighbor, borderM] of adjacency.get(zip) ?? []) {
    all += borderM;
    if (held.has(neighbor)) shared += borderM;
  }
  return all === 0 ? 0 : shared / all;
}
