/** The metrics of this process, in a Prometheus registry. */
import { Counter, Gauge, Registry, collectDefaultMetrics } from 'prom-client';
import { cacheInUse } from '../cache/cache.ts';
import { memoryShares } from '../workers/memory.ts';
import { jobsInUseMb } from '../workers/once.ts';
import { tally } from './tally.ts';
import { observeRequests, type RequestObserver } from './requests.ts';
import type { Backlog, MetricSources, PoolUse } from './sources.ts';

const MB = 2 ** 20;

export type Metrics = Registry & { observer: RequestObserver };

/**
 * The values of all processes on a machine are added up, so only metrics that can be added are allowed
 * here.
 */
export function createMetrics({
  renderer,
  streets,
  poolUse,
  replica,
  backlog,
}: MetricSources): Metrics {
  const registry = new Registry();
  // CPU, memory, garbage collection, and the delay of the event loop
  collectDefaultMetrics({ register: registry });

  const { gauge, gauges, counter } = definersFor(registry);
  const observer = observeRequests(registry);

  gauge('territory_render_queued', 'Pictures waiting for a worker', () => renderer.stats.queued);
  gauge('territory_render_running', 'Pictures being drawn', () => renderer.stats.running);
  counter('territory_render_pictures_total', 'Pictures by outcome', 'outcome', () => [
    ['drawn', renderer.stats.done],
    ['failed', renderer.stats.failed],
  ]);
  counter(
    'territory_render_workers_lost_total',
    'Workers that ended or were stopped',
    'engine',
    () => [[renderer.engine, renderer.stats.lost]],
  );
  const memory = memoryShares();
  // Of the database, each process reports its part, so that the sum is right.
  gauges('territory_memory_budget_bytes', 'What parts of the service may take', 'part', () => [
    ['database', (memory.databaseMb / memory.processes) * MB],
    ['program', memory.programMb * MB],
    ['cache', memory.cacheMb * MB],
    ['drawing', memory.drawingThreads * memory.drawingMb * MB],
    ['jobs', memory.jobsMb * MB],
  ]);
  gauges('territory_memory_used_bytes', 'What they take, or what is set aside', 'part', () => [
    ['cache', cacheInUse()],
    ['drawing', renderer.stats.running * memory.drawingMb * MB],
    ['jobs', jobsInUseMb() * MB],
  ]);
  counter('territory_cache_requests_total', 'Answers found in a cache, or made', 'result', () =>
    Object.entries(tally.cache),
  );
  counter(
    'territory_shared_cache_requests_total',
    'Answers found in Redis, made for all processes, or made for this process alone',
    'result',
    () => Object.entries(tally.sharedCache),
  );
  counter('territory_units_charged_total', 'Units charged by this service, by tool', 'tool', () => [
    ...tally.units,
  ]);
  counter('territory_cleanup_rows_total', 'Expired rows deleted, by table', 'table', () => [
    ...tally.deleted,
  ]);
  counter('territory_mails_total', 'Emails by outcome', 'outcome', () =>
    Object.entries(tally.mail),
  );
  counter(
    'territory_webhook_attempts_total',
    'Attempts to send to webhooks by result',
    'result',
    () => Object.entries(tally.webhooks),
  );
  counter(
    'territory_company_sign_ins_total',
    'Sign-ins by company account by outcome',
    'outcome',
    () => Object.entries(tally.companySignIns),
  );
  counter(
    'territory_company_checks_total',
    'Checks of company sign-ins at the provider by outcome',
    'outcome',
    () => Object.entries(tally.companyChecks),
  );
  counter(
    'territory_lost_places_total',
    'Places given back because their work outlived every deadline, by kind of work',
    'work',
    () => [
      ['webhooks', tally.lostPlaces.webhooks],
      ['company_checks', tally.lostPlaces.companyChecks],
    ],
  );
  counter('territory_drives_total', 'Drive times by outcome', 'outcome', () =>
    Object.entries(tally.drives),
  );
  if (streets) {
    gauge('territory_streets_shown', 'Processes whose maps show streets', () =>
      Number(streets.current() !== null),
    );
    const { stats } = streets;
    counter('territory_streets_tiles_total', 'Tiles of streets by origin', 'origin', () => [
      ['archive', stats.read],
      ['memory', stats.remembered],
    ]);
    counter('territory_streets_failures_total', 'Failures of the archive', 'failure', () => [
      ['unreadable', stats.lost],
      ['damaged-tile', stats.damaged],
    ]);
  }
  if (poolUse) definePool(registry, 'territory_database', poolUse);
  if (replica) {
    definePool(registry, 'territory_replica', replica.poolUse);
    gauge('territory_replica_used', 'Processes that read from the replica', () =>
      Number(replica.isUsed()),
    );
    counter('territory_replica_reads_total', 'Reads by outcome', 'outcome', () =>
      Object.entries(tally.reads),
    );
  }
  if (backlog) defineShared(registry, { backlog, replica });
  return Object.assign(registry, { observer });
}

/** The metrics that the primary process adds to those of its workers. */
export function createSharedMetrics(sources: SharedSources): Registry {
  const registry = new Registry();
  defineShared(registry, sources);
  return registry;
}

interface SharedSources extends Pick<MetricSources, 'replica'> {
  backlog: () => Promise<Backlog | null>;
}

/** Figures of the whole service, which must not be added up */
function defineShared(registry: Registry, { backlog, replica }: SharedSources): void {
  const { gauge } = definersFor(registry);
  gauge('territory_database_up', 'Whether the database responds', async () =>
    (await backlog()) ? 1 : 0,
  );
  gauge(
    'territory_reviews_waiting',
    'ZIP codes pending review, of all organizations',
    async () => (await backlog())?.reviews,
  );
  gauge(
    'territory_units_used',
    'Units used this month, of all organizations',
    async () => (await backlog())?.units,
  );
  gauge(
    'territory_mails_waiting',
    'Emails waiting to be sent',
    async () => (await backlog())?.mails,
  );
  gauge(
    'territory_mails_oldest_seconds',
    'Age of the oldest email that waits to be sent',
    async () => (await backlog())?.oldestMailSeconds,
  );
  gauge(
    'territory_webhook_deliveries_waiting',
    'Deliveries that wait for webhooks that are on',
    async () => (await backlog())?.webhooks,
  );
  gauge(
    'territory_webhook_oldest_seconds',
    'Age of the oldest event that waits for a webhook',
    async () => (await backlog())?.oldestWebhookSeconds,
  );
  if (!replica) return;
  const lag = async () => replica.lag().catch(() => undefined);
  gauge(
    'territory_replica_lag_bytes',
    'Changes that the replica has not applied yet',
    async () => (await lag())?.bytes,
  );
  gauge(
    'territory_replica_lag_seconds',
    'Age of what the replica applied last; 0 if it has applied everything',
    async () => (await lag())?.seconds,
  );
}

function definePool(registry: Registry, prefix: string, use: () => PoolUse): void {
  const { gauge } = definersFor(registry);
  gauge(`${prefix}_connections_max`, 'Size of the pool', () => use().max);
  gauge(`${prefix}_connections_busy`, 'Connections in use', () => use().open - use().idle);
  gauge(`${prefix}_connections_idle`, 'Open connections not in use', () => use().idle);
  gauge(`${prefix}_waiting`, 'Statements waiting for a connection', () => use().waiting);
}

function definersFor(registry: Registry) {
  /** Reports no value while it's unknown. */
  function gauge(
    name: string,
    help: string,
    value: () => number | Promise<number | undefined>,
  ): void {
    const metric = new Gauge({
      name,
      help,
      registers: [],
      async collect() {
        const now = await value();
        if (now === undefined) this.remove();
        else this.set(now);
      },
    });
    registry.registerMetric(metric);
  }

  /** Values by label that another part of the process keeps */
  const labeled =
    (Kind: typeof Counter | typeof Gauge) =>
    (
      name: string,
      help: string,
      label: string,
      values: () => (readonly [string, number])[],
    ): void => {
      const metric = new Kind({
        name,
        help,
        labelNames: [label],
        registers: [],
        collect() {
          this.reset();
          for (const [key, count] of values()) this.inc({ [label]: key }, count);
        },
      });
      registry.registerMetric(metric);
    };

  return { gauge, gauges: labeled(Gauge), counter: labeled(Counter) };
}
