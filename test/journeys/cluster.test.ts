/** Two processes of the compiled service behind one port, on a real database, with a real Redis. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { request } from 'node:http';
import { meterOf } from '../../src/people/metering/meter.ts';
import { testDatabase } from '../support/database.ts';
import { bearer, newKey } from '../support/keyed-app.ts';
import { startService, type RunningService } from '../support/processes.ts';
import { hasRedis, testRedis } from '../support/servers/redis.ts';

const { db, env } = await testDatabase('sample');
const redis = await testRedis();
const SETTINGS = {
  ...env,
  REDIS_URL: redis.url,
  WEB_CONCURRENCY: '2',
  METRICS_PORT: '0',
  SAMPLE_DATA: 'never',
  TRUSTED_PROXIES: '127.0.0.1',
  SHUTDOWN_SECONDS: '4',
  // With the default of 3 s, a busy machine's database refuses many calls at once with 503.
  DATABASE_TIMEOUT_MS: '60000',
};

let service: RunningService;
beforeAll(async () => {
  if (!hasRedis) return;
  await redis.start();
  service = await startService(SETTINGS);
});
afterAll(async () => {
  await service?.stop('SIGKILL');
  await redis.stop();
});

const logLinesOf = (message: string) =>
  service
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{') && line.includes(`"${message}"`))
    .map((line) => JSON.parse(line) as Record<string, any>);

/** Process ids of the workers that listened and run */
const runningWorkers = () =>
  logLinesOf('listening')
    .map(({ pid }) => pid as number)
    .filter(isAlive);

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

let clients = 0;
const newClient = () => `203.0.113.${++clients}`;

interface Counted {
  /** 0 if the connection breaks */
  status: number;
  remaining: number;
}

/** Uses a new connection, which either process may accept. */
const sendAs = (client: string) =>
  new Promise<Counted>((resolve) => {
    const broken = { status: 0, remaining: NaN };
    request(
      `${service.url}/public/zip/1`,
      { agent: false, headers: { 'X-Forwarded-For': client } },
      (response) =>
        response
          .resume()
          .once('error', () => {})
          .once('close', () => {
            const remaining = Number(response.headers['x-ratelimit-remaining']);
            resolve(response.complete ? { status: response.statusCode!, remaining } : broken);
          }),
    )
      .once('error', () => resolve(broken))
      .end();
  });

const statusOf = async (client: string) => (await sendAs(client)).status;

/** The quota of the policy `public`, and its window */
const QUOTA = 100;
const WINDOW_MS = 60_000;

describe.skipIf(!hasRedis)('two processes behind one port', () => {
  it('share the requests and count the limits together', async () => {
    await expect.poll(() => runningWorkers().length).toBe(2);
    const client = newClient();
    const counted = await Promise.all(Array.from({ length: 130 }, () => sendAs(client)));
    expect(counted.filter(({ status }) => status === 429)).toHaveLength(30);
    // Each header states how many were left when both processes had counted the request.
    const remaining = counted.filter(({ status }) => status !== 429).map((one) => one.remaining);
    expect(remaining.toSorted((a, b) => a - b)).toEqual([...Array(QUOTA).keys()]);
    const used = () => new Set(logLinesOf('request').map(({ pid }) => pid as number));
    // On a busy machine, one process may accept all these requests before the other listens.
    const usedLater = async () => {
      await statusOf(newClient());
      return used();
    };
    await expect.poll(usedLater).toEqual(new Set(runningWorkers()));
  });

  /** Kills a process while it serves a new client, which then uses up its quota. */
  async function countWhileKilled() {
    const client = newClient();
    const startedAt = performance.now();
    const counted = Promise.all(Array.from({ length: 20 }, () => statusOf(client)));
    const before = runningWorkers();
    process.kill(before[0]!, 'SIGKILL');
    const statuses = await counted;
    await expect.poll(() => runningWorkers().filter((pid) => !before.includes(pid)).length).toBe(1);
    statuses.push(...(await Promise.all(Array.from({ length: QUOTA }, () => statusOf(client)))));
    return {
      lost: statuses.filter((status) => status === 0).length,
      accepted: statuses.filter((status) => status !== 0 && status !== 429).length,
      ms: performance.now() - startedAt,
    };
  }

  it('count limits exactly while processes are killed, and replace them', async () => {
    for (let exact = 0; exact < 3;) {
      const { lost, accepted, ms } = await countWhileKilled();
      // A slow machine may take so long to start a process that the next minute’s quota begins.
      if (ms > WINDOW_MS) continue;
      exact++;
      // A request whose connection broke may or may not have been counted.
      expect(accepted).toBeLessThanOrEqual(QUOTA);
      expect(accepted).toBeGreaterThanOrEqual(QUOTA - lost);
    }
  });

  it('charge every answered call once while processes are killed', async () => {
    const { key, caller } = await newKey(db);
    const send = (id: number) =>
      fetch(`${service.url}/mcp`, {
        method: 'POST',
        headers: {
          ...bearer(key),
          'Content-Type': 'application/json',
          Connection: 'close',
          'X-Forwarded-For': newClient(),
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id,
          method: 'tools/call',
          params: { name: 'service_get_zip_profile', arguments: { zip: '75201' } },
        }),
      }).then(async (response) => ({ status: response.status, text: await response.text() }));
    const results: ('answered' | 'refused' | 'lost')[] = [];
    const call = async () => {
      const answer = await send(results.length).catch(() => undefined);
      if (!answer) return results.push('lost');
      // A process that replaces a killed one accepts calls while it starts.
      if (answer.text.includes('is starting')) return results.push('refused');
      expect(answer).toEqual({ status: 200, text: expect.stringContaining('75201') });
      results.push('answered');
    };
    const calls = Promise.all(Array.from({ length: 40 }, call));
    process.kill(runningWorkers()[0]!, 'SIGKILL');
    await calls;
    // The killed process may have had all of them.
    const last = async () => {
      await call();
      return results.at(-1);
    };
    await expect.poll(last, { interval: 500 }).toBe('answered');
    const answered = results.filter((result) => result === 'answered').length;
    const lost = results.filter((result) => result === 'lost').length;
    // Reservations of the killed process expire.
    const used = async () => (await meterOf(caller.tenant, caller.subscription)).unitsUsed;
    await expect.poll(used, { interval: 1_000 }).toBeLessThanOrEqual(answered + lost);
    expect(await used()).toBeGreaterThanOrEqual(answered);
    const charged = async () => {
      const [row] = await caller.tenant.query<{ units: number }>(
        'select coalesce(sum(units), 0) as units from usage_days where organization_id = $1',
      );
      return row!.units;
    };
    await expect.poll(used, { interval: 1_000 }).toBe(await charged());
  });

  it('add up their metrics', async () => {
    await expect.poll(() => runningWorkers().length).toBe(2);
    const port = logLinesOf('metrics are served')[0]!['metricsPort'] as number;
    const total = async () => {
      const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      expect(text).toMatch(/^territory_reviews_waiting \d/m);
      const samples = text.matchAll(
        /^territory_http_requests_total\{operation="getPublicVertical",status="200"\} (\d+)/gm,
      );
      return [...samples].map(([, count]) => Number(count));
    };
    for (let i = 0; i < 6; i++) {
      const answer = await fetch(`${service.url}/public/vertical/roofing`, {
        headers: { Connection: 'close', 'X-Forwarded-For': newClient() },
      });
      await answer.text();
    }
    await expect.poll(total).toEqual([6]);
    const [victim] = runningWorkers();
    process.kill(victim!, 'SIGKILL');
    await expect.poll(() => isAlive(victim!)).toBe(false);
    expect(await total()).toEqual([6]);
  });

  it('all end when the service is stopped, even with an open request', async () => {
    const running = runningWorkers();
    const open = request(`${service.url}/mcp`, {
      method: 'POST',
      headers: { 'Content-Length': 9 },
    });
    open.on('error', () => {}).write('{');
    const startedAt = performance.now();
    expect(await service.stop()).toBe(0);
    // An open request ends after 30 s by itself.
    expect(performance.now() - startedAt).toBeLessThan(25_000);
    expect(running.filter(isAlive)).toEqual([]);
  });
});

it.skipIf(!hasRedis)('workers end when their primary process is killed', async () => {
  service = await startService(SETTINGS);
  await expect.poll(() => runningWorkers().length).toBe(2);
  const running = runningWorkers();
  await service.stop('SIGKILL');
  await expect.poll(() => running.filter(isAlive)).toEqual([]);
});
