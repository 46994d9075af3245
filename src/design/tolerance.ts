/**
 * Deviation that is aimed at if the caller names none. The more ZIP codes a territory has, the more ways
 * there are to make its sum, and the less a small deviation lengthens borders: below these values, borders
 * of the launched metros become more than a few percent longer.
 */
export const defaultTolerance = (zipsPerTerritory: number): number =>
  Math.min(0.028, Math.max(0.0005, 0.006 * (30 / zipsPerTerritory) ** 1.5));
