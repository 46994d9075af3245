/**
 * The process that starts the workers. It prepares the database and collects metrics for them, but answers
 * no requests.
 */
import type { Config } from '../../config.ts';
import { memoryShares } from '../../base/workers/memory.ts';
import { openDatabase } from '../../base/db/database.ts';
import { createLog } from '../../base/observe/log.ts';
import { openClusterMetrics } from './metrics.ts';
import { fitCoastOnce, prepare, retryToPrepare } from './preparation.ts';
import { readReplicaOf } from './servers.ts';
import { encryptAllStored } from './stored-secrets.ts';
import { welcome } from './welcome.ts';
import { startProgress } from '../../base/observe/start-progress.ts';
import { tellWorkers, onServing } from './worker-messages.ts';
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';

/** A worker stops within SHUTDOWN_SECONDS. After this additional time, it's considered stuck. */
const EXTRA_MS = 1_000;

export async function startPrimary(config: Config): Promise<void> {
  const log = createLog(config.logLevel);
  log.info(memoryShares(), 'memory of the service and its parts, in megabytes');
  const stopping = new AbortController();
  let workers: Workers | undefined;
  const stop = async (signal: string) => {
    if (stopping.signal.aborted) return;
    stopping.abort();
    log.info({ signal }, 'stopping all processes');
    await workers?.stop(config.shutdownSeconds * 1000 + EXTRA_MS);
    log.info('stopped all processes');
    process.exit(0);
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);

  const tell = tellWorkers(startProgress('Opening the database', 0, 0));
  workers = startWorkers(config.webConcurrency, log);
  const preparing = prepare(config, tell, stopping.signal).finally(() => tell(null));
  const [port, prepared] = await Promise.all([workers.serving, preparing]).catch((error) => {
    if (!stopping.signal.aborted) throw error;
    return new Promise<never>(() => {}); // `stop` ends the process
  });
  const replica = readReplicaOf(config, log);
  const db = await openDatabase({ ...config, databasePoolSize: 1 }, { replica });
  await openClusterMetrics(config, db, log);
  const ready = await retryToPrepare(prepared, config, log, stopping.signal);
  if (!ready) return;
  await encryptAllStored(db, config, log);
  await welcome(db, config, port, ready, log);
  await fitCoastOnce(db, config, log, stopping.signal);
}

interface Workers {
  /**
   * Resolves to the port when the first worker serves requests. @throws Error if a worker ends before that
   */
  serving: Promise<number>;
  /** Asks all workers to stop, and kills those that still run after `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

/** Pause before a worker is replaced. It doubles while workers end soon after their start. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;
/** A worker that ran for this long was healthy. */
const HEALTHY_MS = 30_000;

/** Keeps a number of worker processes running, and stops them together. */
function startWorkers(count: number, log: Logger): Workers {
  let stopping = false;
  let pauseMs = FIRST_PAUSE_MS;
  let port = 0;
  cluster.once('listening', (_worker, address) => (port = address.port));
  let announce!: (port: number) => void;
  let refuse!: (error: Error) => void;
  const serving = new Promise<number>((resolve, reject) => {
    announce = resolve;
    refuse = reject;
  });

  function start(): void {
    const worker = cluster.fork();
    const startedAt = performance.now();
    let served = false;
    onServing(worker, () => {
      served = true;
      announce(port);
    });
    worker.once('exit', (code: number | null, signal: string | null) => {
      if (stopping) return;
      if (!served) refuse(new Error('a worker process ended before it served requests'));
      const pid = worker.process.pid;
      if (performance.now() - startedAt > HEALTHY_MS) pauseMs = FIRST_PAUSE_MS;
      log.error({ worker: pid, code, signal, pauseMs }, 'a worker process ended; replacing it');
      const pause = pauseMs;
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
      setTimeout(() => {
        if (!stopping) start();
      }, pause);
    });
  }
  // Workers accept connections themselves. If the primary process passed connections on, those on their way
  // to a dying worker would stay open without an answer.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  for (let i = 0; i < count; i++) start();

  return {
    serving,
    async stop(graceMs) {
      stopping = true;
      const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
      const ended = Promise.all(workers.map(endOf));
      for (const worker of workers) worker.process.kill('SIGTERM');
      await Promise.race([ended, delay(graceMs, undefined, { ref: false })]);
      for (const worker of workers) if (!worker.isDead()) worker.process.kill('SIGKILL');
      await ended;
    },
  };
}

const endOf = (worker: Worker) => (worker.isDead() ? undefined : once(worker, 'exit'));
