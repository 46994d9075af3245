import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { preparedCache } from '../../../src/doors/http/answers/prepared-cache.ts';

/** Creates a cache over data that a test can change or make unreachable. */
function testCache() {
  const data = { stamp: '1', away: false, silent: false, lateMs: 0, made: [] as string[] };
  const cached = preparedCache({
    data: {
      stampMs: 1,
      stamp: async () => {
        if (data.silent) await new Promise(() => {});
        if (data.lateMs > 0) await delay(data.lateMs);
        if (data.away) throw new Error('away');
        return data.stamp;
      },
    },
  });
  const get = async (key: string) => {
    const prepared = await cached(key, async () => {
      if (data.away) throw new Error('away');
      data.made.push(key);
      return JSON.stringify(`${key} of ${data.stamp}`.padEnd(100));
    });
    return (JSON.parse(prepared.bytes.toString()) as string).trim();
  };
  const stampExpires = () => new Promise((resolve) => setTimeout(resolve, 5));
  return { data, get, stampExpires };
}

describe('the cache of prepared answers', () => {
  it('makes an answer once while the data is unchanged', async () => {
    const { data, get, stampExpires } = testCache();
    await Promise.all([get('a'), get('a')]);
    await stampExpires();
    expect(await get('a')).toBe('a of 1');
    expect(data.made).toEqual(['a']);
  });

  it('makes an answer again when the data changes', async () => {
    const { data, get, stampExpires } = testCache();
    await get('a');
    data.stamp = '2';
    await stampExpires();
    expect(await get('a')).toBe('a of 2');
  });

  it('doesn’t cache failures, and serves cached answers during them', async () => {
    const { data, get, stampExpires } = testCache();
    data.away = true;
    await expect(get('a')).rejects.toThrow('away');
    data.away = false;
    expect(await get('a')).toBe('a of 1');
    data.away = true;
    await stampExpires();
    expect(await get('a')).toBe('a of 1');
    await expect(get('b')).rejects.toThrow('away');
  });

  it('doesn’t wait for data that stays silent', async () => {
    const { data, get, stampExpires } = testCache();
    await get('a');
    data.silent = true;
    await stampExpires();
    const start = performance.now();
    for (let i = 0; i < 20; i++) expect(await get('a')).toBe('a of 1');
    expect(performance.now() - start).toBeLessThan(1_000);
  });

  it('reads a late stamp in the background', async () => {
    const { data, get, stampExpires } = testCache();
    await get('a');
    data.stamp = '2';
    data.lateMs = 150;
    await stampExpires();
    expect(await get('a')).toBe('a of 1');
    await expect.poll(() => get('a')).toBe('a of 2');
  });
});
