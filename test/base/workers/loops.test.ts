import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { everyFew } from '../../../src/base/workers/loops.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const warn = vi.fn<(facts: { err: unknown }, message: string) => void>();
const options = { log: { warn }, failed: 'emails can’t be sent; retrying' };
beforeEach(() => void warn.mockClear());

describe('a loop', () => {
  it('pauses after each turn, as long as the turn says', async () => {
    const pauses = [undefined, 5_000, undefined];
    const work = vi.fn<() => Promise<number | void>>(async () => pauses.shift());
    const loop = everyFew(1_000, work, { ...options, firstMs: 100 });
    expect(work).toHaveBeenCalledTimes(0);
    await vi.advanceTimersByTimeAsync(100);
    expect(work).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(work).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(4_999);
    expect(work).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(work).toHaveBeenCalledTimes(3);
    await loop.close();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(work).toHaveBeenCalledTimes(3);
  });

  it('logs the first of consecutive failures, and goes on', async () => {
    const results = ['away', 'away', null, 'away again', null];
    const work = vi.fn<() => Promise<number | void>>(async () => {
      const problem = results.shift();
      if (problem) throw new Error(problem);
    });
    const loop = everyFew(1_000, work, { ...options, retryMs: 3_000 });
    await vi.advanceTimersByTimeAsync(2_999);
    expect(work).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1 + 3_000 + 1_000 + 3_000);
    expect(work).toHaveBeenCalledTimes(5);
    expect(warn.mock.calls.map(([{ err }, message]) => `${String(err)}: ${message}`)).toEqual([
      'Error: away: emails can’t be sent; retrying',
      'Error: away again: emails can’t be sent; retrying',
    ]);
    await loop.close();
  });

  it('begins the next turn sooner if asked to, but never later', async () => {
    const work = vi.fn<() => Promise<number | void>>(async () => {});
    const loop = everyFew(60_000, work, options);
    await vi.advanceTimersByTimeAsync(0);
    loop.hurry(2_000);
    loop.hurry(50_000);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(work).toHaveBeenCalledTimes(2);
    await loop.close();
  });

  it('ends after its current turn and what it has begun, but waits no longer than it may', async () => {
    let end = () => {};
    const ended = new Promise<void>((resolve) => (end = resolve));
    const signals: AbortSignal[] = [];
    const atEnd = vi.fn<() => Promise<void>>(async () => {});
    const loop = everyFew(
      1_000,
      (signal) => {
        signals.push(signal);
        return ended;
      },
      { ...options, atEnd },
    );
    const late = loop.close(500);
    await vi.advanceTimersByTimeAsync(500);
    await late;
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(atEnd).not.toHaveBeenCalled();
    end();
    await loop.close(500);
    expect(atEnd).toHaveBeenCalledTimes(1);
  });
});
