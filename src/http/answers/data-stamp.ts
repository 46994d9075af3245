/** Remembers which version of the data is current, for caches of answers. */
import { setTimeout as delay } from 'node:timers/promises';
import type { DataAt } from '../../db/imported-data.ts';

export interface DataSource {
  /** Identifies the version of the data. Every change of the data makes a new one. */
  stamp(): Promise<string>;
  /** Returns reads of that version. Default: answers that only name versions read nothing else */
  at?(stamp: string): DataAt;
  /** How long the stamp is remembered: an import shows that much later. Default: 5 seconds */
  stampMs?: number;
}

export interface DataStamp {
  /** The stamp, if it was read recently */
  fresh(): string | undefined;
  /** Reads the stamp. If that takes long or fails, returns the last one, and reads on in the background. */
  current(): Promise<string>;
  /** Like `current`, but starts to read after the call. */
  latest(): Promise<string>;
  /** Starts to read after the call. @throws Error if that fails */
  newest(): Promise<string>;
}

const STAMP_MS = 5_000;
/** A database that takes longer is slow or silent: then cached answers don't wait for it. */
const PATIENCE_MS = 50;
/** After a failure, asks again sooner. */
const RETRY_MS = 1_000;

export function rememberStamp({ stamp, stampMs = STAMP_MS }: DataSource): DataStamp {
  let known: string | undefined;
  let freshUntil = 0;
  let reading: Promise<string> | undefined;
  /** The read after the running one */
  let next: Promise<string> | undefined;
  /** The running read, or the known stamp once that has taken too long */
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
      // Callers that wait get the error. Without any, it must not end the process.
      soon.catch(() => {});
    }
    return reading;
  }

  /** All calls during a read share the next one. */
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

  /** While the database is silent or unreachable, the cached answers are the best ones known. */
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
