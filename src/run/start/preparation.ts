/** Prepares the database when the service starts, and later loads what the first requests need. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import { connectionProblem } from '../../base/db/connection-problem.ts';
import { openDatabase, type Database, type DatabaseSettings } from '../../base/db/database.ts';
import { isNew } from '../../base/db/embedded.ts';
import { withLease } from '../../base/db/lease.ts';
import type { Demo } from '../../territories/demo/demo.ts';
import { ServiceError } from '../../errors.ts';
import { hasCoast } from '../../data/ingest/coast/has-coast.ts';
import type { Progress } from '../../data/ingest/progress.ts';
import { collectGarbage } from '../../base/workers/collect-garbage.ts';
import { compiledModule } from '../../base/workers/compiled-module.ts';
import { bringUpToDate, isEmpty, wantsDemo, wantsSample } from './prepare.ts';
import { startProgress, type StartProgress } from '../../base/observe/start-progress.ts';
import { readDatasets, type DatasetName } from '../../base/db/datasets.ts';

const PREPARE_RETRY_MS = 2_000;

export interface Prepared {
  /** Whether the demo organization exists */
  demo: boolean;
  /** The demo organization, if this process created it */
  made: Demo | null;
}

/** The database can't be used. The process serves without it and retries. */
interface Unprepared {
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
 * Fits the coast in a database of an earlier version, in a thread, because that takes long.
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
    const thread = new Worker(compiledModule('data/ingest/coast/fit-thread.ts'), {
      workerData: settings,
      // With the default of 16 MB, fitting takes an eighth longer.
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
const demoIn = async (db: Database) =>
  (await import('../../territories/demo/demo.ts')).makeDemo(db);

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
    const child = fork(compiledModule('run/admin.ts'), ['sample'], {
      signal: this.#stopping,
      // Less garbage in each thread: the sample fits beside the service and its database in 1 GB.
      execArgv: ['--max-old-space-size=256', '--max-semi-space-size=4'],
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

/** The first requests after a start take precedence over what takes seconds. */
const DELAY_MS = 3_000;

/** Loads data in the background. A failure only means that the first request waits. */
export function warmUpSoon(db: Database, log: Logger): void {
  const start = (load: typeof warmUp) =>
    load(db).catch((error: unknown) =>
      log.info({ err: error }, 'not all data is ready; the first request that needs it reads it'),
    );
  void start(warmUpPages);
  setTimeout(async () => {
    await start(warmUp);
    // A fifth of the memory is garbage of the start.
    setTimeout(collectGarbage, DELAY_MS).unref();
  }, DELAY_MS).unref();
}

/** Loads the figures of all public pages. A visitor’s first page is usually one of them. */
export async function warmUpPages(db: Database): Promise<void> {
  const { publicData, publicStudy } = await import('../../doors/site/public-study.ts');
  await loadPresent(db, [['scores', () => publicData(db).read((at) => publicStudy(db, at))]]);
}

/**
 * Loads data that the first requests would wait for, for many seconds on a busy machine: the ranked signals and the
 * borders of the country, for comparisons and measures of territories, and the places for the search.
 */
export async function warmUp(db: Database): Promise<void> {
  const { nationalSignals } = await import('../../data/scoring/national-signals.ts');
  const { nationalBorders } = await import('../../territories/brands/shape/national-borders.ts');
  const { placeSearch } = await import('../../data/market/search/search.ts');
  await loadPresent(db, [
    ['demographics', () => nationalSignals(db)],
    ['boundaries', () => nationalBorders(db)],
    ['boundaries', () => placeSearch(db).load()],
  ]);
}

/** Runs the loads whose dataset is there. The database of a new service has none. */
async function loadPresent(
  db: Database,
  loads: readonly (readonly [DatasetName, () => Promise<unknown>])[],
): Promise<void> {
  const present = await readDatasets(db);
  const failures: unknown[] = [];
  for (const [dataset, load] of loads) {
    if (!present.has(dataset)) continue;
    await load().catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}
