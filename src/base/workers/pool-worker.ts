/** The pool's side of a worker: sends it jobs and answers its requests. */
import { serializeError, isRefusal, deserializeError, type Refusals } from './serialized-error.ts';
import type { Channel, FromWorker } from './channel.ts';
import { LostWorkerError } from './errors.ts';

type QuestionMessage = Extract<FromWorker, { kind: 'question' }>;

export type Answer = (question: unknown) => Promise<unknown>;

interface Pending<Result> {
  answer: Answer;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

export class PoolWorker<Job, Result> {
  private readonly channel: Channel;
  private readonly answer: Answer;
  private readonly refusals: Refusals;
  private pending: Pending<Result> | null = null;
  /** Number of jobs so far */
  private jobs = 0;
  private usable = true;

  constructor(channel: Channel, answer: Answer, refusals: Refusals = {}) {
    this.channel = channel;
    this.answer = answer;
    this.refusals = refusals;
    channel.onMessage((message) => this.receive(message));
    channel.onEnd((how) => this.markLost(how));
  }

  /** Whether the worker accepts jobs: it has neither ended nor failed unexpectedly. */
  get alive(): boolean {
    return this.usable;
  }

  /**
   * Runs a job. Callers run one job at a time.
   *
   * @param answer answers its questions. Default: the worker's own
   * @throws LostWorkerError if the worker ends first
   * @throws the error of the job
   */
  run(job: Job, answer = this.answer): Promise<Result> {
    if (!this.usable) return Promise.reject(new LostWorkerError('it had already ended'));
    return new Promise((resolve, reject) => {
      this.channel.post({ kind: 'job', job });
      this.jobs++;
      this.pending = { answer, resolve, reject };
    });
  }

  /** Ends the worker immediately; a running job is lost. */
  stop(): Promise<void> {
    this.markLost('it was stopped');
    return this.channel.kill();
  }

  private receive(message: FromWorker): void {
    switch (message.kind) {
      case 'result':
        this.pending?.resolve(message.result as Result);
        this.pending = null;
        return;
      case 'error':
        return this.fail(deserializeError(message.error, this.refusals));
      case 'question':
        void this.reply(message);
    }
  }

  private fail(error: Error): void {
    const { pending } = this;
    this.pending = null;
    // After an unexpected failure, the worker's state is unknown.
    if (!isRefusal(error, this.refusals)) void this.stop();
    pending?.reject(error);
  }

  /** Answers a question of the current job. One that has failed may still ask, but must not reach the next job's data. */
  private async reply({ job, id, question }: QuestionMessage): Promise<void> {
    try {
      if (this.pending === null || job !== this.jobs) throw new Error('The job has ended');
      this.channel.post({ kind: 'answer', id, value: await this.pending.answer(question) });
    } catch (error) {
      this.channel.post({ kind: 'answer-error', id, error: serializeError(error, this.refusals) });
    }
  }

  private markLost(how: string): void {
    this.usable = false;
    this.pending?.reject(new LostWorkerError(how));
    this.pending = null;
  }
}
