/** Closes connections whose clients don't read the data that was sent. */
import type { Socket } from 'node:net';

export interface ReadingPace {
  /** Time to start reading, in milliseconds */
  graceMs: number;
  /** Minimum pace after that. Even a phone on a poor network reads faster. */
  bytesPerSecond: number;
  checkMs: number;
}

const READING_PACE: ReadingPace = { graceMs: 30_000, bytesPerSecond: 8 * 1024, checkMs: 2_000 };

/** Progress of a client since data started waiting for it */
interface Waiting {
  since: number;
  bytesRead: number;
  /** Bytes of finished writes, and bytes of the current one that the system hasn't accepted yet */
  written: number;
  queued: number;
}

/**
 * Watches open sockets. A response may be large or take long to make, so time counts only while data is
 * waiting, and reading earns more time.
 */
export class SlowReaders {
  readonly #pace: ReadingPace;
  readonly #sockets = new Map<Socket, Waiting | null>();
  readonly #timer: NodeJS.Timeout;

  constructor(pace: ReadingPace = READING_PACE) {
    this.#pace = pace;
    this.#timer = setInterval(() => this.#closeSlow(), pace.checkMs).unref();
  }

  watch(socket: Socket): void {
    this.#sockets.set(socket, null);
    socket.once('close', () => this.#sockets.delete(socket));
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #closeSlow(): void {
    const { graceMs, bytesPerSecond } = this.#pace;
    const now = performance.now();
    for (const [socket, waiting] of this.#sockets) {
      if (socket.writableLength === 0) {
        if (waiting) this.#sockets.set(socket, null);
        continue;
      }
      const [written, queued] = [socket.bytesWritten - socket.writableLength, queuedIn(socket)];
      if (!waiting) {
        this.#sockets.set(socket, { since: now, bytesRead: 0, written, queued });
        continue;
      }
      // Some bytes count twice when their write finishes. That only gives a client more time.
      waiting.bytesRead += written - waiting.written + Math.max(0, waiting.queued - queued);
      Object.assign(waiting, { written, queued });
      const earnedMs = (1000 * waiting.bytesRead) / bytesPerSecond;
      if (now - waiting.since > graceMs + earnedMs) socket.destroy();
    }
  }
}

/**
 * Node's streams count a write only when all of it has been sent. A response may be a single write, so its
 * progress is visible only in this property, which Node's own timeouts use too.
 */
const queuedIn = (socket: Socket): number =>
  // oxlint-disable-next-line no-underscore-dangle
  (socket as { _handle?: { writeQueueSize?: number } | null })._handle?.writeQueueSize ?? 0;
