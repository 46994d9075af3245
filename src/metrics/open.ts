/** Serves `/metrics` if the settings name a port. The library is loaded only then. */
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import type { Renderer } from '../render/renderer.ts';
import type { Metrics } from './metrics.ts';

export async function openMetrics(
  { host, metricsPort }: Config,
  { db, renderer }: { db: Database; renderer: Renderer },
  log: Logger,
): Promise<Metrics | undefined> {
  if (metricsPort === undefined) return undefined;
  const [{ createMetrics }, { serveMetrics }, { backlogOf }] = await Promise.all([
    import('./metrics.ts'),
    import('./server.ts'),
    import('./backlog.ts'),
  ]);
  const metrics = createMetrics({ renderer, poolUse: db.poolUse, backlog: backlogOf(db) });
  const { contentType } = metrics;
  const { port } = await serveMetrics({ host, port: metricsPort, contentType }, () =>
    metrics.metrics(),
  );
  log.info({ metricsPort: port }, 'metrics are served');
  return metrics;
}
