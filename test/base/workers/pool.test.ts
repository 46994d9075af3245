import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Koa from 'koa';
import { afterEach, describe, expect, it } from 'vitest';
import { answerErrors } from '../../../src/doors/http/answers/error-answers.ts';
import { throwServiceError } from '../../../src/run/start/renderer.ts';
import { listen } from '../../../src/doors/http/requests/server.ts';
import { PICTURE_WORDS } from '../../../src/render/engines.ts';
import * as sceneErrors from '../../../src/render/errors.ts';
import { processChannel, threadChannel } from '../../../src/base/workers/channel.ts';
import { CrashError } from '../../../src/base/workers/errors.ts';
import { Pool, type PoolLimits } from '../../../src/base/workers/pool.ts';
import { PoolWorker, type Answer } from '../../../src/base/workers/pool-worker.ts';
import { testLog } from '../../support/log.ts';

const module = fileURLToPath(new URL('tasks.mjs', import.meta.url));
const LIMITS: PoolLimits = { workers: 2, queue: 8, deadlineMs: 20_000 };

const pools: { close(): Promise<void> }[] = [];
afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.close())));

interface Job {
  task: string;
  value?: unknown;
  signals?: Int32Array;
  at?: number;
}

const KINDS = {
  threads: () => threadChannel(module, {}),
  'small threads': () => threadChannel(module, { maxOldGenerationSizeMb: 16 }),
  processes: () => processChannel(module, []),
};

function pool(limits: Partial<PoolLimits> = {}, kind: keyof typeof KINDS = 'threads') {
  const answer: Answer = async (question) => {
    if (question === 'nothing') throw new Error('there is no answer');
    return `the answer to ${question}`;
  };
  const result = new Pool<Job, unknown>(
    () => new PoolWorker(KINDS[kind](), answer, sceneErrors),
    { ...LIMITS, ...limits },
    PICTURE_WORDS,
  );
  pools.push(result);
  return result;
}

/** Integers shared by all threads. */
const newCounters = () => new Int32Array(new SharedArrayBuffer(64));

/** Starts a job that runs until `end()`. */
async function startBlockingJob(target: Pool<Job, unknown>) {
  const signals = newCounters();
  const result = target.run({ task: 'wait', value: 'held', signals });
  await expect.poll(() => Atomics.load(signals, 0)).toBe(1);
  return { result, end: () => void Atomics.store(signals, 1, 1) };
}

it('starts a worker before the first job if asked to, and uses it', async () => {
  let started = 0;
  const start = () => {
    started++;
    return new PoolWorker<Job, unknown>(KINDS.threads(), () => Promise.reject(new Error()));
  };
  const early = new Pool<Job, unknown>(start, { ...LIMITS, startsEarly: true }, PICTURE_WORDS);
  const late = new Pool<Job, unknown>(start, LIMITS, PICTURE_WORDS);
  pools.push(early, late);
  expect(started).toBe(1);
  const held = await startBlockingJob(early);
  expect(started).toBe(1);
  held.end();
  await held.result;
  const other = await startBlockingJob(late);
  expect(started).toBe(2);
  other.end();
  await other.result;
});

it('doesn’t answer a job that has failed from the data of the next one', async () => {
  const target = pool({ workers: 1 });
  const failed = newCounters();
  const late = { task: 'fail, then ask', value: 'late', signals: failed };
  await expect(target.run(late)).rejects.toThrow('the first problem');
  const asked: unknown[] = [];
  const signals = newCounters();
  const next = target.run({ task: 'wait', value: 'held', signals }, undefined, async (question) =>
    asked.push(question),
  );
  await expect.poll(() => Atomics.load(failed, 0)).toBe(1);
  Atomics.store(signals, 1, 1);
  expect(await next).toBe('held');
  expect(asked).toEqual([]);
});

describe.each(['threads', 'processes'] as const)('a pool of %s', (kind) => {
  it('returns the result of a job, with bytes as bytes', async () => {
    const bytes = new Uint8Array([0, 128, 255]);
    const result = await pool({}, kind).run({ task: 'echo', value: { bytes, text: 'é' } });
    expect(result).toMatchObject({ text: 'é' });
    expect([...(result as { bytes: Uint8Array }).bytes]).toEqual([0, 128, 255]);
  });

  it('reuses its workers', async () => {
    const one = pool({ workers: 1 }, kind);
    const first = await one.run({ task: 'who' });
    expect(await one.run({ task: 'who' })).toBe(first);
    expect(first).not.toMatch(new RegExp(kind === 'threads' ? '/0$' : `^${process.pid}/`));
  });

  it('preserves a refusal’s class, message, and properties, and keeps the worker', async () => {
    const one = pool({ workers: 1 }, kind);
    const who = await one.run({ task: 'who' });
    const refusal = await one.run({ task: 'refuse' }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(sceneErrors.InvalidSceneError);
    expect(refusal).toMatchObject({
      name: 'InvalidSceneError',
      message: 'The scene cannot be drawn: the first problem; the second',
      problems: ['the first problem', 'the second'],
      stack: expect.stringContaining('tasks.mjs'),
    });
    const unsupported = await one.run({ task: 'unsupported' }).catch((error: unknown) => error);
    expect(unsupported).toBeInstanceOf(sceneErrors.UnsupportedStyleError);
    expect(unsupported).toMatchObject({ properties: ['layers[2].paint.fill-pattern'] });
    expect(await one.run({ task: 'who' })).toBe(who);
    expect(one.stats).toMatchObject({ failed: 2, lost: 0 });
  });

  it('replaces a worker that failed unexpectedly', async () => {
    const one = pool({ workers: 1 }, kind);
    const who = await one.run({ task: 'who' });
    await expect(one.run({ task: 'throw' })).rejects.toThrow('the worker failed');
    expect(await one.run({ task: 'who' })).not.toBe(who);
    expect(one.stats).toEqual({ queued: 0, running: 0, done: 2, failed: 1, lost: 1 });
  });

  it('ends a worker that misses the deadline, and continues with another', async () => {
    const one = pool({ workers: 1, deadlineMs: 2000 }, kind);
    for (const task of ['hang', 'silence']) {
      await expect(one.run({ task })).rejects.toMatchObject({
        name: 'UnavailableError',
        message: 'The picture took more than 2 s and was canceled. Try a smaller picture.',
      });
      expect(await one.run({ task: 'echo', value: task })).toBe(task);
    }
    expect(one.stats).toMatchObject({ failed: 2, lost: 2 });
  });

  it('answers the questions of a worker, or reports why it cannot', async () => {
    const one = pool({ workers: 1 }, kind);
    const answers = await Promise.all(
      ['a', 'b'].map((value) => one.run({ task: 'ask', value: `question ${value}` })),
    );
    expect(answers).toEqual(['asked: the answer to question a', 'asked: the answer to question b']);
    await expect(one.run({ task: 'ask', value: 'nothing' })).rejects.toThrow('there is no answer');
  });
});

describe('a pool', () => {
  it('runs as many concurrent jobs as it has workers', async () => {
    const signals = newCounters();
    const two = pool();
    const jobs = [1, 2].map(() => two.run({ task: 'meet', value: 2, signals }));
    expect(await Promise.all(jobs)).toEqual([2, 2]);
  });

  it('runs jobs in order', async () => {
    const one = pool({ workers: 1 });
    const signals = newCounters();
    const jobs = [0, 1, 2, 3, 4].map(() => one.run({ task: 'order', signals }));
    expect(await Promise.all(jobs)).toEqual([0, 1, 2, 3, 4]);
  });

  it('rejects a job when its queue is full, with a Retry-After header over HTTP', async () => {
    const one = pool({ workers: 1, queue: 2 });
    const held = await startBlockingJob(one);
    const queued = ['a', 'b'].map((value) => one.run({ task: 'echo', value }));
    expect(one.stats).toMatchObject({ running: 1, queued: 2 });

    const app = new Koa();
    app.use(answerErrors(testLog()));
    app.use(async () => void (await one.run({ task: 'echo' }).catch(throwServiceError)));
    const server = await listen(app.callback(), { host: '127.0.0.1', port: 0 });
    const response = await fetch(`http://127.0.0.1:${server.port}/`);
    await server.stop(0);
    expect(response.status).toBe(503);
    expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(await response.json()).toMatchObject({
      error: expect.stringContaining('Too many pictures'),
      code: 'unavailable',
    });

    held.end();
    expect(await Promise.all(queued)).toEqual(['a', 'b']);
  });

  it('rejects a job that waits longer than the deadline', async () => {
    const one = pool({ workers: 1, deadlineMs: 300 });
    // The second starts when the first times out; by then the third has waited too long.
    const jobs = ['silence', 'silence', 'echo'].map((task) => one.run({ task }));
    const [, , third] = await Promise.allSettled(jobs);
    expect(third).toMatchObject({
      reason: { name: 'UnavailableError', message: expect.stringContaining('Too many') },
    });
  });

  it('retries a job with another worker if the first one dies', async () => {
    const two = pool();
    expect(await two.run({ task: 'exit', value: 1, signals: newCounters() })).toBe('survived');
    expect(two.stats).toMatchObject({ done: 1, failed: 0, lost: 1 });
  });

  it('fails a job that crashed two workers, with the cause, and continues', async () => {
    const two = pool();
    const signals = newCounters();
    const crash = two.run({ task: 'exit', value: 99, signals });
    const good = ['a', 'b', 'c'].map((value) => two.run({ task: 'echo', value }));
    await expect(crash).rejects.toThrow(CrashError);
    await expect(crash).rejects.toThrow(
      /crashed two workers\. Simplify the picture\. Cause: its thread exited with code 3/,
    );
    expect(await Promise.all(good)).toEqual(['a', 'b', 'c']);
    expect(Atomics.load(signals, 0)).toBe(2);
    expect(two.stats).toMatchObject({ done: 3, failed: 1, lost: 2 });
  });

  it('survives a job that exceeds the memory of a thread', async () => {
    const one = pool({ workers: 1 }, 'small threads');
    await expect(one.run({ task: 'hoard' })).rejects.toThrow(/reaching memory limit/);
    expect(await one.run({ task: 'echo', value: 'next' })).toBe('next');
  });

  it('names the signal that killed a process', async () => {
    const job = pool({ workers: 1 }, 'processes').run({ task: 'die' });
    await expect(job).rejects.toThrow(/its process ended with SIGKILL/);
  });

  it('replaces a worker that died while idle, without counting it as a retry of the next job', async () => {
    const one = pool({ workers: 1 });
    const signals = newCounters();
    await one.run({ task: 'answer, then exit', signals });
    await expect.poll(() => Atomics.load(signals, 0)).toBe(1);
    // The pool hears of the end later, on a busy machine hundreds of milliseconds.
    await delay(1_000);
    // A job may lose one worker; this job ends its first one itself.
    expect(await one.run({ task: 'exit', value: 1, signals, at: 1 })).toBe('survived');
    expect(one.stats).toMatchObject({ lost: 2 });
  });

  it('removes a queued job whose client disconnects', async () => {
    const one = pool({ workers: 1 });
    const held = await startBlockingJob(one);
    const client = new AbortController();
    const signals = newCounters();
    const gone = one.run({ task: 'order', signals }, client.signal);
    const stays = one.run({ task: 'order', signals });
    client.abort(new Error('the client disconnected'));
    await expect(gone).rejects.toThrow('the client disconnected');
    expect(one.stats).toMatchObject({ queued: 1 });
    held.end();
    expect(await stays).toBe(0);
  });

  it('drops the result of a running job whose client disconnects, and keeps the worker', async () => {
    const one = pool({ workers: 1 });
    const signals = newCounters();
    const client = new AbortController();
    const gone = one.run({ task: 'wait', signals }, client.signal);
    await expect.poll(() => Atomics.load(signals, 0)).toBe(1);
    client.abort();
    await expect(gone).rejects.toThrow(/abort/);
    Atomics.store(signals, 1, 1);
    expect(await one.run({ task: 'echo', value: 'next' })).toBe('next');
    expect(one.stats).toMatchObject({ lost: 0 });
    await expect(one.run({ task: 'echo' }, client.signal)).rejects.toThrow(/abort/);
  });

  it('finishes running jobs and rejects the others when it closes', async () => {
    const one = pool({ workers: 1 });
    const held = await startBlockingJob(one);
    const waiting = one.run({ task: 'echo' });
    const closed = one.close();
    await expect(waiting).rejects.toMatchObject({ name: 'UnavailableError' });
    await expect(one.run({ task: 'echo' })).rejects.toMatchObject({ name: 'UnavailableError' });
    held.end();
    await closed;
    expect(await held.result).toBe('held');
    expect(one.stats).toMatchObject({ done: 1, lost: 0 });
  });

  it('closes without waiting for a job whose client disconnected', async () => {
    const one = pool({ workers: 1 });
    const client = new AbortController();
    const gone = one.run({ task: 'silence' }, client.signal);
    client.abort();
    await expect(gone).rejects.toThrow(/abort/);
    await one.close();
  });
});
