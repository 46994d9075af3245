/** Ends a command that takes too long. */
import { Worker } from 'node:worker_threads';

/**
 * Ends the process with a message after a time. A worker thread measures the time, because the main thread may be busy.
 * @returns a function that cancels the deadline
 */
export function startDeadline(seconds: number, message: string): () => Promise<void> {
  const thread = new Worker(WATCH, { eval: true, workerData: { seconds, message } });
  thread.unref();
  return async () => void (await thread.terminate());
}

/** Source of the thread. SIGTERM ends a process even if its main thread is busy. */
const WATCH = `
const { writeSync } = require('node:fs');
const { workerData } = require('node:worker_threads');
setTimeout(() => {
  writeSync(2, workerData.message + '\\n');
  process.kill(process.pid, 'SIGTERM');
}, 1000 * workerData.seconds);
`;
