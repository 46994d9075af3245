/** How evenly territories are cut: each one's total against the mean of all. Pure. */
import { tenths } from './zip-facts.ts';

export interface Balance<Id> {
  /** Of the totals */
  mean: number;
  territories: BalancedTerritory<Id>[];
}

export interface BalancedTerritory<Id> {
  id: Id;
  total: number;
  /** From the mean, in percent of it, to one decimal: 25 is a quarter more */
  deviationPct: number;
  /**
   * 100 less the deviation either way, never below 0: 100 is the mean itself, 75 a quarter more or
   * less, 0 nothing at all or twice the mean. Esri Territory Design has a balance index on the same
   * scale, "how close territory parameters are met", and does not publish its formula.
   */
  index: number;
}

/** In the order given. Territories are even where there is nothing to divide. */
export function balanceOf<Id>(totals: readonly { id: Id; total: number }[]): Balance<Id> {
  const mean = totals.reduce((sum, { total }) => sum + total, 0) / Math.max(1, totals.length);
  return {
    mean: Math.round(mean),
    territories: totals.map(({ id, total }) => {
      const deviationPct = mean === 0 ? 0 : (100 * (total - mean)) / mean;
      return {
        id,
        total: Math.round(total),
        deviationPct: tenths(deviationPct),
        index: Math.round(Math.max(0, 100 - Math.abs(deviationPct))),
      };
    }),
  };
}
