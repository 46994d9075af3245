/**
 * Returns the default tolerance: 0.6% with 30 ZIP codes per territory, 2.7% with ten, and 0.2% with many. The polish
 * (`polish.ts`) makes sums more even where borders may grow for it. The more ZIP codes a territory has, the more
 * combinations give an even sum, and the less a small deviation lengthens borders.
 * @param loads the first measure of each node
 */
export function defaultTolerance(territories: number, loads: Float64Array): number {
  return Math.max(LEAST, typicalDeviation(territories, loads));
}

/** Returns the deviation that a design without a tolerance may have. The default tolerance is only an aim. */
export function allowedDeviation(territories: number, loads: Float64Array): number {
  return Math.max(ALLOWED, typicalDeviation(territories, loads));
}

function typicalDeviation(territories: number, loads: Float64Array): number {
  const ratio = (30 * territories) / loads.length;
  const sum = loads.reduce((all, load) => all + load, 0);
  const squares = loads.reduce((all, load) => all + load ** 2, 0);
  // Most ZIP codes of a state have few people, so mainly those in its cities help to balance sums.
  const unevenness = (METRO_SHARE * loads.length * squares) / sum ** 2;
  const typical = ratio * unevenness;
  const most = MOST * Math.max(1, ratio) * Math.max(1, ratio / 3) ** 0.5;
  const base = BASE * typical ** (typical > 1 ? 1.8 : 1.4);
  return Math.min(most, base);
}

const BASE = 0.006;
/** Largest tolerance with 30 or more ZIP codes per territory. With fewer, it grows in proportion. */
const MOST = 0.009;
const LEAST = 0.002;
/** A smaller deviation is always allowed. */
const ALLOWED = 0.01;
/** Equivalent number of equally large ZIP codes, as a share of a metro's real number */
const METRO_SHARE = 0.7;
