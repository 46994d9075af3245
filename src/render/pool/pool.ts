/**
 * A fixed number of workers behind a short queue, first come, first served. Work that finds the
 * queue full is turned away at once: to wait longer than a client does helps nobody.
 */
import { unavailable } from '../../errors.ts';
import { CrashError, LostWorkerError } from './errors.ts';
import type { PoolWorker } from './worker.ts';

export interface PoolLimits {
  /** Workers, and so jobs at a time */
  workers: number;
  /** Jobs that may wait for a worker */
  queue: number;
  /** How long a job may wait for a worker, and how long a worker may then take */
  deadlineMs: number;
}

export interface PoolStats {
  /** Now */
  queued: number;
  running: number;
  /** Since the start */
  done: number;
  failed: number;
  /** Workers that were lost or given up, each replaced when the next job needs one */
  lost: number;
}

export class Pool<Job, Result> {
  private readonly startWorker: () => PoolWorker<Job, Result>;
  private readonly limits: PoolLimits;
  private readonly queue: Task<Job, Result>[] = [];
  private readonly underWay = new Set<Task<Job, Result>>();
  private readonly workers = new Set<PoolWorker<Job, Result>>();
  private readonly idle: PoolWorker<Job, Result>[] = [];
  private readonly counts = { done: 0, failed: 0, lost: 0 };
  private closing = false;

  /** Workers are started when jobs need them. */
  constructor(startWorker: () => PoolWorker<Job, Result>, limits: PoolLimits) {
    this.startWorker = startWorker;
    this.limits = limits;
  }

  get stats(): PoolStats {
    return { queued: this.queue.length, running: this.underWay.size, ...this.counts };
  }

  /**
   * @param signal takes the job out of the queue; of one under way, only the result is dropped
   * @throws ServiceError 503 if the queue is full, a deadline passes or the pool is closing;
   *   CrashError if the job ends two workers; the signal's reason; what the work has thrown
   */
  async run(job: Job, signal?: AbortSignal): Promise<Result> {
    signal?.throwIfAborted();
    if (this.closing) throw unavailable('No more pictures are drawn: the service is stopping.');
    if (this.allBusy && this.queue.length >= this.limits.queue) throw busy();

    const task = new Task<Job, Result>(job);
    const abort = () => this.dismiss(task, signal!.reason);
    signal?.addEventListener('abort', abort);
    const patience = setTimeout(() => {
      if (this.queue.includes(task)) this.dismiss(task, busy());
    }, this.limits.deadlineMs);
    this.queue.push(task);
    this.dispatch();
    try {
      return await task.result;
    } finally {
      clearTimeout(patience);
      signal?.removeEventListener('abort', abort);
    }
  }

  /** Takes no more jobs, turns away those that wait, and lets those under way end. */
  async close(): Promise<void> {
    this.closing = true;
    const stopping = unavailable('The picture was not drawn: the service is stopping.');
    for (const task of [...this.queue]) this.dismiss(task, stopping);
    await Promise.allSettled([...this.underWay].map(({ result }) => result));
    await Promise.all([...this.workers].map((worker) => worker.stop()));
  }

  private get allBusy(): boolean {
    return this.underWay.size >= this.limits.workers;
  }

  private dispatch(): void {
    while (this.queue.length > 0 && !this.allBusy) void this.perform(this.queue.shift()!);
  }

  private dismiss(task: Task<Job, Result>, reason: unknown): void {
    const place = this.queue.indexOf(task);
    if (place >= 0) this.queue.splice(place, 1);
    task.reject(reason);
  }

  private async perform(task: Task<Job, Result>): Promise<void> {
    this.underWay.add(task);
    try {
      task.resolve(await this.attemptTwice(task));
      this.counts.done++;
    } catch (error) {
      task.reject(error);
      this.counts.failed++;
    }
    this.underWay.delete(task);
    this.dispatch();
  }

  /** A lost worker may have been ill, or killed by the system; two in a row blame the job. */
  private async attemptTwice(task: Task<Job, Result>): Promise<Result> {
    try {
      return await this.attempt(task.job);
    } catch (error) {
      if (!(error instanceof LostWorkerError) || task.settled) throw error;
    }
    try {
      return await this.attempt(task.job);
    } catch (error) {
      throw error instanceof LostWorkerError ? new CrashError(error) : error;
    }
  }

  private async attempt(job: Job): Promise<Result> {
    const { deadlineMs } = this.limits;
    const worker = this.takeWorker();
    let late = false;
    const deadline = setTimeout(() => {
      late = true;
      void worker.stop();
    }, deadlineMs);
    try {
      return await worker.run(job);
    } catch (error) {
      if (!late) throw error;
      throw unavailable(`The picture was given up: it took more than ${deadlineMs / 1000} s.`);
    } finally {
      clearTimeout(deadline);
      if (worker.alive) this.idle.push(worker);
      else this.forget(worker);
    }
  }

  private takeWorker(): PoolWorker<Job, Result> {
    for (let worker = this.idle.pop(); worker !== undefined; worker = this.idle.pop()) {
      if (worker.alive) return worker;
      this.forget(worker);
    }
    const worker = this.startWorker();
    this.workers.add(worker);
    return worker;
  }

  private forget(worker: PoolWorker<Job, Result>): void {
    this.workers.delete(worker);
    this.counts.lost++;
  }
}

/** A job with the promise of its result. */
class Task<Job, Result> {
  readonly job: Job;
  readonly result: Promise<Result>;
  /** Whether the outcome is decided: nobody waits any more */
  settled = false;
  private settle!: { resolve(result: Result): void; reject(error: unknown): void };

  constructor(job: Job) {
    this.job = job;
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

const busy = () => unavailable('Too many pictures are being drawn. Try again in a few seconds.');
