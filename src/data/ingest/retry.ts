/** Repeats requests after temporary failures. */
import { setTimeout as delay } from 'node:timers/promises';

/** A failure that may not happen again, such as a busy server. */
export class TemporaryFailure extends Error {
  /** Pause that the server requested */
  readonly retryAfterMs: number;

  /** @param problem end of a sentence whose subject is the server, such as `returned status 503` */
  constructor(problem: string, options: { cause?: unknown; retryAfterMs?: number } = {}) {
    super(problem, { cause: options.cause });
    this.retryAfterMs = options.retryAfterMs ?? 0;
  }
}

export interface Retries {
  tries: number;
  /** Pause before the second attempt; doubles with each further attempt */
  pauseMs: number;
}

export const RETRIES: Retries = { tries: 4, pauseMs: 2_000 };

/** Limit for servers that request hours. */
const MAX_PAUSE_MS = 60_000;

/**
 * Calls `attempt` until it doesn't throw a `TemporaryFailure`.
 * @throws the last `TemporaryFailure`, or any other error of `attempt` at once
 */
export async function retrying<T>(
  attempt: () => Promise<T>,
  { tries, pauseMs }: Retries = RETRIES,
): Promise<T> {
  for (let failures = 1; ; failures++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof TemporaryFailure) || failures >= tries) throw error;
      const pause = Math.max(error.retryAfterMs, pauseMs * 2 ** (failures - 1));
      await delay(Math.min(pause, MAX_PAUSE_MS));
    }
  }
}

/** Whether a status may change soon: too many requests, or a server error. */
export const isTemporaryStatus = (status: number): boolean => status === 429 || status >= 500;
