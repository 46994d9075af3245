/** Failures of pool workers, as opposed to failures of their jobs. */

/** The worker ended before it answered. The pool retries the job once, with another worker. */
export class LostWorkerError extends Error {
  override name = 'LostWorkerError';
  /** A clause such as `its process ended with SIGKILL` */
  readonly how: string;

  constructor(how: string) {
    super(`The worker was lost: ${how}`);
    this.how = how;
  }
}

/** The pool can't run the job now. The same job may succeed later. */
export class UnavailableError extends Error {
  override name = 'UnavailableError';
}

/** Two workers ended during the same job, so it is not retried again. */
export class CrashError extends Error {
  override name = 'CrashError';

  /** @param what names the job and what to do */
  constructor(what: string, last: LostWorkerError) {
    super(`${what} Cause: ${last.how}`, { cause: last });
  }
}
