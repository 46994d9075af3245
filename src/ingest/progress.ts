/** Tells how far long work is: what is being done, and how much of how much. */
export interface Progress {
  /** `total` is 0 where nobody can tell how much there is to do. */
  (stage: string, done: number, total: number): void;
}

export const silent: Progress = () => {};
