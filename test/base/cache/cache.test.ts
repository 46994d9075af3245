import { afterAll, describe, expect, it } from 'vitest';
import { cacheOf, limitCache } from '../../../src/base/cache/cache.ts';

const MB = 2 ** 20;
afterAll(() => limitCache(192));

/** A cache whose values are sizes in bytes, and the keys that it made */
function sizes() {
  const made: string[] = [];
  const cache = cacheOf<number>((bytes) => bytes);
  const find = (key: string, bytes = MB) =>
    cache.find(key, async () => {
      made.push(key);
      return bytes;
    });
  return { made, find };
}

describe('the cache of a process', () => {
  it('makes a value once for all who ask at the same time, and keeps it', async () => {
    const { made, find } = sizes();
    await Promise.all([find('a'), find('a')]);
    expect(await find('a')).toBe(MB);
    expect(made).toEqual(['a']);
  });

  it('keeps no failure', async () => {
    const cache = cacheOf<string>(() => 1);
    const failing = () => Promise.reject(new Error('away'));
    const [first, second] = await Promise.allSettled([
      cache.find('a', failing),
      cache.find('a', failing),
    ]);
    expect([first.status, second.status]).toEqual(['rejected', 'rejected']);
    expect(await cache.find('a', async () => 'here')).toBe('here');
  });

  it('keeps the keys of its parts apart', async () => {
    const [one, other] = [sizes(), sizes()];
    await one.find('a', 1);
    expect(await other.find('a', 2)).toBe(2);
  });

  it('gives up what was used least recently, of whichever part', async () => {
    limitCache(16);
    const [one, other] = [sizes(), sizes()];
    for (let i = 0; i < 10; i++) await one.find(`${i}`);
    await one.find('0');
    for (let i = 0; i < 10; i++) await other.find(`${i}`);
    await one.find('0');
    await one.find('1');
    expect(one.made.slice(10)).toEqual(['1']);
  });

  it('returns a value that is larger than itself, and doesn’t keep it', async () => {
    limitCache(16);
    const { made, find } = sizes();
    await find('small');
    expect(await Promise.all([find('large', 17 * MB), find('small')])).toEqual([17 * MB, MB]);
    await find('large', 17 * MB);
    expect(made).toEqual(['small', 'large', 'large']);
  });
});
