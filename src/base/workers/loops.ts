/** Work that a process repeats in the background, such as sending emails. */

export interface Loop {
  /** Begins the next turn no later than after this time. */
  hurry(ms: number): void;
  /** Stops after the current turn, but waits at most `graceMs` for it. */
  close(graceMs?: number): Promise<void>;
}

interface LoopOptions {
  log: { warn(facts: { err: unknown }, message: string): void };
  /** Logged for the first of consecutive failures */
  failed: string;
  /** Pause after a failed turn. Default: as after others */
  retryMs?: number;
  /** Pause before the first turn. Default: none */
  firstMs?: number;
  /** Ends what the turns have begun. */
  atEnd?: () => Promise<unknown>;
}

const CLOSE_MS = 3_000;

/**
 * Repeats work until it's stopped. A failure only delays the next turn.
 *
 * @param pollMs pause after a turn
 * @param work a turn, which may return another pause. Its signal aborts when the loop stops
 */
export function everyFew(
  pollMs: number,
  work: (signal: AbortSignal) => Promise<number | void>,
  { log, failed, retryMs = pollMs, firstMs = 0, atEnd }: LoopOptions,
): Loop {
  const closing = new AbortController();
  const { signal } = closing;
  let timer: NodeJS.Timeout | undefined;
  let wake = () => {};
  let dueAt = 0;

  function wakeIn(ms: number): void {
    clearTimeout(timer);
    dueAt = performance.now() + ms;
    timer = setTimeout(() => wake(), ms);
  }
  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      wake = resolve;
      if (signal.aborted) resolve();
      else wakeIn(ms);
    });
  }
  async function run(): Promise<void> {
    let isFailing = false;
    if (firstMs > 0) await pause(firstMs);
    while (!signal.aborted) {
      let ms = retryMs;
      try {
        ms = (await work(signal)) ?? pollMs;
        isFailing = false;
      } catch (error) {
        if (!isFailing && !signal.aborted) log.warn({ err: error }, failed);
        isFailing = true;
      }
      await pause(ms);
    }
    await atEnd?.();
  }

  const running = run();
  return {
    hurry(ms) {
      if (dueAt > performance.now() + ms) wakeIn(ms);
    },
    async close(graceMs = CLOSE_MS) {
      closing.abort();
      wake();
      let grace: NodeJS.Timeout | undefined;
      const over = new Promise<void>((resolve) => (grace = setTimeout(resolve, graceMs).unref()));
      await Promise.race([running, over]).finally(() => clearTimeout(grace));
    },
  };
}
