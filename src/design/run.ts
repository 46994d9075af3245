/** Runs designs in worker threads, since each computes for seconds. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import { unavailable } from '../errors.ts';
import { compiledModule } from '../geodata/project-files.ts';
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
  deadline: number;
  /** Milliseconds after which the thread begins to post its best result so far */
  proposeAfterMs: number;
}

export type DesignMessage =
  | { kind: 'progress'; progress: DesignProgress }
  | { kind: 'proposal'; result: DesignResult }
  | { kind: 'result'; result: DesignResult }
  | { kind: 'invalid'; message: string };

export interface RunOptions {
  /** Time limit in milliseconds, from when a thread becomes free */
  timeMs: number;
  /** Ends the design early with its best result so far. */
  signal?: AbortSignal;
  onProgress?: (progress: DesignProgress) => void;
  /** Receives the best results so far, from `afterMs` on. */
  proposals?: { afterMs: number; onProposal: (result: DesignResult) => void };
}

/** Dividing the whole country takes 0.4 GB. */
const MOST_MEMORY_MB = 900;
/** In a longer queue, callers would wait for minutes. */
const MOST_WAITING = 8;

// One core stays free for the service.
const limit = pLimit(Math.max(1, availableParallelism() - 1));

/**
 * @throws InvalidDesign if the input contradicts itself
 * @throws ServiceError 503 if too many designs are waiting
 */
export function runDesign(input: DesignInput, options: RunOptions): Promise<DesignResult> {
  if (limit.pendingCount >= MOST_WAITING)
    throw unavailable('Too many solves are running. Try again in a minute.');
  return limit(() => runInThread(input, options));
}

function runInThread(
  input: DesignInput,
  { timeMs, signal, onProgress, proposals }: RunOptions,
): Promise<DesignResult> {
  const cancel = new Int32Array(new SharedArrayBuffer(4));
  const stop = () => void Atomics.store(cancel, 0, 1);
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop);
  const effort = input.effort ?? usualEffort(input.zips.length);
  const task: DesignTask = {
    input: { ...input, effort },
    cancel,
    deadline: Date.now() + timeMs,
    proposeAfterMs: proposals?.afterMs ?? Infinity,
  };
  const thread = new Worker(compiledModule('design/worker.ts'), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
  });
  return new Promise<DesignResult>((resolve, reject) => {
    thread.on('message', (message: DesignMessage) => {
      if (message.kind === 'progress') onProgress?.(message.progress);
      else if (message.kind === 'proposal') proposals?.onProposal(message.result);
      else if (message.kind === 'result') resolve(message.result);
      else reject(new InvalidDesign(message.message));
    });
    thread.on('error', reject);
    thread.on('exit', (code) => reject(new Error(`The design thread exited with code ${code}.`)));
  }).finally(() => {
    signal?.removeEventListener('abort', stop);
    void thread.terminate();
  });
}
