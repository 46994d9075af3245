/**
 * The process that starts the workers. It prepares the database and collects metrics for them, but answers
 * no requests.
 */
import type { Config } from '../config.ts';
import { openDatabase } from '../db/database.ts';
import { createLog } from '../observe/log.ts';
import { openClusterMetrics } from './metrics.ts';
import { fitCoastOnce, prepare, retryToPrepare } from './preparation.ts';
import { readReplicaOf } from './read-replica.ts';
import { encryptAllStored } from './stored-secrets.ts';
import { welcome } from './welcome.ts';
import { startProgress } from './progress.ts';
import { tellWorkers } from './worker-messages.ts';
import { startWorkers, type Workers } from './workers.ts';

/** A worker stops within SHUTDOWN_SECONDS. After this additional time, it's considered stuck. */
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
  await encryptAllStored(db, config.secretKeys, log);
  await welcome(db, config, port, ready, log);
  await fitCoastOnce(db, config, log, stopping.signal);
}
