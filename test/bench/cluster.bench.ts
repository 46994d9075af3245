/**
 * The CPU time of a cached answer with two processes behind one port, compared with two services on ports of
 * their own and with one service. Two processes that share nothing already take more time than one on a
 * busy machine, because they share its caches.
 */
import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { afterAll, expect, it } from 'vitest';
import { testDatabase } from '../support/database.ts';
import { startService, type RunningService } from '../support/processes.ts';
import { report } from './ceilings.ts';

const ROUNDS = 15;
/** Until the compiler has optimized the code */
const WARM_UP = 5;
const ANSWERS = 12_000;
/** So many that each stays below its limit */
const CLIENTS = 20_000;
const PATH = '/public/zip/75201';

const { env } = await testDatabase('sample');
const start = (count: number) =>
  startService({
    ...env,
    WEB_CONCURRENCY: String(count),
    SAMPLE_DATA: 'never',
    TRUSTED_PROXIES: '127.0.0.1',
  });
const setups = {
  'one process': { services: [await start(1)], connections: 16 },
  'two services': { services: [await start(1), await start(1)], connections: 32 },
  'two processes': { services: [await start(2)], connections: 32 },
};
type Setup = (typeof setups)['one process'];
afterAll(() =>
  Promise.all(
    Object.values(setups).flatMap(({ services }) => services.map((service) => service.stop())),
  ),
);

/** Ticks of 10 ms that a process and its children have used, in user and kernel mode */
function cpuTicks(pid: number): number {
  const statOf = (id: number | string) => {
    const text = readFileSync(`/proc/${id}/stat`, 'utf8');
    return text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
  };
  const children = readdirSync('/proc').filter((id) => /^\d+$/.test(id) && parentOf(id) === pid);
  function parentOf(id: string): number {
    try {
      return statOf(id)[1]!;
    } catch {
      return 0; // ended meanwhile
    }
  }
  const [user, system] = statOf(pid).slice(11, 13) as [number, number];
  return children.reduce((sum, id) => sum + cpuTicks(Number(id)), user + system);
}

/** Microseconds of CPU per answer */
async function cpuPerAnswer({ services, connections }: Setup): Promise<number> {
  const ticks = () => services.reduce((sum, { process: { pid } }) => sum + cpuTicks(pid!), 0);
  const before = ticks();
  const perService = {
    connections: connections / services.length,
    total: ANSWERS / services.length,
  };
  await Promise.all(services.map((service) => load(service, perService)));
  return ((ticks() - before) * 10_000) / ANSWERS;
}

async function load({ url }: RunningService, amount: object): Promise<void> {
  const worker = new Worker(new URL('load.mjs', import.meta.url), {
    workerData: {
      ...{ port: Number(new URL(url).port), path: PATH, headers: ['Accept-Encoding: br'] },
      ...{ clients: CLIENTS, ...amount },
    },
  });
  await once(worker, 'message');
}

/** Other work on the machine only adds to the time. */
const quartile = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 2]!;

it('costs little', async () => {
  const times: Record<string, number[]> = {};
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    for (const [name, setup] of Object.entries(setups)) {
      const us = await cpuPerAnswer(setup);
      if (round >= 0) (times[name] ??= []).push(us);
    }
  }
  const us = Object.entries(times).map(([name, all]) => [name, quartile(all)] as const);
  const two = us.at(-1)![1];
  for (const [name, one] of us) {
    report(`${name}: ${one.toFixed(1)} us of CPU per answer; ratio ${(two / one).toFixed(3)}`);
  }
  expect(two / us[1]![1]).toBeLessThan(1.3);
});
