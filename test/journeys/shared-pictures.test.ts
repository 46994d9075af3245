/** Pictures that two processes of the service share in a real Redis. */
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase } from '../support/database.ts';
import { startService, type RunningService } from '../support/processes.ts';
import { hasRedis, testRedis, type TestRedis } from '../support/servers/redis.ts';

/** Generous, since this machine may be busy. */
const PATIENT_MS = 5_000;

const { env } = await testDatabase('sample');

describe.skipIf(!hasRedis)('pictures of two processes', () => {
  let redis: TestRedis;
  let services: RunningService[];
  beforeAll(async () => {
    redis = await testRedis();
    await redis.start();
    const start = () =>
      startService({
        ...env,
        SAMPLE_DATA: 'never',
        REDIS_URL: redis.url,
        REDIS_TIMEOUT_MS: `${PATIENT_MS}`,
        BASE_URL: 'http://territory.example',
        METRICS_PORT: '0',
        RENDER_ENGINE: 'canvas',
        RENDER_WORKERS: '1',
        RENDER_DEADLINE_MS: '120000',
        DATABASE_TIMEOUT_MS: '60000',
      });
    services = await Promise.all([start(), start()]);
  });
  afterAll(async () => {
    for (const { process } of services) process.kill('SIGKILL');
    await redis.stop();
  });

  const picture = (metro: string, style = 'light') =>
    `/public/metro/${metro}/vertical/roofing/map.png?size=400x400&style=${style}`;
  async function ask({ url }: RunningService, path: string): Promise<Buffer> {
    const answer = await fetch(url + path);
    expect(answer.status).toBe(200);
    return Buffer.from(await answer.arrayBuffer());
  }
  async function metric(service: RunningService, line: string): Promise<number> {
    const [, port] = /"metricsPort":(\d+)/.exec(service.output())!;
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    return Number(
      text
        .split('\n')
        .find((one) => one.startsWith(line))
        ?.split(' ')[1] ?? 0,
    );
  }
  const total = async (line: string) =>
    (await Promise.all(services.map((service) => metric(service, line)))).reduce((a, b) => a + b);
  const DRAWN = 'territory_render_pictures_total{outcome="drawn"}';

  it('are drawn once for both', async () => {
    const metros = ['dallas-tx', 'denver-co', 'chicago-il', 'portland-or', 'orlando-fl'];
    const counters = [
      DRAWN,
      'territory_shared_cache_requests_total{result="hit"}',
      'territory_shared_cache_requests_total{result="miss"}',
    ];
    const totals = () => Promise.all(counters.map(total));
    // If a machine pauses for 3 s, the other process takes over, as it should: another metro shows that it
    // usually doesn't.
    const drawNext = async () => {
      const metro = metros.shift()!;
      const before = await totals();
      for (const style of ['light', 'dark']) {
        const [a, b] = await Promise.all(
          services.map((service) => ask(service, picture(metro, style))),
        );
        expect(a!.equals(b!)).toBe(true);
      }
      return (await totals()).map((count, i) => count - before[i]!);
    };
    await expect.poll(drawNext).toEqual([2, 2, 2]);
  });

  it('are drawn without Redis while it doesn’t respond, and for both again afterwards', async () => {
    const [first, second] = services as [RunningService, RunningService];
    const known = picture('dallas-tx');
    redis.freeze();
    await ask(first, known);
    await ask(first, picture('atlanta-ga'));
    redis.thaw();
    const hits = () => metric(second, 'territory_shared_cache_requests_total{result="hit"}');
    const before = await hits();
    // Both look at Redis again within seconds. Each time, they need another picture.
    const metros = [
      'phoenix-az',
      'houston-tx',
      'tampa-fl',
      'austin-tx',
      'raleigh-nc',
      'seattle-wa',
    ];
    const paths = metros.flatMap((metro) =>
      ['light', 'dark'].map((style) => picture(metro, style)),
    );
    const drawNext = async () => {
      const path = paths.shift()!;
      await ask(first, path);
      await ask(second, path);
      return hits();
    };
    await expect.poll(drawNext, { interval: 1_000 }).toBeGreaterThan(before);
  });

  it('are drawn by the other if the process that draws is killed', async () => {
    const [first, second] = services as [RunningService, RunningService];
    const client = new Redis(redis.url);
    // More pictures than it draws at once, so that some aren't finished when it ends.
    const metros = ['chicago-il', 'tampa-fl', 'seattle-wa', 'denver-co', 'phoenix-az'];
    const paths = metros.map((metro) => picture(metro, 'muted'));
    const asked = paths.map((path) => ask(first, path).catch(() => 'lost'));
    const claims = async () => (await client.keys('*:claim')).length;
    await expect.poll(claims, { interval: 5 }).toBeGreaterThan(2);
    first.process.kill('SIGKILL');
    const drawn = await Promise.all(paths.map((path) => ask(second, path)));
    expect(drawn.map((png) => png.subarray(1, 4).toString())).toEqual(metros.map(() => 'PNG'));
    expect(await Promise.all(asked)).toContain('lost');
    await client.quit();
  });
});
