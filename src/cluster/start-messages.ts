/**
 * Messages between the primary process, which prepares the database, and its workers, which listen
 * meanwhile.
 */
import cluster, { type Worker } from 'node:cluster';
import type { StartProgress } from '../start-progress.ts';

const START = 'territory:start';
const ASK = 'territory:ask';

interface StartMessage {
  type: typeof START;
  /** null once the database is prepared */
  progress: StartProgress | null;
}

/**
 * In the primary process, before it starts workers.
 * @returns sends the progress, or null once the database is prepared, to all workers. Later ones ask for it
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

/** In a worker: resolves once the primary process has prepared the database. */
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
    // Messages sent before are lost.
    process.send!(ASK);
  });
}

const READY = 'territory:ready';

/** In a worker: says that it serves requests. */
export const tellPrimary = () => process.send!(READY);

/** In the primary process: calls back once the worker serves requests. */
export function onServing(worker: Worker, serving: () => void): void {
  worker.on('message', (message: unknown) => {
    if (message === READY) serving();
  });
}
