import { neighborsOf, type Adjacency } from '../territory/adjacency.ts';

/** Number of starting points: the best ZIP code may be isolated or have poor neighbors. */
const STARTS = 20;

/**
 * Grows a connected territory from each of the best ZIP codes by adding the best neighbor each time.
 * @param ranked best first
 * @returns the largest result, at most `size` ZIP codes, in the order of `ranked`; among equally
 *   large ones, the one with the highest sum of scores
 */
export function growTerritory<Candidate extends { zip: string; score: number }>(
  ranked: readonly Candidate[],
  adjacency: Adjacency,
  size: number,
): Candidate[] {
  const placeOf = new Map(ranked.map(({ zip }, place) => [zip, place]));
  const grown = ranked
    .slice(0, STARTS)
    .map((start) => growFrom(start.zip, placeOf, adjacency, size));
  const sumOf = (places: readonly number[]) =>
    places.reduce((sum, place) => sum + ranked[place]!.score, 0);
  const [best = []] = grown.sort((a, b) => b.length - a.length || sumOf(b) - sumOf(a));
  return best.sort((a, b) => a - b).map((place) => ranked[place]!);
}

/** Returns ranking positions in the order they were added. */
function growFrom(
  start: string,
  placeOf: ReadonlyMap<string, number>,
  adjacency: Adjacency,
  size: number,
): number[] {
  const zipAt = [...placeOf.keys()];
  const taken: number[] = [];
  const edge = new Set([placeOf.get(start)!]);
  const seen = new Set(edge);
  while (taken.length < size && edge.size > 0) {
    // The lowest position is the best ZIP code.
    const next = Math.min(...edge);
    edge.delete(next);
    taken.push(next);
    for (const neighbor of neighborsOf(adjacency, zipAt[next]!)) {
      const place = placeOf.get(neighbor);
      if (place === undefined || seen.has(place)) continue;
      seen.add(place);
      edge.add(place);
    }
  }
  return taken;
}
