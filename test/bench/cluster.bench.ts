/**
 * The cost of sharing a port and limits: CPU time of a cached answer with two processes behind one port,
 * compared with two services on separate ports. Both setups run at the same time under the same load, so
 * other programs on the machine slow them equally. One service alone is faster than either, because two busy
 * cores share caches, memory, and often an execution unit.
 *
 * With a load of 12 on two cores, the ratio was 0.994 in one run, and from 0.949 to 1.096 in half of its 24
 * rounds.
 */
import { afterAll, expect, it } from 'vitest';
import { testDatabase } from '../support/database.ts';
import { startService, type RunningService } from '../support/processes.ts';
import { testRedis } from '../support/servers/redis.ts';
import { load, report } from './ceilings.ts';
import { cpuMs } from './process-cpu.ts';
import { median, quantile } from './quantile.ts';

const ROUNDS = 24;
/** Rounds until the compiler has optimized the code */
const WARM_UP = 8;
/** Answers per round, few enough that a pause of the machine affects only one round */
const ANSWERS = 4_000;
const CONNECTIONS = 32;
/**
 * Processes that send requests to each setup. With different numbers, one setup would wait for its clients
 * more often.
 */
const LOADS = 2;
/** Enough clients to keep each below its limit */
const CLIENTS = 20_000;
const PATH = '/public/zip/75201';

const { env } = await testDatabase('sample');
const redis = await testRedis();
await redis.start();
afterAll(() => redis.stop());
const start = (count: number) =>
  startService({
    ...env,
    WEB_CONCURRENCY: String(count),
    REDIS_URL: redis.url,
    SAMPLE_DATA: 'never',
    TRUSTED_PROXIES: '127.0.0.1',
  });
const setups = {
  'two services': [await start(1), await start(1)],
  'two processes': [await start(2)],
};
type Name = keyof typeof setups;
afterAll(() =>
  Promise.all(
    Object.values(setups).flatMap((services) => services.map((service) => service.stop())),
  ),
);

/** Microseconds of CPU per answer */
async function cpuPerAnswer(services: readonly RunningService[], round: number): Promise<number> {
  const used = () => 1e3 * services.reduce((sum, { process: { pid } }) => sum + cpuMs(pid!), 0);
  const before = used();
  const amount = { connections: CONNECTIONS / LOADS, total: ANSWERS / LOADS, clients: CLIENTS };
  await Promise.all(
    Array.from({ length: LOADS }, (_, i) =>
      load(
        services.map(({ url }) => Number(new URL(url).port)),
        PATH,
        { ...amount, first: (round * LOADS + i) * amount.total },
      ),
    ),
  );
  return (used() - before) / ANSWERS;
}

it('costs little', async () => {
  const rounds: Record<Name, number>[] = [];
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const [services, processes] = await Promise.all(
      Object.values(setups).map((services) => cpuPerAnswer(services, WARM_UP + round)),
    );
    if (round >= 0) rounds.push({ 'two services': services!, 'two processes': processes! });
  }
  for (const name of Object.keys(setups) as Name[]) {
    const us = median(rounds.map((round) => round[name]));
    report(`${name}: ${us.toFixed(1)} us of CPU per answer`);
  }
  const ratios = rounds.map((us) => us['two processes'] / us['two services']);
  const [low, high] = [1 / 4, 3 / 4].map((part) => quantile(ratios, part).toFixed(3));
  report(`ratio ${median(ratios).toFixed(3)}; half of the rounds: ${low} to ${high}`);
  expect(median(ratios)).toBeLessThan(1.3);
});
