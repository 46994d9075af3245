/**
 * Jobs that each run in a thread of their own, which ends with the job: files that people send or take, exhibits, and
 * designs. Running out of time or memory then ends the thread instead of the service. All kinds of jobs share the
 * threads of the process, and their memory.
 */
import { availableParallelism } from 'node:os';
import { unavailable } from '../../errors.ts';
import { threadChannel } from './channel.ts';
import { LostWorkerError } from './errors.ts';
import { heapOf, memoryShares } from './memory.ts';
import { PoolWorker } from './pool-worker.ts';
import type { Refusals } from './serialized-error.ts';

/** In a longer queue, callers would wait for minutes. */
const MAX_WAITING = 8;

interface KindOptions {
  /** Absolute path of the thread's module, which calls `serveJobs` */
  module: string;
  /** Memory that the largest job takes, in megabytes. A thread gets less if the process has less for all jobs */
  megabytes: number;
  /** Time limit, from when the work starts. Default: none */
  deadlineMs?: number;
  /** Maximum number of threads. Default, and limit: half of all, so that one kind doesn't hold up the others */
  threads?: number;
  /** Sentence for callers while too many jobs wait */
  busy: string;
  /** Returns the error for a job that needs too much */
  exceeded(what: 'time' | 'memory', cause: unknown): Error;
  /** Errors of the thread whose class is restored */
  refusals?: Refusals;
}

interface Waiting {
  kind: Pick<JobKind<never, unknown>, 'running' | 'hasRoom' | 'megabytes'>;
  start(): void;
}

/** Threads of the process for these jobs. With fewer, two people with large files could hold up all others. */
let threads = Math.max(4, availableParallelism());
let running = 0;
let takenMb = 0;
const queue: Waiting[] = [];

/** Sets the number of threads that all kinds share. */
export function shareThreads(count: number): void {
  threads = count;
}

/** Memory of the running jobs, in megabytes */
export const jobsInUseMb = () => takenMb;

function startNext(): void {
  while (running < threads) {
    // The kind with the fewest running jobs goes first, so that a queue of one kind doesn't delay the others.
    const [next] = queue
      .filter(({ kind }) => kind.hasRoom)
      .sort((a, b) => a.kind.running - b.kind.running);
    // If its memory isn't free yet, smaller jobs don't overtake it: it could wait forever.
    if (!next || takenMb + next.kind.megabytes > memoryShares().jobsMb) return;
    queue.splice(queue.indexOf(next), 1);
    running++;
    takenMb += next.kind.megabytes;
    next.kind.running++;
    next.start();
  }
}

export class JobKind<Job, Result, Question = never> {
  /** Number of jobs */
  running = 0;
  readonly options: KindOptions;

  constructor(options: KindOptions) {
    this.options = options;
  }

  /** Memory of a thread */
  get megabytes(): number {
    return Math.min(this.options.megabytes, memoryShares().jobsMb);
  }

  get hasRoom(): boolean {
    return this.running < Math.min(this.options.threads ?? Infinity, Math.ceil(threads / 2));
  }

  /** @throws ServiceError 503 if too many jobs wait */
  refuseIfFull(): void {
    if (queue.filter(({ kind }) => kind === this).length < MAX_WAITING) return;
    throw unavailable(this.options.busy);
  }

  /**
   * Does work when it's its turn, such as loading a job and running it. Its deadline starts with its turn.
   *
   * @param signal removes it from the queue, or ends its thread
   * @throws ServiceError 503 if too many jobs wait; the signal's reason; the error of `exceeded`; errors of the work
   */
  async run<T>(
    work: (turn: Turn<Job, Result, Question>) => Promise<T>,
    {
      signal,
      deadlineMs = this.options.deadlineMs,
    }: { signal?: AbortSignal; deadlineMs?: number } = {},
  ): Promise<T> {
    signal?.throwIfAborted();
    this.refuseIfFull();
    await this.#waitForTurn(signal);
    const { megabytes } = this;
    const turn = new Turn<Job, Result, Question>(this.options, megabytes, deadlineMs, signal);
    try {
      return await work(turn);
    } catch (error) {
      if (turn.isLate) throw this.options.exceeded('time', error);
      signal?.throwIfAborted();
      throw error instanceof LostWorkerError ? this.options.exceeded('memory', error) : error;
    } finally {
      turn.end();
      running--;
      takenMb -= megabytes;
      this.running--;
      startNext();
    }
  }

  #waitForTurn(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        queue.splice(queue.indexOf(waiting), 1);
        reject(signal!.reason as Error);
      };
      const waiting: Waiting = {
        kind: this,
        start() {
          signal?.removeEventListener('abort', leave);
          resolve();
        },
      };
      signal?.addEventListener('abort', leave);
      queue.push(waiting);
      startNext();
    });
  }
}

/** The turn of a job */
class Turn<Job, Result, Question> {
  /** Aborted by the caller, or when the time is over */
  readonly signal: AbortSignal;
  readonly #options: KindOptions;
  readonly #megabytes: number;
  readonly #late = new AbortController();
  #leftMs: number | undefined;
  #startedAt = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    options: KindOptions,
    megabytes: number,
    deadlineMs: number | undefined,
    signal?: AbortSignal,
  ) {
    this.#options = options;
    this.#megabytes = megabytes;
    this.#leftMs = deadlineMs;
    this.signal = AbortSignal.any([this.#late.signal, ...(signal ? [signal] : [])]);
    this.#resume();
  }

  get isLate(): boolean {
    return this.#late.signal.aborted;
  }

  /** Runs the job in a new thread. @param answer answers its questions */
  async inThread(
    job: Job,
    answer: (question: Question) => Promise<unknown> = () =>
      Promise.reject(new Error('Jobs of this kind ask nothing')),
  ): Promise<Result> {
    this.signal.throwIfAborted();
    const { module, refusals } = this.#options;
    const worker = new PoolWorker<Job, Result>(
      threadChannel(module, heapOf(this.#megabytes)),
      (question) => answer(question as Question),
      refusals,
    );
    const stop = () => void worker.stop();
    this.signal.addEventListener('abort', stop, { once: true });
    try {
      return await worker.run(job);
    } finally {
      this.signal.removeEventListener('abort', stop);
      stop();
    }
  }

  /** Waits for something that doesn't count toward the deadline, such as a client. */
  async uncounted<T>(wait: () => Promise<T>): Promise<T> {
    clearTimeout(this.#timer);
    if (this.#leftMs !== undefined) this.#leftMs -= performance.now() - this.#startedAt;
    try {
      return await wait();
    } finally {
      this.#resume();
    }
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#leftMs = undefined;
  }

  #resume(): void {
    this.#startedAt = performance.now();
    if (this.#leftMs !== undefined) {
      this.#timer = setTimeout(() => this.#late.abort(), this.#leftMs);
    }
  }
}
