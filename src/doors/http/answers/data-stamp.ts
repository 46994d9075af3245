/** Remembers the current version of the data for caches of answers. */
import { setTimeout as delay } from 'node:timers/promises';
import type { DataAt } from '../../../base/db/imported-data.ts';

export interface DataSource {
  /** Identifies the version of the data. Every change of the data results in a new stamp. */
  stamp(): Promise<string>;
  /** Returns reads of that version. Default: no reads, for answers that only contain versions */
  at?(stamp: string): DataAt;
  /** How long the stamp is remembered, which delays the visibility of an import. Default: 5 seconds */
  stampMs?: number;
}

interface DataStamp {
  /** The stamp, if it was read recently */
  fresh(): string | undefined;
  /**
   * Reads the stamp. If that is slow or fails, returns the last stamp while the read continues in the
   * background.
   */
  current(): Promise<string>;
  /** Like `current`, but its read starts after the call. */
  latest(): Promise<string>;
  /** Reads the stamp after the call. @throws Error if that fails */
  newest(): Promise<string>;
}

const STAMP_MS = 5_000;
/** If the database takes longer, cached answers don't wait for it. */
const PATIENCE_MS = 50;
/** Retry interval after a failure */
const RETRY_MS = 1_000;

export function rememberStamp({ stamp, stampMs = STAMP_MS }: DataSource): DataStamp {
  let known: string | undefined;
  let freshUntil = 0;
  let reading: Promise<string> | undefined;
  /** The read that follows the running one */
  let next: Promise<string> | undefined;
  /** The running read, or the known stamp if the read takes too long */
  let soon: Promise<string> | undefined;

  async function load(): Promise<string> {
    try {
      known = await stamp();
      freshUntil = performance.now() + stampMs;
      return known;
    } catch (error) {
      freshUntil = performance.now() + Math.min(stampMs, RETRY_MS);
      throw error;
    } finally {
      reading = undefined;
    }
  }

  function read(): Promise<string> {
    if (!reading) {
      reading = load();
      soon = patiently(reading);
      // Waiting callers get the error. If there are none, it must not end the process.
      soon.catch(() => {});
    }
    return reading;
  }

  /** All calls during a read share the next read. */
  function readAfterNow(): Promise<string> {
    if (!reading) return read();
    next ??= reading
      .catch(() => {})
      .then(() => {
        next = undefined;
        return read();
      });
    return next;
  }

  /** While the database is silent or unreachable, cached answers are the best ones available. */
  function patiently(stampRead: Promise<string>): Promise<string> {
    if (known === undefined) return stampRead;
    const last = known;
    return Promise.race([stampRead, delay(PATIENCE_MS, last, { ref: false })]).catch(() => last);
  }

  return {
    fresh: () => (performance.now() < freshUntil ? known : undefined),
    current() {
      void read().catch(() => {});
      return soon!;
    },
    latest: () => patiently(readAfterNow()),
    newest: readAfterNow,
  };
}
