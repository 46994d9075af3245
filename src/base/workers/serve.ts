/** The worker's side of a pool: runs jobs one at a time, in a thread or a process. */
import { parentPort } from 'node:worker_threads';
import type { FromWorker, ToWorker } from './channel.ts';
import { serializeError, deserializeError, type Refusals } from './serialized-error.ts';

/** Requests data from the pool's process. @throws the error that occurred there */
type Ask<Question, Reply> = (question: Question) => Promise<Reply>;

/**
 * Runs `work` for each job sent to this thread or process, and sends back the result.
 * @param refusals errors of the work whose class the pool restores
 */
export function serveJobs<Job, Result, Question, Reply>(
  work: (job: Job, ask: Ask<Question, Reply>) => Promise<Result>,
  refusals: Refusals = {},
): void {
  const post = (message: FromWorker) =>
    parentPort ? parentPort.postMessage(message) : process.send!(message);
  const questions = new Map<number, { resolve(value: Reply): void; reject(error: Error): void }>();
  let lastId = 0;
  let jobs = 0;
  const askFor =
    (job: number): Ask<Question, Reply> =>
    (question) =>
      new Promise((resolve, reject) => {
        questions.set(++lastId, { resolve, reject });
        post({ kind: 'question', job, id: lastId, question });
      });

  (parentPort ?? process).on('message', async (message: ToWorker) => {
    switch (message.kind) {
      case 'job':
        try {
          post({ kind: 'result', result: await work(message.job as Job, askFor(++jobs)) });
        } catch (error) {
          post({ kind: 'error', error: serializeError(error, refusals) });
        }
        return;
      case 'answer':
        questions.get(message.id)!.resolve(message.value as Reply);
        break;
      case 'answer-error':
        questions.get(message.id)!.reject(deserializeError(message.error, refusals));
    }
    questions.delete(message.id);
  });
}

/** A question that calls a function in the pool's process */
export interface Call {
  name: string;
  values: readonly unknown[];
}

/** Returns functions that call those of the same names in the pool's process. */
export const remoteFunctions = <Functions extends object>(ask: Ask<Call, unknown>): Functions =>
  new Proxy({} as Functions, {
    get:
      (_functions, name) =>
      (...values: unknown[]) =>
        ask({ name: String(name), values }),
  });

/** Answers such questions. */
export const answerCalls =
  (functions: object) =>
  async ({ name, values }: Call): Promise<unknown> =>
    (functions as Record<string, (...values: readonly unknown[]) => unknown>)[name]!(...values);
