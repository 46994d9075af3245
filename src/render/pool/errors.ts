/** How work in a pool fails for reasons that lie in the pool, not in the work. */

/** The worker ended before it answered. The pool gives the work to another worker, once. */
export class LostWorkerError extends Error {
  override name = 'LostWorkerError';
  /** A clause such as `its process ended with SIGKILL` */
  readonly how: string;

  constructor(how: string) {
    super(`The worker was lost: ${how}`);
    this.how = how;
  }
}

/** Two workers ended over the same work: a third is not risked. */
export class CrashError extends Error {
  override name = 'CrashError';

  constructor(last: LostWorkerError) {
    super(`The picture cannot be drawn: two workers ended over it. Of the last one, ${last.how}`, {
      cause: last,
    });
  }
}
