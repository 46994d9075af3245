import { describe, expect, it } from 'vitest';
import { preparedCache } from '../../src/http/answers/prepared-cache.ts';

/** A cache over data whose stamp and state a test changes. */
function cacheOf(options: { maxBytes?: number } = {}) {
  const data = { stamp: '1', away: false, made: [] as string[] };
  const cached = preparedCache({
    maxBytes: options.maxBytes ?? 1e6,
    data: {
      stampMs: 1,
      stamp: async () => {
        if (data.away) throw new Error('away');
        return data.stamp;
      },
    },
  });
  const ask = async (key: string) => {
    const prepared = await cached(key, async () => {
      if (data.away) throw new Error('away');
      data.made.push(key);
      return JSON.stringify(`${key} of ${data.stamp}`.padEnd(100));
    });
    return (JSON.parse(prepared.bytes.toString()) as string).trim();
  };
  const stampGrowsOld = () => new Promise((resolve) => setTimeout(resolve, 5));
  return { data, ask, stampGrowsOld };
}

describe('the cache of prepared answers', () => {
  it('makes an answer once while the data stays', async () => {
    const { data, ask, stampGrowsOld } = cacheOf();
    await Promise.all([ask('a'), ask('a')]);
    await stampGrowsOld();
    expect(await ask('a')).toBe('a of 1');
    expect(data.made).toEqual(['a']);
  });

  it('makes it anew when the data has changed', async () => {
    const { data, ask, stampGrowsOld } = cacheOf();
    await ask('a');
    data.stamp = '2';
    await stampGrowsOld();
    expect(await ask('a')).toBe('a of 2');
  });

  it('never keeps a failure, and keeps what it has through one', async () => {
    const { data, ask, stampGrowsOld } = cacheOf();
    data.away = true;
    await expect(ask('a')).rejects.toThrow('away');
    data.away = false;
    expect(await ask('a')).toBe('a of 1');
    data.away = true;
    await stampGrowsOld();
    expect(await ask('a')).toBe('a of 1');
    await expect(ask('b')).rejects.toThrow('away');
  });

  it('lets go of the oldest when room is short, and answers also what never fits', async () => {
    const { data, ask } = cacheOf({ maxBytes: 500 });
    for (const key of ['a', 'b', 'c', 'a']) await ask(key);
    expect(data.made).toEqual(['a', 'b', 'c', 'a']);
    const tiny = cacheOf({ maxBytes: 10 });
    const answers = await Promise.all(['a', 'b', 'c'].map((key) => tiny.ask(key)));
    expect(answers).toEqual(['a of 1', 'b of 1', 'c of 1']);
  });
});
