/**
 * Makes sums even by exchanging nodes between two neighboring territories in up to four moves. With 40 moves along a
 * border, there are 100,000 such exchanges, so some shift the right amount and hardly lengthen the border. A
 * search that moves one node at a time passes few of them. All pairs of moves are sorted by what they
 * shift, and two pairs combined (meet in the middle: Horowitz and Sahni, Journal of the ACM 21, 1974).
 */
import { EVEN } from './even.ts';
import { INEXACT, type Problem } from './problem.ts';
import type { Partition } from './partition.ts';
import type { Pace } from './pace.ts';
import type { Work } from './tabu.ts';

/** Moves between two territories that are combined: those that lengthen borders least */
const MOST_MOVES = 44;
/** Exchanges that are tried: some split a territory. */
const TRIES = 16;
/** Both territories of an exchange become better than the worse of them by this factor at least. */
const BETTER = 0.9;

/** Up to two moves */
interface Shift {
  /** Positions in the list of moves, in ascending order; -1: none */
  first: number;
  last: number;
  /** Change of the territory's sum, in fair shares */
  load: number;
  /** Change of the cost in kilometers */
  km: number;
}

interface Exchange {
  nodes: number[];
  other: number;
  km: number;
}

/**
 * Exchanges nodes until all sums are within the limits of the partition.
 * @param most cost that the result may have
 * @returns whether it succeeded. If not, or if the search has stopped, the partition is between its beginning and
 * the goal.
 */
export function exchangeUntilEven(partition: Partition, most: number, pace: Pace): boolean {
  const { territories, measures } = partition.problem;
  if (measures !== 1) return partition.totalExcess() === 0;
  for (let step = 0; step < 4 * territories; step++) {
    const worst = worstOf(partition);
    if (shareOf(partition, worst) <= 1) return true;
    if (!pace.goesOn(1)) return false;
    const exchanges = neighborsOf(partition, worst)
      .flatMap((other) =>
        exchangesBetween(partition, worst, other, most - partition.cost, pace.work),
      )
      .sort((a, b) => a.km - b.km);
    if (!exchanges.slice(0, TRIES).some((one) => apply(partition, worst, one, most))) return false;
  }
  return false;
}

/** Half the width of a territory's limits. A tolerance may be 0, which no exchange would reach. */
const halfOf = ({ low, high }: Partition, t: number) =>
  Math.max(EVEN, (high[t]! - low[t]! + INEXACT) / 2);

/** How far a sum is from the middle of its limits, in half their width: 1 is at a limit. */
const shareOf = (partition: Partition, t: number) =>
  Math.abs(lackOf(partition, t)) / halfOf(partition, t);

/** Amount that a sum lacks to reach the middle of its limits */
const lackOf = ({ sums, low, high }: Partition, t: number) => (low[t]! + high[t]!) / 2 - sums[t]!;

function worstOf(partition: Partition): number {
  let worst = 0;
  for (let t = 1; t < partition.problem.territories; t++)
    if (shareOf(partition, t) > shareOf(partition, worst)) worst = t;
  return worst;
}

function neighborsOf(partition: Partition, t: number): number[] {
  const { part, problem } = partition;
  const found = new Set<number>();
  for (const i of partition.nodesOf([t]))
    for (let at = problem.first[i]!; at < problem.first[i + 1]!; at++)
      found.add(part[problem.neighbors[at]!]!);
  found.delete(t);
  found.delete(problem.territories);
  return [...found];
}

/** Returns the cheapest exchanges that bring two territories within their limits, or nearer to these. */
function exchangesBetween(
  partition: Partition,
  t: number,
  other: number,
  mostKm: number,
  work: Work,
): Exchange[] {
  const [own, its] = [lackOf(partition, t), -lackOf(partition, other)];
  const [ownHalf, itsHalf] = [halfOf(partition, t), halfOf(partition, other)];
  // The sum of both may be too far off for the limits: then half of the rest is as good as it gets.
  const least = Math.abs(own - its) / (ownHalf + itsHalf);
  const share = Math.max(1, 1.1 * least);
  if (share > 1 && share > BETTER * shareOf(partition, t)) return [];
  const from = Math.max(own - share * ownHalf, its - share * itsHalf);
  const to = Math.min(own + share * ownHalf, its + share * itsHalf);

  const moves = movesBetween(partition, t, other);
  const shifts = shiftsOf(partition, moves, mostKm);
  work.looks += moves.length ** 2 + 40 * shifts.length;
  const found: Exchange[] = [];
  let worstKm = mostKm;
  for (const one of shifts) {
    for (let at = firstAbove(shifts, from - one.load); at < shifts.length; at++) {
      const two = shifts[at]!;
      if (one.load + two.load > to) break;
      // Looks at every set of moves once: in order, and with the pair last if there are three.
      if (one.last >= two.first || (one.first >= 0 && two.first === two.last)) continue;
      const km = one.km + two.km;
      if (km > worstKm) continue;
      const nodes = [...new Set([one.first, one.last, two.first, two.last])].flatMap(
        (move) => moves[move]?.nodes ?? [],
      );
      if (new Set(nodes).size < nodes.length) continue;
      found.push({ nodes, other, km });
      if (found.length < 2 * TRIES) continue;
      found.sort((a, b) => a.km - b.km).length = TRIES;
      worstKm = found[TRIES - 1]!.km;
    }
  }
  return found;
}

interface NodeMove {
  /** Nodes that change to the same territory: one, or two that are adjacent */
  nodes: number[];
  to: number;
  load: number;
  km: number;
}

/**
 * Returns the moves between two territories: of single nodes at the border, and of such a node together with one
 * behind it.
 */
function movesBetween(partition: Partition, t: number, other: number): NodeMove[] {
  const { part, problem } = partition;
  const { first, neighbors, loads } = problem;
  const moves: NodeMove[] = [];
  const edgeNodes = new Set<number>();
  for (const i of partition.nodesOf([t, other])) {
    const to = part[i] === t ? other : t;
    if (touches(partition, i, to) && partition.mayMove(i, to)) edgeNodes.add(i);
  }
  for (const i of edgeNodes) {
    const to = part[i] === t ? other : t;
    const sign = to === t ? 1 : -1;
    const km = partition.moveCost(i, to);
    if (partition.mayLeave(i)) moves.push({ nodes: [i], to, load: sign * loads[i]!, km });
    for (let at = first[i]!; at < first[i + 1]!; at++) {
      const next = neighbors[at]!;
      if (part[next] !== part[i] || edgeNodes.has(next) || !partition.mayMove(next, to)) continue;
      const both = km + partition.moveCost(next, to) - 2 * borderOf(problem, i, next);
      moves.push({ nodes: [i, next], to, load: sign * (loads[i]! + loads[next]!), km: both });
    }
  }
  return moves.sort((a, b) => a.km - b.km).slice(0, MOST_MOVES);
}

function touches({ part, problem }: Partition, i: number, t: number): boolean {
  const { first, neighbors } = problem;
  for (let at = first[i]!; at < first[i + 1]!; at++) if (part[neighbors[at]!] === t) return true;
  return false;
}

/**
 * Returns no move, each move, and each pair of moves, by what the territory gains.
 * @param moves by length
 */
function shiftsOf({ problem }: Partition, moves: readonly NodeMove[], mostKm: number): Shift[] {
  const shifts: Shift[] = [{ first: -1, last: -1, load: 0, km: 0 }];
  // The other two moves of an exchange may make borders shorter.
  const most = mostKm - 2 * Math.min(0, moves[0]?.km ?? 0);
  for (let first = 0; first < moves.length; first++) {
    const one = moves[first]!;
    if (one.km <= most) shifts.push({ first, last: first, load: one.load, km: one.km });
    for (let last = first + 1; last < moves.length; last++) {
      const two = moves[last]!;
      if (one.nodes.some((i) => two.nodes.includes(i))) continue;
      // Both count their common border: it stays inside if they move together, and a border if they swap.
      let common = 0;
      for (const i of one.nodes)
        for (const other of two.nodes)
          common += 2 * borderOf(problem, i, other) * (one.to === two.to ? -1 : 1);
      const km = one.km + two.km + common;
      if (km <= most) shifts.push({ first, last, load: one.load + two.load, km });
    }
  }
  return shifts.sort((a, b) => a.load - b.load);
}

function borderOf({ first, neighbors, borders }: Problem, i: number, other: number): number {
  for (let at = first[i]!; at < first[i + 1]!; at++)
    if (neighbors[at] === other) return borders[at]!;
  return 0;
}

/** Position of the first shift with a load of at least this much */
function firstAbove(shifts: readonly Shift[], load: number): number {
  let [low, high] = [0, shifts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (shifts[middle]!.load < load) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Makes an exchange, unless it splits a territory or costs too much after all. Territories with locked nodes may
 * be in pieces before.
 */
function apply(partition: Partition, t: number, { nodes, other }: Exchange, most: number): boolean {
  const { part } = partition;
  const before = partition.cost;
  const pieces = [t, other].map((each) => partition.countPieces(each));
  const move = (i: number) => {
    const to = part[i] === t ? other : t;
    partition.move(i, to, partition.moveCost(i, to));
  };
  for (const i of nodes) move(i);
  const isWhole = (each: number, at: number) => {
    const now = partition.countPieces(each);
    return now > 0 && now <= pieces[at]!;
  };
  if (partition.cost <= most && [t, other].every(isWhole)) return true;
  for (const i of nodes) move(i);
  partition.cost = before;
  return false;
}
