/**
 * A proven lower bound of the worst deviation. Every node is in some territory, so for any node, no assignment
 * beats the best connected set that contains it. The bound comes from the node whose best set is worst.
 */
import type { Problem } from './problem.ts';

type Graph = Pick<
  Problem,
  'nodes' | 'first' | 'neighbors' | 'measures' | 'loads' | 'leftoversAllowed'
>;

/** Largest number of sets to try around a node. A node with more contributes nothing to the bound. */
const MOST_SETS = 3_000;

/** Readers don't need a smaller bound, and proving it would take most of the time. */
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

/** Returns the smallest deviation of a connected set that contains `node`, and stops at one of at most `enough`. */
function bestAround({ first, neighbors, loads }: Graph, node: number, enough: number): number {
  let best = Infinity;
  let sets = 0;
  const used = new Set([node]);
  /** Enumerates each connected set once, by leaving out the neighbors that it has already tried. */
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
