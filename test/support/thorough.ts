/**
 * CI tries all listed cases, and half of the random runs: each landing tries others. Other runs try a quarter, a
 * different one for each subject.
 */
const inCi = Boolean(process.env['CI']);
const STEP = inCi ? 1 : 4;
const RUN_STEP = inCi ? 2 : 4;

/** Whether all listed cases are tried */
export const triesAll = inCi;

/** Whether the sample is computed again and compared with the files that `npm run sample` wrote: 30 s of CPU */
export const comparesGenerated = inCi;

/** How often a property is tried */
export const runs = (full: number): number => Math.ceil(full / RUN_STEP);

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
