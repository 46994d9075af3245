/** Classes of changes on maps: what is within the margin of error has a class of its own. Pure; pages import it, too. */

/** From the strongest decline to the strongest growth, in the order of legends */
export const CHANGE_CLASSES = ['fellMost', 'fell', 'unclear', 'grew', 'grewMost'] as const;
export type ChangeClass = (typeof CHANGE_CLASSES)[number];

/** Returns the class of a change. @param strongFrom size from which a clear change is a strong one */
export function changeClass(change: number, isClear: boolean, strongFrom: number): ChangeClass {
  if (!isClear) return 'unclear';
  const isStrong = Math.abs(change) >= strongFrom;
  if (change < 0) return isStrong ? 'fellMost' : 'fell';
  return isStrong ? 'grewMost' : 'grew';
}

/**
 * Returns the size that divides clear changes into weak and strong ones: their median, rounded to a number that is easy
 * to read; 1 without any.
 */
export function strongChange(clearChanges: Iterable<number>): number {
  const sizes = Float64Array.from(clearChanges, Math.abs).sort();
  const median = sizes[sizes.length >> 1];
  if (median === undefined) return 1;
  return median >= 2 ? Math.round(median) : Math.max(0.1, Math.round(10 * median) / 10);
}
