/**
 * Divides a few territories again, on maps of several scales. It merges neighboring nodes repeatedly, searches the
 * coarsest map, then undoes the merges step by step and searches each finer map. Whole groups of ZIP codes move
 * as easily as single ones (multilevel partitioning: Karypis and Kumar, SIAM Journal on Scientific Computing 20,
 * 1998; iterated: Walshaw, Annals of Operations Research 131, 2004).
 */
import { mergeNodes } from './merge-nodes.ts';
import { Partition } from './partition.ts';
import type { Problem } from './problem.ts';
import type { Random } from './random.ts';
import { sweep } from './sweep.ts';
import { TabuSearch, type Work } from './tabu.ts';

/** Nodes per territory of the coarsest map */
const FEWEST = 6;
/** Largest share of a territory in one merged node. Larger nodes rarely move. */
const MOST_MERGED = 0.3;

interface MultilevelOptions {
  random: Random;
  /** Price of an excess of one fair share at the start, in kilometers */
  excessPrice: number;
  /** The same for choosing the result */
  finalPrice: number;
}

/**
 * @param problem a plain problem, see `isPlain`
 * @param part the assignment to improve; null starts with a random cut into two territories
 */
export function multilevel(
  problem: Problem,
  part: Int32Array | null,
  { random, excessPrice, finalPrice }: MultilevelOptions,
  work: Work,
): Int32Array {
  const finer: { problem: Problem; pieceOf: Int32Array }[] = [];
  let coarsest = problem;
  let assignment = part;
  while (coarsest.nodes > FEWEST * problem.territories) {
    const { pieceOf, pieces } = match(coarsest, assignment, random);
    if (pieces > 0.9 * coarsest.nodes) break;
    work.looks += 2 * coarsest.neighbors.length;
    finer.push({ problem: coarsest, pieceOf });
    coarsest = mergeNodes(coarsest, pieceOf, pieces);
    if (assignment) {
      const merged = new Int32Array(pieces);
      for (const [i, piece] of pieceOf.entries()) merged[piece] = assignment[i]!;
      assignment = merged;
    }
  }
  assignment ??= cut(coarsest, random, work);
  for (let level = coarsest; ;) {
    const next = finer.pop();
    // Merged nodes are too large for even sums.
    const price = next ? excessPrice : finalPrice;
    assignment = search(level, assignment, { random, excessPrice, finalPrice: price }, work);
    if (!next) return assignment;
    level = next.problem;
    const merged: Int32Array = assignment;
    assignment = next.pieceOf.map((piece) => merged[piece]!);
  }
}

function search(
  problem: Problem,
  part: Int32Array,
  { random, excessPrice, finalPrice }: MultilevelOptions,
  work: Work,
): Int32Array {
  const partition = new Partition(problem);
  partition.load(part);
  const nodes = Int32Array.from(part.keys());
  const inRegion = new Uint8Array(problem.territories + 1).fill(1);
  const patience = 20 + random.below(40) + (nodes.length >> 1);
  const options = { patience, random, nodes, inRegion, excessPrice, finalPrice };
  new TabuSearch(partition).improve(options, work);
  return partition.part;
}

/** Cuts a map in two along a random line. */
function cut(problem: Problem, random: Random, work: Work): Int32Array {
  const { low, high, measures, nodes } = problem;
  const middle = (t: number) => low[t * measures]! + high[t * measures]!;
  const share = middle(0) / (middle(0) + middle(1));
  const angle = random.next() * 2 * Math.PI;
  work.looks += 20 * nodes;
  const side = sweep(
    problem,
    Int32Array.from({ length: nodes }, (_, i) => i),
    { angle, share },
  );
  return Int32Array.from(side, (flag) => 1 - flag);
}

/**
 * Pairs neighboring nodes. It prefers long shared borders and small loads.
 * @param part territories that no pair may cross; null: no restriction
 */
function match(problem: Problem, part: Int32Array | null, random: Random) {
  const { nodes, first, neighbors, borders, loads, measures, fixed } = problem;
  const pieceOf = new Int32Array(nodes).fill(-1);
  const order = Int32Array.from({ length: nodes }, (_, i) => i);
  for (let at = nodes - 1; at > 0; at--) {
    const other = random.below(at + 1);
    [order[at], order[other]] = [order[other]!, order[at]!];
  }
  let pieces = 0;
  for (const i of order) {
    if (pieceOf[i]! >= 0) continue;
    const load = loads[i * measures]!;
    let best = -1;
    let bestRating = 0;
    for (let at = first[i]!; at < first[i + 1]!; at++) {
      const next = neighbors[at]!;
      if (pieceOf[next]! >= 0 || (part && part[next] !== part[i])) continue;
      if (fixed[i]! >= 0 && fixed[next]! >= 0 && fixed[i] !== fixed[next]) continue;
      const more = loads[next * measures]!;
      if (load + more > MOST_MERGED) continue;
      const rating = (borders[at]! * (0.5 + random.next())) / (load + more + 1e-3);
      if (rating <= bestRating) continue;
      best = next;
      bestRating = rating;
    }
    pieceOf[i] = pieces;
    if (best >= 0) pieceOf[best] = pieces;
    pieces++;
  }
  return { pieceOf, pieces };
}
