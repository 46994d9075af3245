/** A time limit for the reading of a file, in which the time that the client takes to send it doesn't count. */
import { badRequest } from '../../errors.ts';

/** Longest wait for the next piece */
const STALL_MS = 20_000;
/** Slower clients would hold up other files. */
const MIN_BYTES_PER_MS = 64;
/** Waiting time that every client may take in addition */
const GRACE_MS = 30_000;

/** Waits for a piece of the file. @returns undefined if the client sends nothing for too long */
export async function arrival<T>(piece: Promise<T>): Promise<T | undefined> {
  let stall: NodeJS.Timeout | undefined;
  const stalled = new Promise<undefined>((resolve) => {
    stall = setTimeout(resolve, STALL_MS, undefined);
  });
  return Promise.race([piece, stalled]).finally(() => clearTimeout(stall));
}

export const arrivesTooSlowly = () =>
  badRequest(
    'The file arrives too slowly, or not at all. Check the connection, then send it again.',
  );

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
    try {
      const arrived = await arrival(piece);
      this.#waitedMs += performance.now() - waitingSince;
      const isSlow = this.#waitedMs > GRACE_MS + bytes / MIN_BYTES_PER_MS;
      return isSlow ? undefined : arrived;
    } finally {
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
