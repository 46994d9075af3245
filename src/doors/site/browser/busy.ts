/** Requests to a busy service. Pure. */

/** Waits before what it refused is requested again */
export const RETRIES_MS = [1000, 4000, 12_000] as const;

/** Whether it refused a request because it is busy */
export const isBusy = (status?: number) => status === 429 || status === 503;
