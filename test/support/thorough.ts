/**
 * CI tries every generated case and makes the full number of random runs. Other runs try a quarter, a
 * different one for each subject.
 */
const STEP = process.env['CI'] ? 1 : 4;

/** How often a property is tried */
export const runs = (full: number): number => Math.ceil(full / STEP);

let subjects = 0;

/** Returns the cases to try of a subject, at least one. */
export function casesOf<T>(all: readonly T[]): readonly T[] {
  const first = all.length < STEP ? 0 : subjects++ % STEP;
  return all.filter((_, i) => i % STEP === first);
}
