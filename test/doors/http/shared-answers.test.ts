/** Prepared answers that processes share in Redis. */
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { answerCaches } from '../../../src/doors/http/answers/answer-caches.ts';
import { hasRoom } from '../../../src/doors/http/answers/redis-room.ts';
import {
  openSharedAnswers,
  type SharedAnswers,
} from '../../../src/doors/http/answers/shared-answers.ts';
import { faultyProxy, type FaultyProxy } from '../../support/servers/faulty-proxy.ts';
import { testLog } from '../../support/log.ts';
import { hasRedis, testRedis, type TestRedis } from '../../support/servers/redis.ts';

/** Generous, since this machine may be busy; the tests of a slow Redis use the default. */
const PATIENT_MS = 5_000;
const QUICK_MS = 50;

/**
 * Longest time of an answer. From Redis it takes 1 ms, and without Redis little more than the deadline of
 * Redis.
 */
const NOTICEABLE_MS = 1_500;

async function measureMs<T>(work: () => Promise<T>): Promise<{ result: T; ms: number }> {
  const start = performance.now();
  const result = await work();
  return { result, ms: performance.now() - start };
}

describe.skipIf(!hasRedis)('answers shared in Redis', () => {
  let redis: TestRedis;
  let proxy: FaultyProxy;
  let processes: SharedAnswers[];
  const opened: SharedAnswers[] = [];

  /** A connection as a process has it */
  async function open(timeoutMs = PATIENT_MS, { url = redis.url, program = 'program' } = {}) {
    const namespace = async () => program;
    const shared = await openSharedAnswers(url, { timeoutMs, namespace }, testLog());
    opened.push(shared);
    return shared;
  }
  beforeAll(async () => {
    redis = await testRedis();
    await redis.start();
    proxy = await faultyProxy({ host: '127.0.0.1', port: Number(new URL(redis.url).port) });
    processes = [await open(), await open()];
  });
  afterEach(() => proxy.mend());
  afterAll(async () => {
    await Promise.all(opened.map((shared) => shared.close()));
    await proxy.close();
    await redis.stop();
  });

  let keys = 0;
  const newKey = () => ['pictures', 'stamp', `key ${++keys}`];
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();

  it('are made once for all processes, whatever they contain', async () => {
    const contents = ['', '\0\r\n', 'é'.repeat(1_000), 'x'.repeat(1_000_000)].map((content) => ({
      key: newKey(),
      content,
      made: 0,
    }));
    const askAll = () =>
      Promise.all(
        contents.flatMap((each) =>
          [...processes, ...processes].map(async (shared) => {
            const found = await shared.find(each.key, async () => {
              each.made++;
              await delay(50);
              return Buffer.from(each.content);
            });
            expect(text(found) === each.content).toBe(true);
          }),
        ),
      );
    await askAll();
    await askAll();
    expect(contents.map(({ made }) => made)).toEqual([1, 1, 1, 1]);
  });

  it('are made again for other data, another cache, and another program', async () => {
    const [cache, stamp, key] = newKey() as [string, string, string];
    const updated = await open(PATIENT_MS, { program: 'another' });
    const ask = async (shared: SharedAnswers, parts: string[], content: string) =>
      text(await shared.find(parts, async () => Buffer.from(content)));
    const [first] = processes as [SharedAnswers];
    expect(await ask(first, [cache, stamp, key], 'a')).toBe('a');
    expect(await ask(first, [cache, stamp, key], 'b')).toBe('a');
    expect(await ask(first, [cache, 'new stamp', key], 'c')).toBe('c');
    expect(await ask(first, ['tiles', stamp, key], 'd')).toBe('d');
    expect(await ask(updated, [cache, stamp, key], 'e')).toBe('e');
    // Parts never run together.
    expect(await ask(first, [cache, `${stamp} ${key}`, ''], 'f')).toBe('f');
  });

  it('are made by another process if the first fails', async () => {
    const key = newKey();
    const [first, second] = processes as [SharedAnswers, SharedAnswers];
    const failing = first.find(key, async () => {
      await delay(100);
      throw new Error('no font');
    });
    const waiting = delay(20).then(() => second.find(key, async () => Buffer.from('drawn')));
    await expect(failing).rejects.toThrow('no font');
    expect(text(await waiting)).toBe('drawn');
    expect(text(await first.find(key, async () => Buffer.from('again')))).toBe('drawn');
  });

  it('are made by each process if they are too large to share, without waiting for others', async () => {
    const key = newKey();
    const large = Buffer.alloc(4 * 1024 * 1024 + 1);
    let made = 0;
    const ask = (shared: SharedAnswers) =>
      shared.find(key, async () => {
        made++;
        return large;
      });
    for (const shared of [...processes, ...processes]) expect(await ask(shared)).toBe(large);
    expect(made).toBe(4);
    const client = new Redis(redis.url);
    const info = await client.info('memory');
    await client.quit();
    expect(Number(/used_memory:(\d+)/.exec(info)![1])).toBeLessThan(large.length);
  });

  it('belong to data that didn’t change while they were made', async () => {
    const data = { stamp: 1 };
    const services = processes.map((shared) =>
      answerCaches(() => 'http://territory.example', shared).answers({
        name: 'tiles',
        data: { stamp: async () => `${data.stamp}`, stampMs: 60_000 },
      }),
    );
    const made: string[] = [];
    const ask = async (service: number, changing = false) => {
      const { body } = await services[service]!('key', async ({ stamp }) => {
        made.push(stamp);
        if (changing) data.stamp = 2;
        return JSON.stringify(`of ${data.stamp}`);
      });
      return JSON.parse(body.bytes.toString()) as string;
    };
    // The first attempt is dropped, because it may contain both old and new data.
    expect(await ask(0, true)).toBe('of 2');
    expect(await ask(1)).toBe('of 2');
    expect(made).toEqual(['1', '2']);
  });

  it('are made without delay while Redis is silent, and shared again afterwards', async () => {
    const { port } = proxy;
    const shared = await open(QUICK_MS, { url: `redis://127.0.0.1:${port}` });
    proxy.blackHole();
    for (let i = 0; i < 3; i++) {
      const { result, ms } = await measureMs(() =>
        shared.find(newKey(), async () => Buffer.from('x')),
      );
      expect(text(result)).toBe('x');
      expect(ms).toBeLessThan(NOTICEABLE_MS);
    }
    await proxy.mend();
    await expect
      .poll(
        async () => {
          const key = newKey();
          await shared.find(key, async () => Buffer.from('mine'));
          return text(await processes[0]!.find(key, async () => Buffer.from('theirs')));
        },
        { interval: 500 },
      )
      .toBe('mine');
  });

  it('are made by each process while Redis is slow', async () => {
    const shared = await open(QUICK_MS, { url: `redis://127.0.0.1:${proxy.port}` });
    proxy.delay(400);
    const { ms } = await measureMs(async () => {
      for (let i = 0; i < 20; i++) await shared.find(newKey(), async () => Buffer.from('x'));
    });
    expect(ms).toBeLessThan(NOTICEABLE_MS);
  });

  it('leave room for the counters of limits in a full Redis', async () => {
    const small = await testRedis(['--maxmemory', '3mb', '--maxmemory-policy', 'noeviction']);
    await small.start();
    const shared = await open(PATIENT_MS, { url: small.url });
    for (let i = 0; i < 20; i++) {
      const content = Buffer.alloc(300_000, i);
      expect(content.equals(await shared.find(newKey(), async () => content))).toBe(true);
      // Redis is asked about its memory once a second.
      if (i < 8) await delay(1_050);
    }
    const counts = new Redis(small.url);
    expect(await counts.incr('limit')).toBe(1);
    await counts.quit();
    await small.stop();
  });

  it.each([
    ['an unlimited Redis up to 256 MB', 'maxmemory:0', 200, true],
    ['no more in an unlimited Redis', 'maxmemory:0', 300, false],
    ['a Redis that evicts keys', 'maxmemory:1000000\r\nmaxmemory_policy:allkeys-lru', 1, true],
    ['a quarter left of one that doesn’t', 'maxmemory:400000000', 299, false],
    ['a hosted Redis that reports nothing', '', 0, true],
  ])('use %s', (_, limits, usedMb, expected) => {
    expect(hasRoom(`# Memory\r\nused_memory:${usedMb * 1024 ** 2}\r\n${limits}\r\n`)).toBe(
      expected,
    );
  });
});
