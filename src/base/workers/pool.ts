/**
 * A fixed number of workers with a short first-in, first-out queue. If the queue is full, jobs are rejected
 * immediately, because clients would give up before their turn.
 */
import { CrashError, LostWorkerError, UnavailableError } from './errors.ts';
import type { Answer, PoolWorker } from './pool-worker.ts';

export interface PoolLimits {
  /** Number of workers, and of concurrent jobs */
  workers: number;
  /** Maximum number of waiting jobs */
  queue: number;
  /** Maximum time that a job waits for a worker, and maximum time that the worker then takes */
  deadlineMs: number;
  /** Whether one worker starts at once, so that the first job doesn't wait for it. Default: false */
  startsEarly?: boolean;
  /** Time without a job after which the workers end, to free their memory. Default: never */
  idleMs?: number;
}

/** Sentences about jobs that aren't done: what went wrong, and what to do */
export interface PoolWords {
  busy: string;
  late(seconds: number): string;
  stopping: string;
  crashed: string;
}

export interface PoolStats {
  /** Current jobs */
  queued: number;
  running: number;
  /** Totals since the start */
  done: number;
  failed: number;
  /** Workers that ended or were stopped; each is replaced when a job needs one */
  lost: number;
}

export class Pool<Job, Result> {
  private readonly startWorker: () => PoolWorker<Job, Result>;
  private readonly limits: PoolLimits;
  private readonly words: PoolWords;
  private readonly queue: Task<Job, Result>[] = [];
  private readonly running = new Set<Task<Job, Result>>();
  private readonly workers = new Set<PoolWorker<Job, Result>>();
  private readonly idle: PoolWorker<Job, Result>[] = [];
  private readonly counts = { done: 0, failed: 0, lost: 0 };
  private closing = false;
  private idleTimer: NodeJS.Timeout | undefined;

  /** @param startWorker called when a job needs another worker */
  constructor(startWorker: () => PoolWorker<Job, Result>, limits: PoolLimits, words: PoolWords) {
    this.startWorker = startWorker;
    this.limits = limits;
    this.words = words;
    if (limits.startsEarly) this.idle.push(this.addWorker());
  }

  get stats(): PoolStats {
    return { queued: this.queue.length, running: this.running.size, ...this.counts };
  }

  /**
   * Runs a job.
   *
   * @param signal removes the job from the queue. A running job continues, but its result is dropped
   * @param answer answers the job's questions. Default: the workers' own
   * @throws UnavailableError if the queue is full, a deadline passes, or the pool is closing
   * @throws CrashError if two workers end during the job
   * @throws the signal's reason, or the error of the job
   */
  async run(job: Job, signal?: AbortSignal, answer?: Answer): Promise<Result> {
    signal?.throwIfAborted();
    if (this.closing) throw this.stopping();
    if (this.allBusy && this.queue.length >= this.limits.queue) throw this.busy();

    const task = new Task<Job, Result>(job, answer);
    const abort = () => this.reject(task, signal!.reason);
    signal?.addEventListener('abort', abort);
    const queueTimer = setTimeout(() => {
      if (this.queue.includes(task)) this.reject(task, this.busy());
    }, this.limits.deadlineMs);
    clearTimeout(this.idleTimer);
    this.queue.push(task);
    this.dispatch();
    try {
      return await task.result;
    } finally {
      clearTimeout(queueTimer);
      signal?.removeEventListener('abort', abort);
    }
  }

  /** Rejects new and waiting jobs, and waits for running ones. */
  async close(): Promise<void> {
    this.closing = true;
    for (const task of this.queue.slice()) this.reject(task, this.stopping());
    await Promise.allSettled([...this.running].map(({ result }) => result));
    await Promise.all([...this.workers].map((worker) => worker.stop()));
  }

  private get allBusy(): boolean {
    return this.running.size >= this.limits.workers;
  }

  private dispatch(): void {
    while (this.queue.length > 0 && !this.allBusy) void this.runTask(this.queue.shift()!);
  }

  private reject(task: Task<Job, Result>, reason: unknown): void {
    const index = this.queue.indexOf(task);
    if (index >= 0) this.queue.splice(index, 1);
    task.reject(reason);
  }

  private async runTask(task: Task<Job, Result>): Promise<void> {
    this.running.add(task);
    try {
      task.resolve(await this.runWithRetry(task));
      this.counts.done++;
    } catch (error) {
      task.reject(error);
      this.counts.failed++;
    }
    this.running.delete(task);
    this.dispatch();
    if (this.running.size === 0) this.endWhenIdle();
  }

  private endWhenIdle(): void {
    const { idleMs } = this.limits;
    if (idleMs === undefined) return;
    this.idleTimer = setTimeout(() => {
      for (const worker of this.idle.splice(0)) {
        this.workers.delete(worker);
        void worker.stop();
      }
    }, idleMs).unref();
  }

  /** Retries once after a lost worker. If a second worker is lost, the job is the cause. */
  private async runWithRetry(task: Task<Job, Result>): Promise<Result> {
    try {
      return await this.runOnce(task);
    } catch (error) {
      if (!(error instanceof LostWorkerError) || task.settled) throw error;
    }
    try {
      return await this.runOnce(task);
    } catch (error) {
      throw error instanceof LostWorkerError ? new CrashError(this.words.crashed, error) : error;
    }
  }

  private async runOnce({ job, answer }: Task<Job, Result>): Promise<Result> {
    const { deadlineMs } = this.limits;
    const worker = this.takeWorker();
    let timedOut = false;
    const deadline = setTimeout(() => {
      timedOut = true;
      void worker.stop();
    }, deadlineMs);
    try {
      return await worker.run(job, answer);
    } catch (error) {
      if (!timedOut) throw error;
      throw new UnavailableError(this.words.late(deadlineMs / 1000));
    } finally {
      clearTimeout(deadline);
      if (worker.alive) this.idle.push(worker);
      else this.discard(worker);
    }
  }

  private takeWorker(): PoolWorker<Job, Result> {
    for (let worker = this.idle.pop(); worker !== undefined; worker = this.idle.pop()) {
      if (worker.alive) return worker;
      this.discard(worker);
    }
    return this.addWorker();
  }

  private addWorker(): PoolWorker<Job, Result> {
    const worker = this.startWorker();
    this.workers.add(worker);
    return worker;
  }

  private discard(worker: PoolWorker<Job, Result>): void {
    this.workers.delete(worker);
    this.counts.lost++;
  }

  private busy = () => new UnavailableError(this.words.busy);
  private stopping = () => new UnavailableError(this.words.stopping);
}

class Task<Job, Result> {
  readonly job: Job;
  readonly answer: Answer | undefined;
  readonly result: Promise<Result>;
  /** Whether it is resolved or rejected */
  settled = false;
  private settle!: { resolve(result: Result): void; reject(error: unknown): void };

  constructor(job: Job, answer: Answer | undefined) {
    this.job = job;
    this.answer = answer;
    this.result = new Promise((resolve, reject) => (this.settle = { resolve, reject }));
  }

  resolve(result: Result): void {
    this.settled = true;
    this.settle.resolve(result);
  }

  reject(error: unknown): void {
    this.settled = true;
    this.settle.reject(error);
  }
}
