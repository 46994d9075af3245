/**
 * Divides a connected map into territories: cuts it in two, improves the border, and cuts each side again
 * (recursive bisection).
 */
import type { Partition } from './partition.ts';
import type { Random } from './random.ts';
import { sweep } from './sweep.ts';
import type { TabuSearch, Work } from './tabu.ts';

const DIRECTIONS = 6;
/** Price of an excess in the best cut, in `excessPrice`: a short border matters more than a perfect cut. */
const STRICTER = 20;
/** Tolerance of the sums while more cuts follow */
const TOLERANCE = 0.01;

/** Assigns all nodes to territories. Afterwards, the partition has the limits of its problem again. */
export function divide(
  partition: Partition,
  search: TabuSearch,
  random: Random,
  work: Work,
  excessPrice: number,
): void {
  const { problem, low, high } = partition;
  const { nodes, measures, territories } = problem;
  partition.load(new Int32Array(nodes));
  const inRegion = new Uint8Array(territories + 1);

  const cut = (members: Int32Array, from: number, count: number): void => {
    if (count === 1) return;
    const half = count % 2 === 1 && random.below(2) === 1 ? (count + 1) / 2 : count >> 1;
    const to = from + half;
    const share = half / count;
    let best: Uint8Array | null = null;
    let bestScore = Infinity;
    const turn = random.next() * Math.PI;
    for (let direction = 0; direction < DIRECTIONS; direction++) {
      const angle = turn + (direction * 2 * Math.PI) / DIRECTIONS;
      const side = sweep(problem, members, { angle, share });
      const score = scoreOf(members, side, share * count);
      work.looks += 20 * members.length;
      if (score >= bestScore) continue;
      best = side;
      bestScore = score;
    }
    for (const [at, i] of members.entries())
      if (!best![at]) partition.move(i, to, partition.moveCost(i, to));
    for (let q = 0; q < measures; q++) {
      const [a, b] = [from * measures + q, to * measures + q];
      const total = partition.sums[a]! + partition.sums[b]!;
      for (const [at, part] of [
        [a, share],
        [b, 1 - share],
      ] as const) {
        const slack = (TOLERANCE * total * Math.min(share, 1 - share)) / Math.sqrt(count);
        low[at] = total * part - slack;
        high[at] = total * part + slack;
      }
    }
    inRegion[from] = inRegion[to] = 1;
    search.improve(
      {
        patience: 60 + 2 * Math.ceil(Math.sqrt(members.length)),
        random,
        nodes: members,
        inRegion,
        excessPrice,
        finalPrice: STRICTER * excessPrice,
      },
      work,
    );
    inRegion[from] = inRegion[to] = 0;
    cut(partition.nodesOf([from]), from, half);
    cut(partition.nodesOf([to]), to, count - half);
  };

  /** Returns the length of the border plus a price for sums that miss their share. */
  const scoreOf = (members: Int32Array, side: Uint8Array, share: number): number => {
    const { first, neighbors, borders, loads } = problem;
    const sides = scratch(nodes);
    let load = 0;
    for (const [at, i] of members.entries()) {
      sides[i] = 1 + side[at]!;
      if (side[at]) for (let q = 0; q < measures; q++) load += loads[i * measures + q]! / measures;
    }
    let length = 0;
    for (const i of members) {
      if (sides[i] !== 2) continue;
      for (let at = first[i]!; at < first[i + 1]!; at++)
        if (sides[neighbors[at]!] === 1) length += borders[at]!;
    }
    for (const i of members) sides[i] = 0;
    return length + excessPrice * Math.abs(load - share);
  };

  cut(
    Int32Array.from({ length: nodes }, (_, i) => i),
    0,
    territories,
  );
  low.set(problem.low);
  high.set(problem.high);
}

let flags = new Uint8Array(0);
const scratch = (nodes: number) => (flags.length < nodes ? (flags = new Uint8Array(nodes)) : flags);
