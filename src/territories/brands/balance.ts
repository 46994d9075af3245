/** Measures how evenly a value is divided: compares each total with the mean. Pure. */
import { tenths } from './zip-facts.ts';

export interface Balance<Id> {
  /** Mean of the totals */
  mean: number;
  territories: BalancedTerritory<Id>[];
}

export interface BalancedTerritory<Id> {
  id: Id;
  total: number;
  /** Deviation from the mean in percent, to one decimal: 25 is a quarter above it */
  deviationPct: number;
  /**
   * 100 minus the absolute deviation in percent, at least 0. 100 is the mean itself, 75 is a quarter above or below
   * it, and 0 is a total of zero or of twice the mean. Esri Territory Design has a balance index on the same scale,
   * "how close territory parameters are met", but doesn't publish its formula.
   */
  index: number;
}

/** Compares totals and keeps their order. If all totals are 0, the territories are balanced. */
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
