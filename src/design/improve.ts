/**
 * Improves an assignment until the work is used up: picks a few neighboring territories, searches for a
 * better assignment of their nodes, and keeps it if there is one (large neighborhood search: Shaw, CP
 * 1998). Some pairs are first merged and cut in two anew along another line (recombination: DeFord,
 * Duchin, and Solomon, Harvard Data Science Review 3.1, 2021).
 */
import { INEXACT } from './problem.ts';
import type { Partition } from './partition.ts';
import type { Random } from './random.ts';
import { sweep } from './sweep.ts';
import type { TabuSearch, Work } from './tabu.ts';

export interface ImproveOptions {
  random: Random;
  excessPrice: number;
  /** See `TabuOptions` */
  finalPrice: () => number;
  /** Worse results are kept if they are worse by about this share of the cost; 0: never */
  temperature: () => number;
  /** Whether to go on */
  goOn: () => boolean;
  /** After each kept result */
  onImproved: () => void;
}

export function improve(
  partition: Partition,
  search: TabuSearch,
  { random, excessPrice, finalPrice, temperature, goOn, onImproved }: ImproveOptions,
  work: Work,
): void {
  const { problem, part } = partition;
  const { territories } = problem;
  const inRegion = new Uint8Array(territories + 1);
  const before = new Int32Array(problem.nodes);
  if (territories + (problem.leftoverPrice ? 1 : 0) < 2) return;

  while (goOn()) {
    const region = pickRegion(partition, random);
    if (region.length < 2) continue;
    inRegion.fill(0);
    for (const t of region) inRegion[t] = 1;
    const nodes = partition.nodesOf(region);
    work.looks += nodes.length;
    for (const i of nodes) before[i] = part[i]!;
    const cost = partition.cost;
    const excess = excessOf(partition, region);
    const recombines = region.length === 2 && random.below(2) === 0;
    if (recombines && !recombine(partition, region, nodes, random, work)) continue;
    const patience = 20 + random.below(100) + (nodes.length >> 1);
    const price = finalPrice();
    search.improve({ patience, random, nodes, inRegion, excessPrice, finalPrice: price }, work);
    const change = partition.cost - cost + price * (excessOf(partition, region) - excess);
    const isBetter = change <= INEXACT + temperature() * -Math.log(1 - random.next());
    if (isBetter) {
      onImproved();
      continue;
    }
    for (const i of nodes)
      if (part[i] !== before[i]) partition.move(i, before[i]!, partition.moveCost(i, before[i]!));
    // Adding up and taking away differences isn't exact.
    partition.cost = cost;
  }
}

const excessOf = (partition: Partition, region: readonly number[]) =>
  region.reduce((sum, t) => sum + partition.excess(t), 0);

const SIZES = [2, 2, 3, 4];

/** Returns two to six territories that are connected; one if it has no neighbors. */
function pickRegion(partition: Partition, random: Random): number[] {
  const { problem, part } = partition;
  const { first, neighbors, nodes, territories } = problem;
  let start = part[random.below(nodes)]!;
  let size = SIZES[random.below(SIZES.length)]!;
  if (random.below(3) === 0) {
    const outside: number[] = [];
    for (let t = 0; t < territories; t++) if (partition.excess(t) > 0) outside.push(t);
    if (outside.length > 0) {
      start = outside[random.below(outside.length)]!;
      // An excess may have to go farther than to the next territory.
      size += random.below(3);
    }
  }
  const region = [start];
  while (region.length < size) {
    // Reservoir sampling over the borders of the region
    let next = -1;
    let seen = 0;
    for (const i of partition.nodesOf(region)) {
      for (let at = first[i]!; at < first[i + 1]!; at++) {
        const other = part[neighbors[at]!]!;
        if (!region.includes(other) && random.below(++seen) === 0) next = other;
      }
    }
    if (next < 0) break;
    region.push(next);
  }
  return region;
}

/** Merges two territories and cuts them in two. @returns false if fixed nodes prevent that */
function recombine(
  partition: Partition,
  [a, b]: readonly number[],
  nodes: Int32Array,
  random: Random,
  work: Work,
): boolean {
  const { problem, part, counts } = partition;
  if (a === problem.territories || b === problem.territories) return false;
  const share =
    (partition.sums[a! * problem.measures]! + 1e-9) /
    (partition.sums[a! * problem.measures]! + partition.sums[b! * problem.measures]! + 2e-9);
  const side = sweep(problem, nodes, { angle: random.next() * 2 * Math.PI, share });
  work.looks += 20 * nodes.length;
  // Nodes that stay where they are move less.
  const [sideA, sideB] = [a!, b!];
  for (const [at, i] of nodes.entries())
    if (!partition.mayMove(i, side[at] ? sideA : sideB)) return false;
  for (const [at, i] of nodes.entries()) {
    const to = side[at] ? sideA : sideB;
    if (part[i] !== to) partition.move(i, to, partition.moveCost(i, to));
  }
  return counts[sideA]! > 0 && counts[sideB]! > 0;
}
