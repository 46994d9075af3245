/** Reports the progress of long tasks: the current stage, and how much of it is done. */
export interface Progress {
  /** `total` is 0 if unknown. */
  (stage: string, done: number, total: number): void;
}

export const silent: Progress = () => {};
