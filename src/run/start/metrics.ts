/** Opens the metrics if the settings contain a port. The library is loaded only in that case. */
import cluster from 'node:cluster';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import type { Database, Queryable } from '../../base/db/database.ts';
import type { ServiceMaps } from './renderer.ts';
import type { Streets } from '../../data/streets/streets.ts';
import type { Metrics } from '../../base/observe/metrics.ts';
import type { Backlog } from '../../base/observe/sources.ts';
import { periodAt } from '../../people/metering/meter.ts';

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
  const [{ createMetrics }, { tellMetrics }] = await Promise.all([
    import('../../base/observe/metrics.ts'),
    import('../../base/observe/worker-metrics.ts'),
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
  const [{ createSharedMetrics }, { addUpMetrics }] = await Promise.all([
    import('../../base/observe/metrics.ts'),
    import('../../base/observe/worker-metrics.ts'),
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
  const { serveMetrics } = await import('../../base/observe/metrics-server.ts');
  const { port } = await serveMetrics({ host, port: metricsPort!, contentType }, text);
  log.info({ metricsPort: port }, 'metrics are served');
}

/** Scrapes by several monitors share a count. */
const FRESH_MS = 10_000;

/**
 * Counts, for the whole service, pending work and used units in the database.
 * @returns a function that counts at most every ten seconds. It returns null while the database can't be
 *   reached
 */
export function backlogOf(db: Queryable): () => Promise<Backlog | null> {
  let last: { at: number; backlog: Promise<Backlog | null> } | undefined;
  return () => {
    if (!last || Date.now() - last.at > FRESH_MS) {
      last = { at: Date.now(), backlog: count(db).catch(() => null) };
    }
    return last.backlog;
  };
}

/** The indexes `reviews_open`, `outbox_waiting`, and `webhook_deliveries_waiting` contain only pending rows. */
async function count(db: Queryable): Promise<Backlog> {
  const [backlog] = await db.query<Backlog>(
    `select (select count(*) from reviews where status = 'pending') as reviews,
       (select coalesce(sum(units), 0) from usage_periods where period = $1) as units,
       mails.count as mails,
       coalesce(extract(epoch from now() - mails.oldest), 0)::float8 as "oldestMailSeconds",
       webhooks.count as webhooks,
       coalesce(extract(epoch from now() - webhooks.oldest), 0)::float8 as "oldestWebhookSeconds"
     from (
       select count(*), min(queued_at) as oldest from outbox where done_at is null
     ) mails, (
       select count(*), min(d.created_at) as oldest
       from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
       where d.done_at is null and e.disabled_at is null
     ) webhooks`,
    [periodAt(new Date()).start],
  );
  return backlog!;
}
