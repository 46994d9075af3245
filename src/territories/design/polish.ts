/** Makes sums more even than the limits demand, as long as borders grow by no more than `longerIfEven`. */
import { EVEN, LAST_LEVEL, scaleLimits, NARROWER } from './even.ts';
import { exchangeUntilEven } from './exchange.ts';
import { Partition } from './partition.ts';
import type { Problem } from './problem.ts';
import type { Search } from './search.ts';

/** Shares of the whole until which more even assignments are looked for, by exchanges and by limits */
const EXCHANGE_UNTIL = 0.87;
const NARROW_UNTIL = 0.96;
/** Work of the search between two attempts to make its assignment even, in that of an attempt */
const BETWEEN = 1;

/** Returns the cost that an assignment of a level may have. */
type MostAt = (level: number) => number;

export function polish(search: Search): void {
  const { partition, problem, pace, meanBorder, hasStart } = search;
  if (!pace.goesOn(1)) return;
  const isFree = !hasStart && !problem.leftoverPrice && problem.territories > 1;
  if (!isFree || !isWithinLimits(search)) {
    search.improve({ until: 1, heat: 0 });
    return;
  }
  // Some assignments of a search within wider limits become even, and stay shorter than the current one.
  if (search.widening > 0) loadEven(search, 0, partition.cost);
  search.offer();
  const before = partition.cost;
  const border = partition.borderCost();
  const fullWidth = scaleLimits(partition, 0);
  const mostAt = (level: number) => {
    const lessDeviation = (fullWidth * (1 - NARROWER ** level)) / 2;
    return before + longerAllowed(problem, lessDeviation) * border;
  };
  const last = lastLevel(search);
  const exchanged = narrowByExchanges(search, last, mostAt);
  let level = exchangeDuring(search, exchanged, last, mostAt);
  const step = (NARROW_UNTIL - pace.done()) / 3;
  while (level < last && pace.goesOn(NARROW_UNTIL)) {
    const kept = partition.part.slice();
    const width = scaleLimits(partition, level + 1);
    const most = mostAt(level + 1);
    search.improve({
      until: pace.done() + step,
      heat: 0,
      excessPrice: meanBorder / width,
      // An excess as wide as the limits costs as much as borders may: a strict price would accept any length.
      finalPrices: [(most - before) / width, (10 * (most - before)) / width],
      isEnough: () => partition.totalExcess() === 0 && partition.cost <= most,
    });
    if (partition.totalExcess() > 0 || partition.cost > most) {
      partition.load(kept);
      continue;
    }
    search.offer();
    level++;
  }
  // An excess as wide as the limits matters like a border.
  search.improve({ until: 1, heat: 0, excessPrice: meanBorder / scaleLimits(partition, level) });
  scaleLimits(partition, 0);
}

/** Returns how much longer borders may become if the deviation falls by this much. Both are shares. */
export function longerAllowed(
  { longerIfEven: { share, perDeviation, most } }: Pick<Problem, 'longerIfEven'>,
  lessDeviation: number,
): number {
  return Math.min(most, Math.max(share, perDeviation * lessDeviation));
}

/** Exchanges nodes until all sums are within the limits, or nearer to them. @returns whether they are within */
function isWithinLimits({ partition, pace }: Search): boolean {
  const kept = partition.part.slice();
  const excess = partition.totalExcess();
  exchangeUntilEven(partition, Infinity, pace);
  if (partition.totalExcess() > excess) partition.load(kept);
  return partition.totalExcess() === 0;
}

/**
 * Loads the most even assignment that exchanges make out of the current one, or out of those that the search
 * came across: at the last level if possible, otherwise as far as halving the distance finds.
 * @param last level to try first
 * @returns its level
 */
function narrowByExchanges(search: Search, last: number, mostAt: MostAt): number {
  const { partition } = search;
  let reached = 0;
  for (let level = last, failed = last + 1; failed > reached + 1;) {
    scaleLimits(partition, level);
    if (loadEven(search, level, mostAt(level))) {
      search.offer();
      reached = level;
    } else failed = level;
    level = (reached + failed) >> 1;
  }
  return reached;
}

/**
 * Goes on searching, within the usual limits if these are wider than the problem's, and makes some assignments even by
 * exchanges: to the next level, or at the same one with shorter borders. Loads the best of them.
 * @returns its level
 */
function exchangeDuring(search: Search, reached: number, last: number, mostAt: MostAt): number {
  const { partition, problem, pace } = search;
  const { work } = pace;
  const copy = new Partition(problem);
  let best = partition.part.slice();
  let bestKm = partition.cost;
  let level = reached;
  let nextAt = work.looks;
  const isEven = (goal: number, mostKm: number) => {
    copy.load(partition.part);
    scaleLimits(copy, goal);
    return exchangeUntilEven(copy, mostKm, pace) && copy.cost < mostKm;
  };
  const attempt = () => {
    const most = mostAt(Math.min(last, level + 1));
    if (work.looks < nextAt || partition.cost > most || !pace.goesOn(1)) return;
    const { looks } = work;
    const isNext = level < last && isEven(level + 1, most);
    if (isNext) level++;
    if (isNext || isEven(level, bestKm)) {
      best = copy.part.slice();
      bestKm = copy.cost;
    }
    nextAt = work.looks + BETWEEN * (work.looks - looks);
  };
  scaleLimits(partition, -search.widening);
  search.improve({ until: EXCHANGE_UNTIL, heat: 1, onVisited: attempt });
  partition.load(best);
  search.offer();
  return level;
}

/** Loads the shortest assignment within the limits of a level. Without any, the current one stays. */
function loadEven({ partition, evenAssignments, pace }: Search, level: number, most: number) {
  const current = partition.part.slice();
  let best = current;
  let bestKm = most;
  for (const part of [current, ...evenAssignments.shortestNear(level)]) {
    if (!pace.goesOn(1)) break;
    partition.load(part);
    if (!exchangeUntilEven(partition, bestKm, pace) || partition.cost > bestKm) continue;
    best = partition.part.slice();
    bestKm = partition.cost;
  }
  partition.load(best);
  return best !== current;
}

/** Returns the first level at which all sums count as even. */
function lastLevel({ partition }: Search): number {
  let level = 0;
  while (level < LAST_LEVEL && scaleLimits(partition, level) > 2 * EVEN) level++;
  scaleLimits(partition, 0);
  return level;
}
