/** One interface for worker threads and child processes. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Worker, type ResourceLimits } from 'node:worker_threads';
import type { SerializedError } from './serialized-error.ts';

export type ToWorker =
  | { kind: 'job'; job: unknown }
  /** Answer to the question with this id */
  | { kind: 'answer'; id: number; value: unknown }
  | { kind: 'answer-error'; id: number; error: SerializedError };

export type FromWorker =
  | { kind: 'result'; result: unknown }
  | { kind: 'error'; error: SerializedError }
  /** Request for data that only the pool's process has. `job` counts the worker's jobs from 1 */
  | { kind: 'question'; job: number; id: number; question: unknown };

export interface Channel {
  /** @throws DataCloneError if the message cannot be cloned */
  post(message: ToWorker): void;
  onMessage(listener: (message: FromWorker) => void): void;
  /** Calls the listener once, after the worker has ended. The reason is a clause. */
  onEnd(listener: (how: string) => void): void;
  /** Ends the worker immediately. */
  kill(): Promise<void>;
}

/** A thread without a job doesn't keep the process alive. */
export function threadChannel(
  module: string,
  resourceLimits: ResourceLimits,
  workerData?: unknown,
): Channel {
  const thread = new Worker(module, { resourceLimits, workerData });
  let failure: unknown;
  thread.unref();
  thread.on('error', (error) => (failure = error));
  return {
    post(message) {
      thread.ref();
      thread.postMessage(message);
    },
    onMessage: (listener) =>
      thread.on('message', (message: FromWorker) => {
        if (message.kind !== 'question') thread.unref();
        listener(message);
      }),
    onEnd: (listener) =>
      thread.once('exit', (code) =>
        listener(
          failure ? `its thread failed: ${String(failure)}` : `its thread exited with code ${code}`,
        ),
      ),
    kill: async () => void (await thread.terminate()),
  };
}

/** Characters of standard error: enough to distinguish a missing library from a failed assertion */
const STDERR_LENGTH = 300;

export function processChannel(module: string, args: readonly string[]): Channel {
  const child = fork(module, args, {
    execArgv: [],
    // Structured clone; JSON would inflate a picture's bytes.
    serialization: 'advanced',
    // Standard output is the service's log, and native code may print to it.
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let recentStderr = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    recentStderr = (recentStderr + text).slice(0, STDERR_LENGTH);
  });
  // Signaling a process that has ended raises an error, which we can ignore.
  child.on('error', () => {});
  const ended = once(child, 'close').then(
    ([code, signal]) =>
      `its process ended with ${signal ?? `code ${code}`}. ${recentStderr.replace(/\s+/g, ' ')}`,
    (error) => `its process cannot be started: ${String(error)}`,
  );
  return {
    post(message) {
      // Earlier output belongs to earlier jobs.
      recentStderr = '';
      // `close` reports a process that has ended, so send errors can be ignored.
      child.send(message, () => {});
    },
    onMessage: (listener) => child.on('message', listener),
    onEnd: (listener) => void ended.then(listener),
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
