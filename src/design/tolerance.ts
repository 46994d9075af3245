/**
 * Returns the default tolerance: 0.6% with 30 ZIP codes per territory, 2.8% with ten. The more ZIP codes a
 * territory has, the more combinations give an even sum, and the less a small deviation lengthens borders. On
 * the launched metros, METIS's best of 40 runs deviates about twice as much.
 * @param loads the first measure of each node
 */
export function defaultTolerance(territories: number, loads: Float64Array): number {
  const perTerritory = loads.length / territories;
  const ratio = 30 / perTerritory;
  if (ratio > 3) return MOST * (ratio / 3) ** 1.5;
  if (ratio > 1) return Math.min(MOST, BASE * ratio ** 1.8);
  // Most ZIP codes of a state have few people, so mainly those in its cities help to balance sums.
  const sum = loads.reduce((all, load) => all + load, 0);
  const squares = loads.reduce((all, load) => all + load ** 2, 0);
  const unevenness = (METRO_SHARE * loads.length * squares) / sum ** 2;
  const typical = ratio * unevenness;
  return Math.min(GOAL, Math.max(LEAST, BASE * typical ** (typical > 1 ? 1.8 : 1.4)));
}

const BASE = 0.006;
const MOST = 0.028;
const LEAST = 0.0005;
/** Largest tolerance with 30 or more ZIP codes per territory */
const GOAL = 0.009;
/** Equivalent number of equally large ZIP codes, as a share of a metro's real number */
const METRO_SHARE = 0.7;
