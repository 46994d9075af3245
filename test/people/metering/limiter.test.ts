import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { POLICIES } from '../../../src/base/contract/limits.ts';
import { memoryLimiter } from '../../../src/people/metering/limiter.ts';

const { quota, windowSeconds } = POLICIES.public;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('counts each client in windows that start with its first request', async () => {
  const { count: spend } = memoryLimiter();
  const requests = async (count: number, client = 'a') => {
    const standings = Array.from({ length: count }, () => spend('public', client));
    return (await Promise.all(standings)).at(-1);
  };
  expect(await requests(quota)).toMatchObject({
    policy: 'public',
    quota,
    windowSeconds,
    remaining: 0,
    resetSeconds: windowSeconds,
    exceeded: false,
  });
  vi.advanceTimersByTime(1_500);
  expect(await requests(1)).toMatchObject({ exceeded: true, remaining: 0, resetSeconds: 59 });
  expect(await requests(1, 'b')).toMatchObject({ exceeded: false, remaining: quota - 1 });
  expect(await spend('site', 'a')).toMatchObject({ exceeded: false });
  vi.advanceTimersByTime(windowSeconds * 1000 - 1_500);
  expect(await requests(1)).toMatchObject({ remaining: quota - 1, resetSeconds: windowSeconds });
  expect(await requests(1, 'b')).toMatchObject({ remaining: quota - 2, resetSeconds: 2 });
});

it('reads a standing without counting', async () => {
  const { count, read } = memoryLimiter();
  expect(await read('public', 'a')).toMatchObject({ remaining: quota, exceeded: false });
  await count('public', 'a');
  for (let i = 0; i < 3; i++) {
    expect(await read('public', 'a')).toMatchObject({ remaining: quota - 1, exceeded: false });
  }
});

it('reports no more seconds than the window has while the clock is set back', async () => {
  const { count } = memoryLimiter();
  await count('public', 'a');
  vi.setSystemTime(Date.now() - 3_600_000);
  expect(await count('public', 'a')).toMatchObject({ resetSeconds: windowSeconds });
});
