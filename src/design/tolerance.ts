/**
 * Deviation that is aimed at if the caller names none: 0.6% with 30 ZIP codes per territory, 2.8% with ten.
 * The more ZIP codes a territory has, the more ways there are to make its sum, and the less a small
 * deviation lengthens borders. On the launched metros, METIS's best of 60 runs deviates about twice as much.
 */
export function defaultTolerance(zipsPerTerritory: number): number {
  const ratio = 30 / zipsPerTerritory;
  if (ratio > 3) return MOST * (ratio / 3) ** 1.5;
  return Math.min(MOST, Math.max(LEAST, 0.006 * ratio ** (ratio > 1 ? 1.8 : 1.4)));
}

const MOST = 0.028;
const LEAST = 0.0005;
