/**
 * A proven lower bound of the worst deviation. Every node is in some territory, so no assignment is better
 * than the best connected set around the node for which that set is worst.
 */
import type { Problem } from './problem.ts';

type Graph = Pick<
  Problem,
  'nodes' | 'first' | 'neighbors' | 'measures' | 'loads' | 'leftoversAllowed'
>;

/** Sets that are tried around a node. Past it, nothing is known about the node. */
const MOST_SETS = 3_000;

/** A smaller bound is of no use to a reader, and proving it would take most of the time. */
const NEGLIGIBLE = 5e-4;

/** @returns the deviation as a fraction of a fair share; 0 if nothing of note is proven */
export function provenBound(problem: Graph): number {
  const { nodes, measures, loads, leftoversAllowed } = problem;
  if (measures !== 1 || leftoversAllowed) return 0;
  let bound = 0;
  // Heavy nodes have few sets around them, and the worst deviations.
  const order = Array.from(loads.keys()).sort((a, b) => loads[b]! - loads[a]!);
  for (const i of order.slice(0, Math.min(nodes, 400))) {
    const best = bestAround(problem, i, Math.max(bound, NEGLIGIBLE));
    if (best > NEGLIGIBLE) bound = Math.max(bound, best);
  }
  return bound;
}

/** Returns the smallest deviation of a connected set with a node; `enough` or less if one reaches that. */
function bestAround({ first, neighbors, loads }: Graph, node: number, enough: number): number {
  let best = Infinity;
  let sets = 0;
  const used = new Set([node]);
  /** Enumerates each connected set once: a neighbor that was tried is then left out. */
  const extend = (sum: number, open: readonly number[]): void => {
    best = Math.min(best, Math.abs(sum - 1));
    if (++sets > MOST_SETS) best = 0;
    if (best <= enough || sum - 1 >= best) return;
    for (let at = 0; at < open.length && best > enough; at++) {
      const next = open[at]!;
      const more = open.slice(at + 1);
      const fresh: number[] = [];
      for (let edge = first[next]!; edge < first[next + 1]!; edge++) {
        const neighbor = neighbors[edge]!;
        if (used.has(neighbor)) continue;
        used.add(neighbor);
        fresh.push(neighbor);
      }
      extend(sum + loads[next]!, [...more, ...fresh]);
      for (const one of fresh) used.delete(one);
    }
  };
  const around: number[] = [];
  for (let at = first[node]!; at < first[node + 1]!; at++) {
    const neighbor = neighbors[at]!;
    if (used.has(neighbor)) continue;
    used.add(neighbor);
    around.push(neighbor);
  }
  extend(loads[node]!, around);
  return best;
}
