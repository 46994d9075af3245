/**
 * The assignments with the shortest borders that a search has seen, at each level of evenness. A search passes
 * many assignments with half the deviation and only slightly longer borders.
 */
import type { Partition } from './partition.ts';

/** Each level has half the deviation of the previous one: eight levels go from 0.6% to 0.005%. */
const LEVELS = 8;

interface Even {
  part: Int32Array;
  cost: number;
}

export class EvenAssignments {
  private readonly levels: (Even | undefined)[] = Array.from({ length: LEVELS });

  /** @param partition its sums are within their limits */
  consider({ problem, sums, part, cost }: Partition): void {
    let share = 0;
    for (let at = 0; at < problem.low.length; at++) {
      const [low, high] = [problem.low[at]!, problem.high[at]!];
      share = Math.max(share, Math.abs(2 * sums[at]! - low - high) / (high - low));
    }
    let level = Math.min(LEVELS - 1, Math.floor(-Math.log2(Math.max(share, 1e-9))));
    // A more even assignment is a candidate for the lower levels, too.
    for (; level >= 0; level--) {
      const known = this.levels[level];
      if (known && known.cost <= cost) break;
      this.levels[level] = { part: part.slice(), cost };
    }
  }

  /** Returns the most even assignment whose borders are at most `most`. Its level 2 means a quarter of the limits. */
  find(most: number): { part: Int32Array; level: number } | null {
    for (let level = LEVELS - 1; level >= 0; level--) {
      const known = this.levels[level];
      if (known && known.cost <= most) return { part: known.part, level };
    }
    return null;
  }
}
