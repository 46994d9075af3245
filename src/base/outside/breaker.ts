/**
 * While a server doesn't respond, fails requests to it at once, so that callers don't wait for its timeout.
 * The library opossum pauses on a share of failures within seconds. This service sends a few requests an hour, so it
 * counts consecutive failures.
 */

/** Consecutive failures after which requests pause */
const FAILURES = 3;
const PAUSE_MS = 30_000;
/** Concurrent requests; more are refused. At 0.2 s each, a server still answers 40 per second. */
const MAX_RUNNING = 8;

interface Breaker {
  /** Runs `work`. @throws BreakerOpen, without running it, while the server is down or busy */
  run<T>(work: () => Promise<T>): Promise<T>;
}

export class BreakerOpen extends Error {
  override name = 'BreakerOpen';
}

/**
 * @param isFailure whether an error means that the server is down
 * @param onChange called with the last error when the server goes down, and without one when it recovers
 */
export function breaker(
  isFailure: (error: unknown) => boolean,
  onChange: (down: unknown) => void,
): Breaker {
  let failures = 0;
  let running = 0;
  let pausedUntil = 0;
  const isDown = () => failures >= FAILURES;

  function recordSuccess(): void {
    if (isDown()) onChange(undefined);
    failures = 0;
  }
  function recordFailure(error: unknown): void {
    failures++;
    if (failures === FAILURES) onChange(error);
    if (isDown()) pausedUntil = Date.now() + PAUSE_MS;
  }

  return {
    async run(work) {
      if (isDown()) {
        if (Date.now() < pausedUntil) throw new BreakerOpen('it did not respond recently');
        // This request tests the server. Until it ends, all others are refused.
        pausedUntil = Date.now() + PAUSE_MS;
      }
      if (running >= MAX_RUNNING) throw new BreakerOpen('too many requests are running');
      running++;
      try {
        const result = await work();
        recordSuccess();
        return result;
      } catch (error) {
        if (isFailure(error)) recordFailure(error);
        else recordSuccess();
        throw error;
      } finally {
        running--;
      }
    },
  };
}
