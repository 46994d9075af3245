/**
 * The process that starts the workers. It prepares the database and collects metrics for them. It answers
 * no requests itself.
 */
import type { Config } from '../config.ts';
import { openDatabase } from '../db/database.ts';
import { createLog } from '../log.ts';
import { openClusterMetrics } from '../metrics/open.ts';
import { prepare, prepareLater } from '../preparation.ts';
import { readReplicaOf } from '../read-replica.ts';
import { welcome } from '../welcome.ts';
import { createLimitsFolder } from './limiter.ts';
import { startWorkers, type Workers } from './workers.ts';

/** A worker stops within SHUTDOWN_SECONDS. After this, it's stuck. */
const EXTRA_MS = 1_000;

export async function startPrimary(config: Config): Promise<void> {
  const log = createLog(config.logLevel);
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

  const prepared = await prepare(config);
  const replica = readReplicaOf(config, log);
  const db = await openDatabase({ ...config, databasePoolSize: 1 }, { replica });
  await openClusterMetrics(config, db, log);
  if (stopping.signal.aborted) return;
  const limitsFolder = config.redisUrl === undefined ? [createLimitsFolder()] : [];
  workers = startWorkers(config.webConcurrency, limitsFolder, log);
  const port = await workers.listening;
  const ready = prepared ?? (await prepareLater(config, log, stopping.signal));
  if (ready) await welcome(db, config, port, ready);
}
