/** Runs one design in a worker thread. See `run.ts`. */
import { parentPort, workerData } from 'node:worker_threads';
import { InvalidDesign } from './input.ts';
import type { DesignMessage, DesignTask } from './run.ts';
import { solve } from './solve.ts';

/** Milliseconds between two proposals */
const PROPOSE_MS = 1000;

const { input, cancel, deadline, proposeAfterMs } = workerData as DesignTask;
let nextProposalAt = Date.now() + proposeAfterMs;
const post = (message: DesignMessage) => parentPort!.postMessage(message);

try {
  const result = solve(input, {
    deadline,
    isCanceled: () => Atomics.load(cancel, 0) === 1,
    onProgress: (progress, best) => {
      post({ kind: 'progress', progress });
      if (Date.now() < nextProposalAt) return;
      nextProposalAt = Date.now() + PROPOSE_MS;
      post({ kind: 'proposal', result: best() });
    },
  });
  post({ kind: 'result', result });
} catch (error) {
  if (!(error instanceof InvalidDesign)) throw error;
  post({ kind: 'invalid', message: error.message });
}
