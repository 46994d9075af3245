/** Prepares the database when the service starts. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { openDatabase } from './db/database.ts';
import { makeDemo, type Demo } from './demo/demo.ts';
import { ServiceError } from './errors.ts';
import { compiledModule } from './paths.ts';
import { bringUpToDate, isEmpty, wantsDemo, wantsSample } from './prepare.ts';

const PREPARE_RETRY_MS = 2_000;
/** With the default of 16 MB, garbage collection takes a fifth of the time to build the sample. */
const LARGE_YOUNG_GENERATION = '--max-semi-space-size=64';

export interface Prepared {
  /** Whether the demo organization exists */
  demo: boolean;
  /** The demo organization, if this process made it */
  made: Demo | null;
}

/** @returns null if the database is unreachable; the process serves without it and tries again */
export async function prepare(config: Config): Promise<Prepared | null> {
  // Migrations take longer than a request may.
  const db = await openDatabase({ ...config, databasePoolSize: 1 });
  try {
    await bringUpToDate(db);
    if (wantsSample(config) && (await isEmpty(db))) {
      process.stdout.write('Preparing national sample data (first start only).\n');
      await runAdmin('sample');
    }
    const demo = await wantsDemo(db, config);
    return { demo, made: demo ? await makeDemo(db) : null };
  } catch (error) {
    if (error instanceof ServiceError && error.status === 503) return null;
    throw error;
  } finally {
    await db.close();
  }
}

/** Runs a command in a child process, whose memory is freed when it ends. */
async function runAdmin(command: string): Promise<void> {
  const args = [LARGE_YOUNG_GENERATION, compiledModule('cli/admin.ts'), command];
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`territory-admin ${command} failed`);
}

/** Tries again until the database can be reached. @returns null if the service stops first */
export async function prepareLater(
  config: Config,
  log: Logger,
  stopping: AbortSignal,
): Promise<Prepared | null> {
  log.error('the database can’t be reached; retrying while serving without it');
  while (!stopping.aborted) {
    await delay(PREPARE_RETRY_MS, undefined, { signal: stopping }).catch(() => {});
    const prepared = stopping.aborted ? null : await prepare(config);
    if (!prepared) continue;
    log.info('database reachable');
    return prepared;
  }
  return null;
}
