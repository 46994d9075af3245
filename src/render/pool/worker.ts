/** One worker of a pool, as the pool sees it: takes a job, gives its result, or is lost. */
import { carried, isRefusal, uncarried } from './carried-error.ts';
import type { Channel } from './channel.ts';
import { LostWorkerError } from './errors.ts';
import type { FromWorker } from './messages.ts';

/** Answers what a worker asks for while it works. */
export type Answer = (question: unknown) => Promise<unknown>;

interface Pending<Result> {
  resolve(result: Result): void;
  reject(error: unknown): void;
}

export class PoolWorker<Job, Result> {
  private readonly channel: Channel;
  private readonly answer: Answer;
  private pending: Pending<Result> | null = null;
  private usable = true;

  constructor(channel: Channel, answer: Answer) {
    this.channel = channel;
    this.answer = answer;
    channel.onMessage((message) => this.receive(message));
    channel.onEnd((how) => this.lose(how));
  }

  /** Whether it can take a job: it has not ended, and has not failed in a way that nobody foresaw. */
  get alive(): boolean {
    return this.usable;
  }

  /**
   * One job at a time.
   *
   * @throws LostWorkerError if the worker ends first; otherwise what the work has thrown
   */
  run(job: Job): Promise<Result> {
    if (!this.usable) return Promise.reject(new LostWorkerError('it had ended before'));
    return new Promise((resolve, reject) => {
      this.channel.post({ kind: 'job', job });
      this.pending = { resolve, reject };
    });
  }

  /** Ends the worker at once; a job under way is lost. */
  stop(): Promise<void> {
    this.lose('it was stopped');
    return this.channel.kill();
  }

  private receive(message: FromWorker): void {
    switch (message.kind) {
      case 'result':
        this.pending?.resolve(message.result as Result);
        this.pending = null;
        return;
      case 'error':
        return this.fail(uncarried(message.error));
      case 'question':
        void this.reply(message.id, message.question);
    }
  }

  private fail(error: Error): void {
    const { pending } = this;
    this.pending = null;
    // After a failure that nobody foresaw, nobody knows what state the worker is in.
    if (!isRefusal(error)) void this.stop();
    pending?.reject(error);
  }

  private async reply(id: number, question: unknown): Promise<void> {
    try {
      this.channel.post({ kind: 'answer', id, value: await this.answer(question) });
    } catch (error) {
      this.channel.post({ kind: 'no-answer', id, error: carried(error) });
    }
  }

  private lose(how: string): void {
    this.usable = false;
    this.pending?.reject(new LostWorkerError(how));
    this.pending = null;
  }
}
