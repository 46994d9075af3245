/** The progress of a start, for the answers of the service until it's ready. */
export interface StartProgress {
  /** The current stage: `Storing boundaries` */
  stage: string;
  /** Share of the stage that is done, in whole percent; null if unknown */
  percent: number | null;
}

/** @param total 0 if unknown */
export const startProgress = (stage: string, done: number, total: number): StartProgress => ({
  stage,
  percent: total > 0 ? Math.min(Math.floor((100 * done) / total), 100) : null,
});
