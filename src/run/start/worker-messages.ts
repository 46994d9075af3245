/**
 * Messages between the primary process, which prepares the database, and its workers, which already listen.
 */
import cluster, { type Worker } from 'node:cluster';
import type { StartProgress } from '../../base/observe/start-progress.ts';

const START = 'territory:start';
const ASK = 'territory:ask';

interface StartMessage {
  type: typeof START;
  /** null once the database is prepared */
  progress: StartProgress | null;
}

/**
 * Runs in the primary process, before it starts workers.
 * @returns a function that sends all workers the progress, or null once the database is prepared. Workers
 *   that start later ask for it
 */
export function tellWorkers(first: StartProgress): (progress: StartProgress | null) => void {
  let message: StartMessage = { type: START, progress: first };
  cluster.on('message', (worker, asked: unknown) => {
    if (asked === ASK) worker.send(message, () => {});
  });
  return (progress) => {
    message = { type: START, progress };
    for (const worker of Object.values(cluster.workers ?? {})) worker?.send(message, () => {});
  };
}

/** Runs in a worker. Resolves once the primary process has prepared the database. */
export function preparedByPrimary(show: (progress: StartProgress) => void): Promise<void> {
  return new Promise((resolve) => {
    const receive = (message: unknown) => {
      const { type, progress } = message as StartMessage;
      if (type !== START) return;
      if (progress) return show(progress);
      process.off('message', receive);
      resolve();
    };
    process.on('message', receive);
    // Earlier messages are lost, so ask for the current one.
    process.send!(ASK);
  });
}

const READY = 'territory:ready';

/** Runs in a worker. Reports that it serves requests. */
export const tellPrimary = () => process.send!(READY);

/** Runs in the primary process. Calls back once the worker serves requests. */
export function onServing(worker: Worker, serving: () => void): void {
  worker.on('message', (message: unknown) => {
    if (message === READY) serving();
  });
}
