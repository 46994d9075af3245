/** Makes sums more even than the tolerance demands, at the price of slightly longer borders. */
import type { Problem } from './problem.ts';
import type { Search } from './search.ts';

/**
 * Returns the factor by which borders may grow: 1.5% with at most 30 ZIP codes per territory, 4% with 70. With many
 * ZIP codes, METIS is that even by chance, at twice the length.
 */
function longestOf({ territories, nodes }: Problem): number {
  const spare = Math.max(0, 1 - (30 * territories) / nodes);
  return 1.015 + 0.08 * spare ** 2;
}

export function polish(search: Search): void {
  const { partition, problem, pace, meanBorder, evenAssignments } = search;
  const before = partition.cost;
  const most = before * longestOf(problem);
  // An excess as wide as the limits costs as much as a mean border.
  let excessPrice: number | undefined;
  if (partition.totalExcess() === 0 && !search.hasStart && !problem.leftoverPrice) {
    const found = evenAssignments.find(most);
    if (found) partition.load(found.part);
    let share = 1 / 2 ** (found?.level ?? 0);
    const isEven = () => partition.totalExcess() === 0 && partition.cost <= most;
    const step = (1 - pace.done()) / 4;
    excessPrice = meanBorder / narrow(search, share);
    for (let halving = 0; halving < 2 && pace.goesOn(1); halving++) {
      const kept = partition.part.slice();
      const width = narrow(search, share / 2);
      search.improve({
        until: pace.done() + step,
        heat: 0,
        excessPrice: meanBorder / width,
        // An excess as wide as the limits costs as much as borders may grow: a strict price would accept any length.
        finalPrices: [(most - before) / width, (10 * (most - before)) / width],
        isEnough: isEven,
      });
      if (!isEven()) {
        narrow(search, share);
        partition.load(kept);
        break;
      }
      search.offer();
      share /= 2;
      excessPrice = meanBorder / width;
    }
  }
  search.improve({ until: 1, heat: 0, excessPrice });
  partition.low.set(problem.low);
  partition.high.set(problem.high);
}

/** Narrows the limits to a share of their width around the middle. @returns their mean width */
function narrow({ partition, problem }: Search, share: number): number {
  let width = 0;
  for (let at = 0; at < problem.low.length; at++) {
    const [low, high] = [problem.low[at]!, problem.high[at]!];
    partition.low[at] = (low + high) / 2 - (share * (high - low)) / 2;
    partition.high[at] = (low + high) / 2 + (share * (high - low)) / 2;
    width += (share * (high - low)) / problem.low.length;
  }
  return width;
}
