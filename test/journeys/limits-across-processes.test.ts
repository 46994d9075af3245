/** Runs two compiled processes of the service with a real Redis. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase } from '../support/database.ts';
import { startService, type RunningService } from '../support/processes.ts';
import { hasRedis, testRedis, type TestRedis } from '../support/servers/redis.ts';

const { env } = await testDatabase('empty');

const AWAY = 'Redis is unavailable: each process counts limits on its own';
const BACK = 'Redis is available again: limits count for all processes';
/** Returns how often a service has logged a message. Its output arrives with a delay. */
const timesLogged = (service: RunningService, message: string) =>
  service.output().split(message).length - 1;
async function expectLogged(service: RunningService, message: string, count: number) {
  await expect.poll(() => timesLogged(service, message)).toBe(count);
}

describe.skipIf(!hasRedis)('two processes behind one proxy', () => {
  let redis: TestRedis;
  let services: RunningService[] = [];
  let clients = 0;
  const newClient = () => `203.0.113.${++clients}`;

  beforeAll(async () => {
    redis = await testRedis();
    await redis.start();
    const settings = {
      ...env,
      SAMPLE_DATA: 'never',
      REDIS_URL: redis.url,
      TRUSTED_PROXIES: '127.0.0.1',
    };
    services = await Promise.all([startService(settings), startService(settings)]);
  });
  afterAll(async () => {
    await Promise.all(services.map((service) => service.stop()));
    await redis.stop();
  });

  const ask = (service: RunningService, client: string) =>
    fetch(`${service.url}/public/zip/1`, { headers: { 'X-Forwarded-For': client } });
  const left = async (service: RunningService, client: string) =>
    Number((await ask(service, client)).headers.get('X-RateLimit-Remaining'));
  const leftOfBoth = async (client: string) => [
    await left(services[0]!, client),
    await left(services[1]!, client),
  ];

  it('share the limits of a client', async () => {
    expect(await leftOfBoth(newClient())).toEqual([99, 98]);
  });

  it('serve exactly the quota between them if all requests come at once', async () => {
    const client = newClient();
    const answers = await Promise.all(
      Array.from({ length: 130 }, (_, i) => ask(services[i % 2]!, client)),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(30);
    for (const { headers } of refused) {
      expect(Number(headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
    }
  });

  it('count separately while Redis is down, and log once when it goes and returns', async () => {
    await redis.stop();
    const client = newClient();
    expect(await leftOfBoth(client)).toEqual([99, 99]);
    expect(await leftOfBoth(client)).toEqual([98, 98]);
    for (const service of services) await expectLogged(service, AWAY, 1);

    await redis.start();
    for (const service of services) await expectLogged(service, BACK, 1);
    expect(await leftOfBoth(newClient())).toEqual([99, 98]);
  });

  it('keep answering while Redis is connected but doesn’t respond', async () => {
    const before = services.map((service) => timesLogged(service, AWAY));
    redis.freeze();
    try {
      const client = newClient();
      expect(await leftOfBoth(client)).toEqual([99, 99]);
      for (const [i, service] of services.entries()) {
        await expectLogged(service, AWAY, before[i]! + 1);
      }
    } finally {
      redis.thaw();
    }
    for (const service of services) await expectLogged(service, BACK, 2);
    expect(await leftOfBoth(newClient())).toEqual([99, 98]);
  });

  it('start without Redis and log it', async () => {
    const nowhere = {
      ...env,
      SAMPLE_DATA: 'never',
      REDIS_URL: 'redis://127.0.0.1:1',
      TRUSTED_PROXIES: '127.0.0.1',
    };
    const service = await startService(nowhere);
    expect(await left(service, newClient())).toBe(99);
    await expectLogged(service, AWAY, 1);
    expect(await service.stop()).toBe(0);
  });

  it('disconnect from Redis when they stop', async () => {
    const service = await startService({ ...env, SAMPLE_DATA: 'never', REDIS_URL: redis.url });
    expect(await service.stop()).toBe(0);
    expect(service.output()).not.toContain(AWAY);
  });
});
