/** How a set of ZIPs hangs together on the map. Pure. */
import { neighborsOf, neighborsOfSet, type Adjacency } from './adjacency.ts';

/**
 * The connected pieces of a set of ZIPs, the largest first, of equal ones that with the lowest ZIP;
 * each in order. Every ZIP is in exactly one. All but the first are the islands of a territory.
 */
export function pieces(zips: ReadonlySet<string>, adjacency: Adjacency): string[][] {
  const found: string[][] = [];
  const seen = new Set<string>();
  for (const start of [...zips].sort()) {
    if (seen.has(start)) continue;
    seen.add(start);
    const piece = [start];
    // The piece is its own queue: what is appended is visited in its turn.
    for (const zip of piece) {
      for (const neighbor of neighborsOf(adjacency, zip)) {
        if (!zips.has(neighbor) || seen.has(neighbor)) continue;
        seen.add(neighbor);
        piece.push(neighbor);
      }
    }
    found.push(piece.sort());
  }
  // Sorting is stable, so equal ones stay in the order of their lowest ZIP.
  return found.sort((a, b) => b.length - a.length);
}

/** The ZIPs that a territory falls apart from when one ZIP is taken out of it. */
export interface CutOff {
  /** Pieces more than before */
  pieces: number;
  /** ZIPs that no longer hang on the largest of the pieces, in order */
  zips: string[];
}

/** @returns null where the rest hangs together as before */
export function cutOffBy(
  zip: string,
  held: ReadonlySet<string>,
  adjacency: Adjacency,
): CutOff | null {
  const rest = new Set(held);
  rest.delete(zip);
  const around = new Set([...neighborsOf(adjacency, zip)].filter((n) => rest.has(n)));
  // With one neighbour or none it is an end, not a link: no need to walk the territory.
  if (around.size < 2) return null;
  const torn = pieces(rest, adjacency).filter((piece) => piece.some((z) => around.has(z)));
  if (torn.length < 2) return null;
  return { pieces: torn.length - 1, zips: torn.slice(1).flat().sort() };
}

/**
 * A ZIP is a gap where at least this part of its border with other ZIPs is with the territory. On a
 * street grid a ZIP beside a straight edge of the territory has a quarter there, one in an inner
 * corner half: neither is a gap. One held on three sides has three quarters and is. No standard
 * names a number (Esri, Maptitude and eSpatial report gaps as whatever is unassigned); 0.6 lies
 * between the two, nearer to the corner, since real borders are uneven.
 */
export const GAP_BORDER_SHARE = 0.6;

/**
 * ZIPs that the territory does not hold though most of their border is with it, in order. The coast
 * is no border: nobody holds the sea.
 * @param adjacency with the borders of the held ZIPs and of their neighbours
 */
export function gaps(held: ReadonlySet<string>, adjacency: Adjacency): string[] {
  return neighborsOfSet(adjacency, held).filter(
    (zip) => heldBorderShare(zip, held, adjacency) >= GAP_BORDER_SHARE,
  );
}

/** The part of a ZIP's border with other ZIPs that is with the territory, 0..1. */
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
