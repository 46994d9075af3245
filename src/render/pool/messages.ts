/** What a pool and its workers say to each other, by `postMessage` or over IPC. */
import type { CarriedError } from './carried-error.ts';

export type ToWorker =
  | { kind: 'job'; job: unknown }
  /** Answers the question of that id */
  | { kind: 'answer'; id: number; value: unknown }
  | { kind: 'no-answer'; id: number; error: CarriedError };

export type FromWorker =
  | { kind: 'result'; result: unknown }
  | { kind: 'error'; error: CarriedError }
  /** Something that the work needs and only the pool's process has */
  | { kind: 'question'; id: number; question: unknown };
