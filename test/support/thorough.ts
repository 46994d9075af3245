/**
 * CI tries all generated cases and random runs. Other runs try a quarter of them, a different one for each
 * subject.
 */
const STEP = process.env['CI'] ? 1 : 4;

/** Whether all of them are tried */
export const triesAll = STEP === 1;

/** Whether the sample is computed again and compared with the files that `npm run sample` wrote: 30 s of CPU */
export const comparesGenerated = triesAll;

/** How often a property is tried */
export const runs = (full: number): number => Math.ceil(full / STEP);

/** The selection for a subject changes with the seed, or else every day, so over time it gets all cases. */
let subjects = Number(process.env['TEST_SEED'] ?? Math.floor(Date.now() / 86_400_000));

/**
 * Returns the cases to try with one subject: at least one.
 * @param share of the cases to try with each subject in CI
 */
export function casesOf<T>(all: readonly T[], share = 1): readonly T[] {
  const step = Math.round(STEP / share);
  const first = all.length < step ? 0 : subjects++ % step;
  return all.filter((_, i) => i % step === first);
}
