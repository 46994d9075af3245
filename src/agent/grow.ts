/** One connected territory out of ranked ZIPs. Pure. */
import { neighborsOf, type Adjacency } from '../territory/adjacency.ts';

/** Starting points that are tried: the best ZIP may stand alone, or lead into poor ground. */
const STARTS = 20;

/**
 * Grows a territory from each of the best ZIPs, adding the best neighbour each time, and takes the
 * largest that comes about, of equally large ones the best in all.
 *
 * @param ranked best first
 * @returns at most `size` ZIPs that hang together, in the order of `ranked`
 */
export function grow<Candidate extends { zip: string; score: number }>(
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

/** Places in the ranking, in the order in which they were added. */
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
    // The lowest place is the best ZIP.
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
