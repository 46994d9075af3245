/** Keeps a server that doesn't respond from holding up those who ask for it. */

/** Failures in a row after which nothing is asked for a while */
const FAILURES = 3;
const PAUSE_MS = 30_000;
/** Further requests are refused. A server that answers in 0.2 s still answers 40 in a second. */
const MAX_RUNNING = 8;

export interface Breaker {
  /** Runs `work`. @throws BreakerOpen without running it, while the server is down or busy */
  run<T>(work: () => Promise<T>): Promise<T>;
}

export class BreakerOpen extends Error {
  override name = 'BreakerOpen';
}

/**
 * @param isFailure whether an error means that the server is down
 * @param onChange is called when the server goes down, with the last error, and when it's back
 */
export function breaker(
  isFailure: (error: unknown) => boolean,
  onChange: (down: unknown) => void,
  now: () => number = Date.now,
): Breaker {
  let failures = 0;
  let running = 0;
  let pausedUntil = 0;
  const isDown = () => failures >= FAILURES;

  function succeeded(): void {
    if (isDown()) onChange(undefined);
    failures = 0;
  }
  function failed(error: unknown): void {
    failures++;
    if (failures === FAILURES) onChange(error);
    if (isDown()) pausedUntil = now() + PAUSE_MS;
  }

  return {
    async run(work) {
      if (isDown()) {
        if (now() < pausedUntil) throw new BreakerOpen('it did not respond recently');
        // This request finds out. Others wait for its result rather than for the server.
        pausedUntil = now() + PAUSE_MS;
      }
      if (running >= MAX_RUNNING) throw new BreakerOpen('too many requests are running');
      running++;
      try {
        const result = await work();
        succeeded();
        return result;
      } catch (error) {
        if (isFailure(error)) failed(error);
        else succeeded();
        throw error;
      } finally {
        running--;
      }
    },
  };
}
