import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { badRequest } from '../../../src/errors.ts';
import { memoryShares, shareMemory } from '../../../src/base/workers/memory.ts';
import { JobKind, jobsInUseMb, shareThreads } from '../../../src/base/workers/once.ts';

const module = fileURLToPath(new URL('tasks.mjs', import.meta.url));

interface Job {
  task: string;
  value?: unknown;
  signals?: Int32Array;
}

const kindOf = (options: { deadlineMs?: number; threads?: number; heapMb?: number } = {}) =>
  new JobKind<Job, unknown, string>({
    module,
    megabytes: options.heapMb ?? 64,
    busy: 'Many files wait. Try again in a minute.',
    exceeded: (what, cause) => badRequest(`The file takes too much ${what}.`, { cause }),
    ...options,
  });

beforeEach(() => {
  shareThreads(4);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => void vi.useRealTimers());

/** A turn that lasts until `end()`, in which a job can run. */
function hold(kind: JobKind<Job, unknown, string>, signal?: AbortSignal) {
  let end = () => {};
  let isRunning = false;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const result = kind.run(
    async () => {
      isRunning = true;
      await ended;
    },
    { signal },
  );
  return { end, result, isRunning: () => isRunning };
}

describe('jobs with a thread of their own', () => {
  it('share the threads of the process, of which no kind gets more than half', async () => {
    shareThreads(3);
    const [one, other] = [kindOf(), kindOf()];
    const turns = [one, one, one, other, other].map((kind) => hold(kind));
    const running = () => turns.map(({ isRunning }) => isRunning());
    await expect.poll(running).toEqual([true, true, false, true, false]);
    for (const { end } of turns) end();
    await Promise.all(turns.map(({ result }) => result));
  });

  it('wait until their memory is free, and aren’t overtaken by smaller ones', async () => {
    const shares = memoryShares();
    shareMemory({ ...shares, jobsMb: 200 });
    const [large, small] = [kindOf({ heapMb: 900 }), kindOf({ heapMb: 150 })];
    const turns = [small, large, small].map((kind) => hold(kind));
    const running = () => turns.map(({ isRunning }) => isRunning());
    await expect.poll(running).toEqual([true, false, false]);
    expect(jobsInUseMb()).toBe(150);
    turns[0]!.end();
    await expect.poll(running).toEqual([true, true, false]);
    expect(jobsInUseMb()).toBe(200);
    for (const { end } of turns) end();
    await Promise.all(turns.map(({ result }) => result));
    expect(jobsInUseMb()).toBe(0);
    shareMemory(shares);
  });

  it('go first if fewer of their kind run, although others have waited for longer', async () => {
    const [one, other, third] = [kindOf(), kindOf(), kindOf()];
    const turns = [third, third, other, one, one, kindOf()].map((kind) => hold(kind));
    const running = () => turns.map(({ isRunning }) => isRunning());
    await expect.poll(running).toEqual([true, true, true, true, false, false]);
    turns[0]!.end();
    await expect.poll(running).toEqual([true, true, true, true, false, true]);
    for (const { end } of turns) end();
    await Promise.all(turns.map(({ result }) => result));
  });

  it('start their deadline when they start, however long they have waited', async () => {
    const kind = kindOf({ threads: 1, deadlineMs: 1_000 });
    let end = () => {};
    const ended = new Promise<void>((resolve) => (end = resolve));
    const first = kind.run((turn) => turn.uncounted(() => ended));
    const waiting = kind.run((turn) => turn.inThread({ task: 'echo', value: 'done' }));
    await vi.advanceTimersByTimeAsync(10_000);
    end();
    expect(await first).toBeUndefined();
    expect(await waiting).toBe('done');
  });

  it('end with their thread at the deadline', async () => {
    const kind = kindOf({ deadlineMs: 1_000 });
    const late = kind.run((turn) => turn.inThread({ task: 'hang' })).catch(String);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await late).toContain('The file takes too much time.');
  });

  it('end with their thread if it needs too much memory, or fails', async () => {
    const kind = kindOf({ heapMb: 16 });
    await expect(kind.run((turn) => turn.inThread({ task: 'hoard' }))).rejects.toMatchObject({
      status: 400,
      message: 'The file takes too much memory.',
    });
    await expect(kind.run((turn) => turn.inThread({ task: 'throw' }))).rejects.toThrow(
      'the worker failed',
    );
    const answer = async (question: string) => `${question}?`;
    const asking = kind.run((turn) => turn.inThread({ task: 'ask', value: 'why' }, answer));
    expect(await asking).toBe('asked: why?');
  });

  it('are refused while too many of their kind wait, and only then', async () => {
    const kind = kindOf({ threads: 1 });
    const held = Array.from({ length: 9 }, () => hold(kind));
    expect(() => kind.refuseIfFull()).toThrow('Many files wait. Try again in a minute.');
    await expect(hold(kind).result).rejects.toMatchObject({ status: 503 });
    const other = hold(kindOf());
    for (const { end } of [...held, other]) end();
    await Promise.all([...held, other].map(({ result }) => result));
    expect(() => kind.refuseIfFull()).not.toThrow();
  });

  it('leave the queue, or end their thread, when their caller is gone', async () => {
    const kind = kindOf({ threads: 1 });
    const caller = new AbortController();
    const signals = new Int32Array(new SharedArrayBuffer(64));
    const running = kind.run((turn) => turn.inThread({ task: 'wait', signals }), {
      signal: caller.signal,
    });
    const waiting = hold(kind, caller.signal);
    await expect.poll(() => Atomics.load(signals, 0)).toBe(1);
    caller.abort(new Error('the client disconnected'));
    await expect(waiting.result).rejects.toThrow('the client disconnected');
    await expect(running).rejects.toThrow('the client disconnected');
    expect(waiting.isRunning()).toBe(false);
    expect(await kind.run((turn) => turn.inThread({ task: 'echo', value: 1 }))).toBe(1);
  });
});
