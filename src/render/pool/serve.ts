/** The worker's end: does one job after the other, in a thread or in a process. */
import { parentPort } from 'node:worker_threads';
import { carried, uncarried } from './carried-error.ts';
import type { FromWorker, ToWorker } from './messages.ts';

/** Asks the pool's process for something. @throws what went wrong there */
export type Ask<Question, Reply> = (question: Question) => Promise<Reply>;

/** Answers the jobs sent to this thread or process with what `work` makes of them. */
export function serve<Job, Result, Question, Reply>(
  work: (job: Job, ask: Ask<Question, Reply>) => Promise<Result>,
): void {
  const post = (message: FromWorker) =>
    parentPort ? parentPort.postMessage(message) : process.send!(message);
  const questions = new Map<number, { resolve(value: Reply): void; reject(error: Error): void }>();
  let lastId = 0;
  const ask: Ask<Question, Reply> = (question) =>
    new Promise((resolve, reject) => {
      questions.set(++lastId, { resolve, reject });
      post({ kind: 'question', id: lastId, question });
    });

  (parentPort ?? process).on('message', async (message: ToWorker) => {
    switch (message.kind) {
      case 'job':
        try {
          post({ kind: 'result', result: await work(message.job as Job, ask) });
        } catch (error) {
          post({ kind: 'error', error: carried(error) });
        }
        return;
      case 'answer':
        questions.get(message.id)!.resolve(message.value as Reply);
        break;
      case 'no-answer':
        questions.get(message.id)!.reject(uncarried(message.error));
    }
    questions.delete(message.id);
  });
}
