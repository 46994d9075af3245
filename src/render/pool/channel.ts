/** A thread or a child process behind one interface: messages, an end, a way to end it. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Worker, type ResourceLimits } from 'node:worker_threads';
import type { FromWorker, ToWorker } from './messages.ts';

export interface Channel {
  /** @throws DataCloneError for what cannot be sent */
  post(message: ToWorker): void;
  onMessage(listener: (message: FromWorker) => void): void;
  /** Called once, when the worker is gone, with a clause that says how it went */
  onEnd(listener: (how: string) => void): void;
  /** Ends the worker, whatever it is doing. */
  kill(): Promise<void>;
}

export function threadChannel(module: string, resourceLimits: ResourceLimits): Channel {
  const thread = new Worker(module, { resourceLimits });
  let failure: unknown;
  thread.on('error', (error) => (failure = error));
  return {
    post: (message) => thread.postMessage(message),
    onMessage: (listener) => thread.on('message', listener),
    onEnd: (listener) =>
      thread.once('exit', (code) =>
        listener(failure ? `its thread failed: ${String(failure)}` : `its thread exited: ${code}`),
      ),
    kill: async () => void (await thread.terminate()),
  };
}

/** Enough of standard error to tell a missing library from a failed assertion */
const LAST_WORDS_LENGTH = 300;

export function processChannel(module: string, args: readonly string[]): Channel {
  const child = fork(module, args, {
    execArgv: [],
    // Structured clone: JSON would blow up a picture's bytes.
    serialization: 'advanced',
    // Standard output is the service's log; native code may print there whatever it likes.
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let lastWords = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(0, LAST_WORDS_LENGTH);
  });
  // A failed signal to a process that is gone is an error too, and none of ours.
  child.on('error', () => {});
  const ended = once(child, 'close').then(
    ([code, signal]) =>
      `its process ended with ${signal ?? `code ${code}`}. ${lastWords.replace(/\s+/g, ' ')}`,
    (error) => `its process cannot be started: ${String(error)}`,
  );
  return {
    post(message) {
      // Words before this belong to what went well.
      lastWords = '';
      // That the process is gone is told by its end.
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
