/** Opens the metrics if the settings contain a port. The library is loaded only in that case. */
import cluster from 'node:cluster';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import type { ServiceMaps } from './renderer.ts';
import type { Streets } from '../streets/streets.ts';
import type { Metrics } from '../observe/metrics.ts';

/**
 * Opens the metrics of a process and serves them. A worker doesn't serve them, because the primary process
 * asks for them.
 */
export async function openMetrics(
  config: Config,
  { db, renderer, streets }: { db: Database; renderer: ServiceMaps; streets: Streets },
  log: Logger,
): Promise<Metrics | undefined> {
  if (config.metricsPort === undefined) return undefined;
  const { poolUse, replica } = db;
  const [{ createMetrics }, { backlogOf }, { tellMetrics }] = await Promise.all([
    import('../observe/metrics.ts'),
    import('./backlog.ts'),
    import('../observe/worker-metrics.ts'),
  ]);
  if (cluster.isWorker) {
    const metrics = createMetrics({ renderer, streets, poolUse, replica });
    tellMetrics(metrics);
    return metrics;
  }
  const metrics = createMetrics({ renderer, streets, poolUse, replica, backlog: backlogOf(db) });
  await serve(config, metrics.contentType, () => metrics.metrics(), log);
  return metrics;
}

/** Serves the sums of all workers' metrics, with those of the whole service. */
export async function openClusterMetrics(config: Config, db: Database, log: Logger): Promise<void> {
  if (config.metricsPort === undefined) return;
  const [{ createSharedMetrics }, { backlogOf }, { addUpMetrics }] = await Promise.all([
    import('../observe/metrics.ts'),
    import('./backlog.ts'),
    import('../observe/worker-metrics.ts'),
  ]);
  const metricsOfWorkers = addUpMetrics();
  const shared = createSharedMetrics({ backlog: backlogOf(db), replica: db.replica });
  const text = async () => (await Promise.all([metricsOfWorkers(), shared.metrics()])).join('\n');
  await serve(config, shared.contentType, text, log);
}

async function serve(
  { host, metricsPort }: Config,
  contentType: string,
  text: () => Promise<string>,
  log: Logger,
): Promise<void> {
  const { serveMetrics } = await import('../observe/metrics-server.ts');
  const { port } = await serveMetrics({ host, port: metricsPort!, contentType }, text);
  log.info({ metricsPort: port }, 'metrics are served');
}
