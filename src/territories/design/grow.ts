/**
 * Grows territories from the nodes that they start with: seeds, locked ZIP codes, or the current territories.
 * The territory furthest below its share takes the nearest adjacent node.
 */
import TinyQueue from 'tinyqueue';
import type { Problem } from './problem.ts';
import type { Random } from './random.ts';

/** A territory without a start begins at the farthest of this many random nodes. */
const CANDIDATES = 12;

/**
 * Returns an assignment in which every territory is connected. Nodes that no territory reaches are assigned to
 * `problem.territories`, the leftovers.
 * @param start territory of each node, or -1. If a territory is in pieces, the piece with a fixed node stays.
 */
export function grow(problem: Problem, start: Int32Array, random: Random): Int32Array {
  const { nodes, territories, first, neighbors, x, y, loads, measures, fixed, allowed } = problem;
  const part = connectStarts(problem, start);
  const may = (i: number, t: number) =>
    fixed[i]! >= 0 ? fixed[i] === t : allowed === null || allowed[i * territories + t] === 1;
  const sums = new Float64Array(territories);
  const share = Float64Array.from({ length: territories }, (_, t) => {
    const middle = (problem.low[t * measures]! + Math.min(problem.high[t * measures]!, 1e6)) / 2;
    return Math.max(middle, 1e-9);
  });
  const center = new Int32Array(territories).fill(-1);
  const load = (i: number) => {
    let sum = 0;
    for (let q = 0; q < measures; q++) sum += loads[i * measures + q]!;
    return sum / measures;
  };
  for (let i = 0; i < nodes; i++) {
    const t = part[i]!;
    if (t < 0) continue;
    sums[t]! += load(i);
    if (center[t]! < 0 || fixed[i] === t) center[t] = i;
  }
  const centers = Array.from(center).filter((i) => i >= 0);
  const distance = (i: number, j: number) => Math.hypot(x[i]! - x[j]!, y[i]! - y[j]!);
  for (let t = 0; t < territories; t++) {
    if (center[t]! >= 0) continue;
    let best = -1;
    let bestDistance = -1;
    for (let tries = 0; tries < 50 * CANDIDATES; tries++) {
      if (tries >= CANDIDATES && best >= 0) break;
      const i = random.below(nodes);
      if (part[i]! >= 0 || !may(i, t)) continue;
      const nearest = centers.reduce((least, j) => Math.min(least, distance(i, j)), 1e9);
      if (nearest > bestDistance) [best, bestDistance] = [i, nearest];
    }
    if (best < 0) best = part.findIndex((at, i) => at < 0 && may(i, t));
    // The previous territories took all nodes, so this one stays empty.
    if (best < 0) continue;
    center[t] = best;
    centers.push(best);
    part[best] = t;
    sums[t]! += load(best);
  }

  const queues = Array.from(
    { length: territories },
    () => new TinyQueue<{ i: number; km: number }>([], (a, b) => a.km - b.km),
  );
  const offer = (i: number, t: number) => {
    for (let at = first[i]!; at < first[i + 1]!; at++) {
      const next = neighbors[at]!;
      if (part[next]! >= 0 || !may(next, t)) continue;
      queues[t]!.push({ i: next, km: distance(next, center[t]!) * (0.9 + 0.2 * random.next()) });
    }
  };
  for (let i = 0; i < nodes; i++) if (part[i]! >= 0) offer(i, part[i]!);
  const growing = new TinyQueue(
    Array.from({ length: territories }, (_, t) => t),
    (a, b) => sums[a]! / share[a]! - sums[b]! / share[b]!,
  );
  while (growing.length > 0) {
    const t = growing.pop()!;
    const queue = queues[t]!;
    while (queue.length > 0 && part[queue.peek()!.i]! >= 0) queue.pop();
    if (queue.length === 0) continue;
    const isFull = problem.leftoversAllowed && sums[t]! >= share[t]!;
    if (isFull) continue;
    const { i } = queue.pop()!;
    part[i] = t;
    sums[t]! += load(i);
    offer(i, t);
    growing.push(t);
  }
  return part.map((t) => (t < 0 ? territories : t));
}

/** Keeps one piece of each territory and connects its fixed nodes through free nodes. */
function connectStarts(problem: Problem, start: Int32Array): Int32Array {
  const { nodes, territories, first, neighbors, fixed, allowed } = problem;
  const part = new Int32Array(nodes).fill(-1);
  const isFree = (i: number, t: number) =>
    part[i]! < 0 && fixed[i]! < 0 && (allowed === null || allowed[i * territories + t] === 1);
  const roots = new Int32Array(territories).fill(-1);
  for (let i = 0; i < nodes; i++) if (fixed[i]! >= 0 && roots[fixed[i]!]! < 0) roots[fixed[i]!] = i;
  for (let t = 0; t < territories; t++)
    if (roots[t]! < 0) roots[t] = largestPiece(problem, start, t);
  for (let t = 0; t < territories; t++) if (roots[t]! >= 0) spread(roots[t]!, t);

  function spread(root: number, t: number): void {
    part[root] = t;
    const open = [root];
    for (const i of open)
      for (let at = first[i]!; at < first[i + 1]!; at++) {
        const next = neighbors[at]!;
        if (part[next]! >= 0 || (start[next] !== t && fixed[next] !== t)) continue;
        if (fixed[next]! >= 0 && fixed[next] !== t) continue;
        part[next] = t;
        open.push(next);
      }
  }

  for (let i = 0; i < nodes; i++) {
    const t = fixed[i]!;
    if (t < 0 || part[i] === t) continue;
    // Breadth-first search for the shortest path to the territory
    const from = new Map([[i, -1]]);
    const open = [i];
    let met = -1;
    for (const node of open) {
      for (let at = first[node]!; at < first[node + 1]! && met < 0; at++) {
        const next = neighbors[at]!;
        if (part[next] === t) met = node;
        else if (!from.has(next) && (isFree(next, t) || fixed[next] === t)) {
          from.set(next, node);
          open.push(next);
        }
      }
      if (met >= 0) break;
    }
    if (met < 0) part[i] = t;
    else for (let node = met; node >= 0; node = from.get(node)!) part[node] = t;
  }
  return part;
}

/** Returns a node of the largest connected piece of a territory, or -1 if the territory is empty. */
function largestPiece({ nodes, first, neighbors }: Problem, part: Int32Array, t: number): number {
  const seen = new Uint8Array(nodes);
  let largest = 0;
  let root = -1;
  for (let i = 0; i < nodes; i++) {
    if (part[i] !== t || seen[i]) continue;
    seen[i] = 1;
    const open = [i];
    for (const node of open)
      for (let at = first[node]!; at < first[node + 1]!; at++) {
        const next = neighbors[at]!;
        if (part[next] !== t || seen[next]) continue;
        seen[next] = 1;
        open.push(next);
      }
    if (open.length > largest) [largest, root] = [open.length, i];
  }
  return root;
}
