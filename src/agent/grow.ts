import { neighborsOf, type Adjacency } from '../territory/shape/adjacency.ts';

/** Number of starting points, because the best ZIP code may be isolated or have poor neighbors */
const STARTS = 20;

/**
 * Grows a connected territory from each of the best ZIP codes, by adding the best neighbor repeatedly.
 * @param ranked candidates, best first
 * @returns the largest result, with at most `size` ZIP codes in the order of `ranked`. Of equally large results, the
 *   one with the highest sum of scores wins.
 */
export function growTerritory<Candidate extends { zip: string; score: number }>(
  ranked: readonly Candidate[],
  adjacency: Adjacency,
  size: number,
): Candidate[] {
  const positionOf = new Map(ranked.map(({ zip }, position) => [zip, position]));
  const grown = ranked
    .slice(0, STARTS)
    .map((start) => growFrom(start.zip, positionOf, adjacency, size));
  const sumOf = (positions: readonly number[]) =>
    positions.reduce((sum, position) => sum + ranked[position]!.score, 0);
  const [best = []] = grown.sort((a, b) => b.length - a.length || sumOf(b) - sumOf(a));
  return best.sort((a, b) => a - b).map((position) => ranked[position]!);
}

/** Returns positions in the ranking, in the order of growth. */
function growFrom(
  start: string,
  positionOf: ReadonlyMap<string, number>,
  adjacency: Adjacency,
  size: number,
): number[] {
  const zipAt = [...positionOf.keys()];
  const taken: number[] = [];
  const edge = new Set([positionOf.get(start)!]);
  const seen = new Set(edge);
  while (taken.length < size && edge.size > 0) {
    // The lowest position is the best ZIP code.
    const next = Math.min(...edge);
    edge.delete(next);
    taken.push(next);
    for (const neighbor of neighborsOf(adjacency, zipAt[next]!)) {
      const position = positionOf.get(neighbor);
      if (position === undefined || seen.has(position)) continue;
      seen.add(position);
      edge.add(position);
    }
  }
  return taken;
}
