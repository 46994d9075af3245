import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { POLICIES } from '../../src/contract/limits.ts';
import { memoryLimiter } from '../../src/metering/limiter.ts';

const { quota, windowSeconds } = POLICIES.public;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('reports no more seconds than the window has', () => {
  vi.spyOn(performance, 'now').mockReturnValueOnce(8_403.696914660142);
  expect(memoryLimiter().count('public', 'a')).toMatchObject({ resetSeconds: windowSeconds });
});

it('counts each client in windows that start with its first request', () => {
  const { count: spend } = memoryLimiter();
  const requests = (count: number, client = 'a') =>
    Array.from({ length: count }, () => spend('public', client)).at(-1);
  expect(requests(quota)).toMatchObject({
    ...{ policy: 'public', quota, windowSeconds, remaining: 0, resetSeconds: windowSeconds },
    exceeded: false,
  });
  vi.advanceTimersByTime(1_500);
  expect(requests(1)).toMatchObject({ exceeded: true, remaining: 0, resetSeconds: 59 });
  expect(requests(1, 'b')).toMatchObject({ exceeded: false, remaining: quota - 1 });
  expect(spend('site', 'a')).toMatchObject({ exceeded: false });
  vi.advanceTimersByTime(windowSeconds * 1000 - 1_500);
  expect(requests(1)).toMatchObject({ remaining: quota - 1, resetSeconds: windowSeconds });
  expect(requests(1, 'b')).toMatchObject({ remaining: quota - 2, resetSeconds: 2 });
});
