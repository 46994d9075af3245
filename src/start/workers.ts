/** Keeps a number of worker processes running, and stops them together. */
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { onServing } from './worker-messages.ts';

export interface Workers {
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

export function startWorkers(count: number, log: Logger): Workers {
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
