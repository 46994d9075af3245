/** Prepares the database when the service starts. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { connectionProblem } from '../db/connection-problem.ts';
import { openDatabase, type Database, type DatabaseSettings } from '../db/database.ts';
import { isNew } from '../db/embedded.ts';
import { withLease } from '../db/lease.ts';
import type { Demo } from '../demo/demo.ts';
import { ServiceError } from '../errors.ts';
import { hasCoast } from '../ingest/coast/has-coast.ts';
import type { Progress } from '../ingest/progress.ts';
import { compiledModule } from '../geodata/project-files.ts';
import { bringUpToDate, isEmpty, wantsDemo, wantsSample } from './prepare.ts';
import { startProgress, type StartProgress } from './progress.ts';

const PREPARE_RETRY_MS = 2_000;

export interface Prepared {
  /** Whether the demo organization exists */
  demo: boolean;
  /** The demo organization, if this process created it */
  made: Demo | null;
}

/** The database can't be used. The process serves without it and retries. */
export interface Unprepared {
  /** Explanation for operators, with a remedy */
  reason: string;
}

/**
 * @param show receives the progress
 * @param stopping aborts the preparation
 */
export function prepare(
  config: Config,
  show: (progress: StartProgress) => void,
  stopping: AbortSignal,
): Promise<Prepared | Unprepared> {
  if (config.databaseUrl === undefined) {
    process.stdout.write(`Opening the embedded database in ${config.dataDir}\n`);
  }
  return tryToPrepare(config, show, stopping);
}

async function tryToPrepare(
  config: Config,
  show: (progress: StartProgress) => void,
  stopping: AbortSignal,
): Promise<Prepared | Unprepared> {
  const sample = new SampleCommand(show, stopping);
  const { databaseUrl, dataDir } = config;
  if (databaseUrl === undefined && isNew(dataDir) && wantsSample(config)) sample.start();
  try {
    return await prepareWith(config, show, sample, stopping);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status !== 503) throw error;
    const { detail, fix } = connectionProblem(error, config);
    return { reason: [detail, fix ?? ''].join('. ').trim() };
  } finally {
    sample.stop();
  }
}

async function prepareWith(
  config: Config,
  show: (progress: StartProgress) => void,
  sample: SampleCommand,
  stopping: AbortSignal,
): Promise<Prepared> {
  // Migrations may take longer than requests.
  const db = await openDatabase({ ...config, databasePoolSize: 1 });
  try {
    await bringUpToDate(db);
    const first = wantsSample(config) ? await fillOnce(db, show, sample, stopping) : null;
    const demo = await wantsDemo(db, config);
    return { demo, made: first ?? (demo ? await demoIn(db) : null) };
  } finally {
    await db.close();
  }
}

/**
 * Fits the coast in a database of an earlier version, in a thread, because that takes 37 s of CPU.
 * Meanwhile, maps show water as imported. If the process stops before the end, the next start fits the
 * coast. If several processes start at the same time, one fits it and the others wait.
 */
export async function fitCoastOnce(
  db: Database,
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  log: Logger,
  stopping: AbortSignal,
): Promise<void> {
  const settings: DatabaseSettings = { databaseUrl, dataDir, databasePoolSize: 1 };
  const fit = async () => {
    if (await hasCoast(db)) return;
    log.info('fitting water to the shores of the states');
    const thread = new Worker(compiledModule('ingest/coast/fit-thread.ts'), {
      workerData: settings,
      // With the default of 16 MB, fitting takes 42 s of CPU instead of 37 s.
      resourceLimits: { maxYoungGenerationSizeMb: 128 },
    });
    thread.unref();
    await once(thread, 'exit'); // rethrows the thread's error
    log.info('water fitted to the shores of the states');
  };
  try {
    if (!(await hasCoast(db))) await withLease(db, 'coast', { stopping }, fit);
  } catch (error) {
    if (stopping.aborted) return;
    log.error({ err: error }, 'water can’t be fitted to the shores; next try at start');
  }
}

/** Loaded on demand, because it needs most of the code. */
const demoIn = async (db: Database) => (await import('../demo/demo.ts')).makeDemo(db);

/**
 * Fills an empty database with the sample data and the demo organization. If several processes start at the
 * same time, one fills the database and the others wait.
 * @returns the demo organization, if this process created it
 */
async function fillOnce(
  db: Database,
  show: (progress: StartProgress) => void,
  sample: SampleCommand,
  stopping: AbortSignal,
): Promise<Demo | null> {
  if (!(await isEmpty(db))) return null;
  const onWait = () =>
    show(startProgress('Waiting for another process, which prepares the sample data', 0, 0));
  return withLease(db, 'sample', { stopping, onWait }, async () => {
    // The previous holder of the lease has filled it, unless that failed.
    if (!(await isEmpty(db))) return null;
    await sample.fill();
    return demoIn(db);
  });
}

interface RunningSample {
  child: ChildProcess;
  /** Resolves to its exit code and signal */
  ended: Promise<unknown[]>;
}

/** Fills the database in a child process, whose memory is freed when it ends. */
class SampleCommand {
  readonly #show: (progress: StartProgress) => void;
  readonly #stopping: AbortSignal;
  #running: RunningSample | undefined;

  constructor(show: (progress: StartProgress) => void, stopping: AbortSignal) {
    this.#show = show;
    this.#stopping = stopping;
  }

  /** Starts generating the sample data. This doesn't need the database yet. */
  start(): RunningSample {
    process.stdout.write('Preparing national sample data (first start only).\n');
    const child = fork(compiledModule('cli/admin.ts'), ['sample'], {
      signal: this.#stopping,
    });
    child.on('message', (progress) => {
      this.#show(startProgress(...(progress as Parameters<Progress>)));
    });
    const ended = once(child, 'exit');
    ended.catch(() => {}); // only `fill` waits for it
    return (this.#running = { child, ended });
  }

  async fill(): Promise<void> {
    const { child, ended } = this.#running ?? this.start();
    child.send('fill', () => {}); // one that has ended fails below
    const [code] = await ended;
    if (code !== 0) throw new Error('territory-admin sample failed');
  }

  /** Ends the child process if it's still running. */
  stop(): void {
    this.#running?.child.kill();
  }
}

/**
 * Retries until the database can be used. Logs the reason once, and again if it changes.
 * @param first the result of the first attempt
 * @returns null if the service stops first
 */
export async function retryToPrepare(
  first: Prepared | Unprepared,
  config: Config,
  log: Logger,
  stopping: AbortSignal,
): Promise<Prepared | null> {
  let result = first;
  let logged: string | undefined;
  while ('reason' in result) {
    const { reason } = result;
    if (reason !== logged) {
      log.error({ reason }, 'the database can’t be reached; retrying while serving without it');
    }
    logged = reason;
    await delay(PREPARE_RETRY_MS, undefined, { signal: stopping }).catch(() => {});
    if (stopping.aborted) return null;
    result = await tryToPrepare(config, () => {}, stopping);
  }
  if (result !== first) log.info('database reachable');
  return result;
}
