/** Runs one design in a thread: see `run.ts`. */
import { parentPort, workerData } from 'node:worker_threads';
import { InvalidDesign } from './input.ts';
import type { DesignMessage, DesignTask } from './run.ts';
import { solve } from './solve.ts';

const { input, cancel, deadline } = workerData as DesignTask;
const post = (message: DesignMessage) => parentPort!.postMessage(message);

try {
  const result = solve(input, {
    deadline,
    isCanceled: () => Atomics.load(cancel, 0) === 1,
    onProgress: (progress) => post({ kind: 'progress', progress }),
  });
  post({ kind: 'result', result });
} catch (error) {
  if (!(error instanceof InvalidDesign)) throw error;
  post({ kind: 'invalid', message: error.message });
}
