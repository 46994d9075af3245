/**
 * Adds up the metrics of all workers. The primary process requests them at each scrape. It keeps the last
 * counters of workers that have ended, so that sums never decrease.
 */
import cluster, { type Worker } from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import { AggregatorRegistry, type MetricObject, type Registry } from 'prom-client';

const ASK = 'territory:ask-metrics';
const TELL = 'territory:metrics';
/** If a worker is busy for longer, its metrics from the last scrape are used. */
const PATIENCE_MS = 2_000;

/** Runs in a worker */
export function tellMetrics(registry: Registry): void {
  process.on('message', (message) => {
    if (message !== ASK) return;
    void registry
      .getMetricsAsJSON()
      .then((metrics) => process.send?.({ type: TELL, metrics }, undefined, {}, () => {}));
  });
}

/** Runs in the primary process. @returns a function that asks all workers for their metrics as text */
export function addUpMetrics(): () => Promise<string> {
  const latest = new Map<number, readonly MetricObject[]>();
  const waiting = new Map<number, () => void>();
  let ended: Promise<readonly MetricObject[]> = Promise.resolve([]);

  cluster.on('message', (worker: Worker, message: { type?: string; metrics: MetricObject[] }) => {
    if (message?.type !== TELL || worker.isDead()) return;
    latest.set(worker.id, message.metrics);
    waiting.get(worker.id)?.();
  });
  cluster.on('exit', ({ id }) => {
    const counters = (latest.get(id) ?? []).filter(({ type }) => String(type) !== 'gauge');
    latest.delete(id);
    waiting.get(id)?.();
    ended = ended.then((before) => sum([before, counters]).getMetricsAsJSON());
  });

  const ask = (worker: Worker) =>
    Promise.race([
      new Promise<void>((resolve) => {
        waiting.set(worker.id, resolve);
        worker.send(ASK, () => {}); // fails if the worker is ending
      }),
      delay(PATIENCE_MS, undefined, { ref: false }),
    ]).finally(() => waiting.delete(worker.id));

  return async () => {
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    await Promise.all(workers.map(ask));
    return sum([...latest.values(), await ended]).metrics();
  };
}

const sum = (all: readonly (readonly MetricObject[])[]): Registry =>
  AggregatorRegistry.aggregate(all as object[]);
