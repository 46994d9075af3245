/** Runs designs in threads, since each computes for seconds. */
import { availableParallelism } from 'node:os';
import { unavailable } from '../../errors.ts';
import { compiledModule } from '../../base/workers/compiled-module.ts';
import { JobKind } from '../../base/workers/once.ts';
import { usualEffort } from './effort.ts';
import {
  InvalidDesign,
  type DesignInput,
  type DesignProgress,
  type DesignResult,
} from './input.ts';

export interface DesignTask {
  input: DesignInput;
  /** Shared memory: 1 cancels the design. The busy thread would read a message only after its end. */
  cancel: Int32Array;
  timeMs: number;
  /** Milliseconds after which the thread begins to report its best result so far */
  proposeAfterMs: number;
}

export type DesignReport = { progress: DesignProgress } | { proposal: DesignResult };

interface RunOptions {
  /** Time limit in milliseconds, from when a thread becomes free */
  timeMs: number;
  /** Ends the design early with its best result so far. */
  signal?: AbortSignal;
  onProgress?: (progress: DesignProgress) => void;
  /** Receives the best results so far, from `afterMs` on. */
  proposals?: { afterMs: number; onProposal: (result: DesignResult) => void };
}

const designs = new JobKind<DesignTask, DesignResult, DesignReport>({
  module: compiledModule('territories/design/worker.ts'),
  // Dividing the whole country takes half of it.
  megabytes: 948,
  // One core stays free for the service.
  threads: Math.max(1, availableParallelism() - 1),
  busy: 'Too many solves are running. Try again in a minute.',
  exceeded: (what, cause) =>
    unavailable(`The solve takes too much ${what}. Choose a smaller market.`, { cause }),
  refusals: { InvalidDesign },
});

/**
 * @throws InvalidDesign if the input contradicts itself
 * @throws ServiceError 503 if too many designs are waiting
 */
export async function runDesign(
  input: DesignInput,
  { timeMs, signal, onProgress, proposals }: RunOptions,
): Promise<DesignResult> {
  const cancel = new Int32Array(new SharedArrayBuffer(4));
  const stop = () => void Atomics.store(cancel, 0, 1);
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop);
  const effort = input.effort ?? usualEffort(input.zips.length);
  const proposeAfterMs = proposals?.afterMs ?? Infinity;
  const task: DesignTask = { input: { ...input, effort }, cancel, timeMs, proposeAfterMs };
  try {
    return await designs.run((turn) =>
      turn.inThread(task, async (report) => {
        if ('progress' in report) onProgress?.(report.progress);
        else proposals?.onProposal(report.proposal);
      }),
    );
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}
