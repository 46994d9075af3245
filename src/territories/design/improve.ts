/**
 * Improves an assignment until the work is used up: picks a few neighboring territories, searches for a better
 * assignment of their nodes, and keeps it if it found one (large neighborhood search: Shaw, CP 1998). Half of
 * the steps search on several scales. Some of these cut a pair of territories again along a random line.
 */
import { extract, isPlain } from './merge-nodes.ts';
import { multilevel } from './multilevel.ts';
import { INEXACT } from './problem.ts';
import type { Partition } from './partition.ts';
import type { Random } from './random.ts';
import type { TabuSearch, Work } from './tabu.ts';

interface ImproveOptions {
  random: Random;
  excessPrice: number;
  /** See `TabuOptions` */
  finalPrice: () => number;
  /** Results that are worse by about this much are kept; 0: never */
  temperature: () => number;
  /** Whether some steps search on several scales, which shortens borders but doesn't make sums more even */
  onScales: boolean;
  /** Returns whether to continue. */
  goOn: () => boolean;
  /** Called after each kept result */
  onImproved: () => void;
  /** See `TabuOptions` */
  onInside?: (() => void) | undefined;
  onVisited?: (() => void) | undefined;
}

export function improve(
  partition: Partition,
  search: TabuSearch,
  {
    random,
    excessPrice,
    finalPrice,
    temperature,
    onScales,
    goOn,
    onImproved,
    onInside,
    onVisited,
  }: ImproveOptions,
  work: Work,
): void {
  const { problem, part } = partition;
  const { territories } = problem;
  const inRegion = new Uint8Array(territories + 1);
  const before = new Int32Array(problem.nodes);
  const numberOf = new Int32Array(problem.nodes);
  const mayMerge = onScales && isPlain(problem);
  if (territories + (problem.leftoverPrice ? 1 : 0) < 2) return;

  while (goOn()) {
    // Also ends a search in which no territory has a neighbor
    work.looks += 100;
    const region = pickRegion(partition, random);
    if (region.length < 2) continue;
    inRegion.fill(0);
    for (const t of region) inRegion[t] = 1;
    const nodes = partition.nodesOf(region);
    work.looks += nodes.length;
    for (const i of nodes) before[i] = part[i]!;
    const cost = partition.cost;
    const excess = excessOf(partition, region);
    const price = finalPrice();
    if (mayMerge && random.below(2) === 0) {
      const isNew = region.length === 2 && random.below(2) === 0;
      const small = extract(partition, nodes, region, numberOf);
      const part = multilevel(
        small.problem,
        isNew && small.problem.fixed.every((t) => t < 0) ? null : small.part,
        { random, excessPrice, finalPrice: price },
        work,
      );
      for (const [at, i] of nodes.entries()) {
        const to = region[part[at]!]!;
        if (before[i] !== to) partition.move(i, to, partition.moveCost(i, to));
      }
    } else {
      const patience = 20 + random.below(100) + (nodes.length >> 1);
      const options = {
        patience,
        random,
        nodes,
        inRegion,
        excessPrice,
        finalPrice: price,
        onInside,
        onVisited,
      };
      search.improve(options, work);
    }
    const change = partition.cost - cost + price * (excessOf(partition, region) - excess);
    const isBetter = change <= INEXACT + temperature() * -Math.log(1 - random.next());
    if (isBetter) {
      onImproved();
      continue;
    }
    for (const i of nodes)
      if (part[i] !== before[i]) partition.move(i, before[i]!, partition.moveCost(i, before[i]!));
    // Adding and subtracting changes accumulates rounding errors.
    partition.cost = cost;
  }
}

const excessOf = (partition: Partition, region: readonly number[]) =>
  region.reduce((sum, t) => sum + partition.excess(t), 0);

const SIZES = [2, 2, 3, 4];

/** Returns two to six connected territories, or one that has no neighbors. */
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
      // An excess may have to pass through the next territory.
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
