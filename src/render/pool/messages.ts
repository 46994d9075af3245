/** Messages between a pool and its workers, sent with `postMessage` or over IPC. */
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
