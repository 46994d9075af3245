/** A time limit for the reading of a file, in which the time that the client takes to send it doesn't count. */

/** Longest wait for the next piece */
const STALL_MS = 20_000;
/** Slower clients would keep others waiting. The time before this doesn't count. */
const MIN_BYTES_PER_MS = 64;
const GRACE_MS = 30_000;

export class ReadingTime {
  readonly #end: () => void;
  #leftMs: number;
  #startedAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #waitedMs = 0;

  /** @param end called when the time is over */
  constructor(ms: number, end: () => void) {
    this.#leftMs = ms;
    this.#end = end;
    this.#start();
  }

  /**
   * Waits for the client.
   * @param bytes number of bytes that it has sent
   * @returns undefined if it stopped sending, or sends too slowly
   */
  async waitFor<T>(piece: Promise<T>, bytes: number): Promise<T | undefined> {
    this.stop();
    this.#leftMs -= performance.now() - this.#startedAt;
    const waitingSince = performance.now();
    let stall: NodeJS.Timeout | undefined;
    const stalled = new Promise<undefined>((resolve) => {
      stall = setTimeout(resolve, STALL_MS, undefined);
    });
    try {
      const arrived = await Promise.race([piece, stalled]);
      this.#waitedMs += performance.now() - waitingSince;
      const isSlow = this.#waitedMs > GRACE_MS + bytes / MIN_BYTES_PER_MS;
      return isSlow ? undefined : arrived;
    } finally {
      clearTimeout(stall);
      this.#start();
    }
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #start(): void {
    this.#startedAt = performance.now();
    this.#timer = setTimeout(this.#end, this.#leftMs);
  }
}
