/** Rate limits that all processes of a machine count together, without Redis. */
import { hash } from 'node:crypto';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { POLICIES, type PolicyName } from '../contract/limits.ts';
import { memoryLimiter, standingAt, type Limiter, type Standing } from '../metering/limiter.ts';
import { now, openCountLog, type Addition, type CountLog } from './count-log.ts';

/**
 * A process without requests reads the counts of the others at this interval, so that it never has to read
 * many.
 */
const CATCH_UP_MS = 250;
/** In memory. On a disk, a write might have to wait for those of the database. */
const SHARED_MEMORY = '/dev/shm';

/** Creates the folder for the counts. The primary process or else the last worker deletes it. */
export function createLimitsFolder(): string {
  const folder = mkdtempSync(join(isWritable(SHARED_MEMORY) ? SHARED_MEMORY : tmpdir(), PREFIX));
  process.once('exit', () => deleteFolder(folder));
  return folder;
}

const PREFIX = 'territory-limits-';

const deleteFolder = (folder: string) => rmSync(folder, { recursive: true, force: true });

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

const IPV4 = /^[\d.]{7,15}$/;
const CODES = new Map(
  Object.keys(POLICIES).map((policy, i) => [policy as PolicyName, String.fromCharCode(i)]),
);

/**
 * Returns a key of 16 characters. IPv4 addresses fit as they are; a hash takes as long as counting a
 * request.
 */
const keyOf = (policy: PolicyName, client: string): string =>
  IPV4.test(client)
    ? CODES.get(policy)! + client.padEnd(15)
    : hash('sha256', `${policy} ${client}`, 'binary').slice(0, 16);

interface Request extends Addition {
  policy: PolicyName;
  client: string;
  resolve(standing: Standing | Promise<Standing>): void;
}

/**
 * Counts requests in the folder. Requests that arrive in the same turn of the event loop are counted
 * together. If counting fails, for example because the disk is full, each process counts separately, so
 * that limits still apply.
 */
export function sharedLimiter(folder: string, log: Logger): Limiter {
  let counts: CountLog | undefined;
  const own = memoryLimiter();
  let failing = false;
  let batch: Request[] = [];

  /** @returns undefined if it fails */
  function attempt<T>(work: (counts: CountLog) => T): T | undefined {
    try {
      const result = work((counts ??= openCountLog(folder)));
      if (failing) log.info('limits count for all processes again');
      failing = false;
      return result;
    } catch (error) {
      if (!failing) log.error({ err: error, folder }, 'each process counts limits on its own');
      failing = true;
      counts?.close();
      counts = undefined;
      return undefined;
    }
  }

  function flush(): void {
    const requests = batch;
    batch = [];
    const counted = attempt(({ add }) => add(requests));
    const time = now();
    for (const [i, { policy, client, resolve }] of requests.entries()) {
      resolve(counted ? standingAt(policy, counted[i]!, time) : own.count(policy, client));
    }
  }

  const timer = setInterval(() => attempt(({ catchUp }) => catchUp()), CATCH_UP_MS).unref();
  process.once('exit', () => {
    if (!process.connected) deleteFolder(folder); // the primary process has been killed
  });

  return {
    count(policy, client) {
      const key = keyOf(policy, client);
      const known = counts?.known(key);
      if (known && known.count > POLICIES[policy].quota) {
        const time = now();
        // Refused requests don't have to be counted.
        if (time < known.end) return Promise.resolve(standingAt(policy, known, time));
      }
      const windowMs = POLICIES[policy].windowSeconds * 1000;
      return new Promise((resolve) => {
        if (batch.push({ policy, client, key, windowMs, resolve }) === 1) setImmediate(flush);
      });
    },
    async close() {
      clearInterval(timer);
      counts?.close();
      counts = undefined;
    },
  };
}
