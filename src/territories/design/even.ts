/**
 * The shortest borders that a search has come across, in all and by how even sums are. An assignment with half
 * the deviation is often only slightly longer, and a search passes many.
 */
import type { Partition } from './partition.ts';

/** Smaller deviations, as fractions of a fair share, are of no use. */
export const EVEN = 7e-5;
/** Each level has 70% of the deviation of the previous one: the last is at 0.004% if the first is at 0.6%. */
export const NARROWER = 0.7;
export const LAST_LEVEL = 14;
/** Number of the shortest assignments to keep, times the territories */
const SHORTEST = 256;
/** Two assignments are the same if the lengths of their borders differ by less, in kilometers. */
const SAME_KM = 1e-6;

interface Even {
  part: Int32Array;
  cost: number;
}

export class EvenAssignments {
  private readonly levels: (Even | undefined)[] = Array.from({ length: LAST_LEVEL + 1 });
  private readonly shortest: Even[] = [];
  private readonly most: number;

  constructor(territories: number) {
    this.most = Math.ceil(SHORTEST / territories);
  }

  /** @param partition its sums are within their limits */
  consider(partition: Partition): void {
    this.considerLevels(partition);
    const { part, cost } = partition;
    const { shortest, most } = this;
    if (shortest.length === most && cost >= shortest[most - 1]!.cost) return;
    const at = shortest.findIndex((known) => known.cost > cost - SAME_KM);
    if (at >= 0 && shortest[at]!.cost < cost + SAME_KM) return;
    const dropped = shortest.length === most ? shortest.pop()! : { part: part.slice(), cost };
    dropped.part.set(part);
    dropped.cost = cost;
    shortest.splice(at < 0 ? shortest.length : at, 0, dropped);
  }

  private considerLevels({ problem, sums, part, cost }: Partition): void {
    let share = 0;
    for (let at = 0; at < problem.low.length; at++) {
      const [low, high] = [problem.low[at]!, problem.high[at]!];
      share = Math.max(share, Math.abs(2 * sums[at]! - low - high) / (high - low));
    }
    const narrowings = Math.log(Math.max(share, 1e-9)) / Math.log(NARROWER);
    let level = Math.min(LAST_LEVEL, Math.floor(narrowings));
    // A more even assignment is a candidate for the lower levels, too.
    for (; level >= 0; level--) {
      const known = this.levels[level];
      if (known && known.cost <= cost) break;
      this.levels[level] = { part: part.slice(), cost };
    }
  }

  /** Returns the shortest assignment of a level (level 2 means 49% of the limits), and the shortest of all. */
  shortestNear(level: number): Int32Array[] {
    const known = this.levels[level];
    return [...(known ? [known] : []), ...this.shortest].map(({ part }) => part);
  }
}

/** Scales the limits around their middle: narrower with each level, wider for a negative one. @returns their mean width */
export function scaleLimits({ problem, low: lows, high: highs }: Partition, level: number): number {
  const share = NARROWER ** level;
  let width = 0;
  for (let at = 0; at < problem.low.length; at++) {
    const [low, high] = [problem.low[at]!, problem.high[at]!];
    // Exchanges stop at `EVEN`. Narrower limits would make the search pay any border for the rest.
    const half = Math.max((share * (high - low)) / 2, Math.min(EVEN, (high - low) / 2));
    lows[at] = (low + high) / 2 - half;
    highs[at] = (low + high) / 2 + half;
    width += (2 * half) / problem.low.length;
  }
  // Prices are divided by it, and a tolerance may be 0.
  return Math.max(2 * EVEN, width);
}
