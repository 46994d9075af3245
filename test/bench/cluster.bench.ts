/**
 * The CPU time of a cached answer with two processes behind one port, compared with two services on
 * separate ports: the cost of sharing a port and limits. Both answer at the same time and under the same load, so
 * other programs on the machine slow them equally. One service alone is faster than either, because
 * two busy cores share caches, memory, and often an execution unit.
 *
 * With a load of 12 to 20 on two cores, the ratio was 1.27, and in short alternating rounds 1.03 to 1.36. Two
 * pairs of processes with the same code differed as much. With a server that only counts requests, the
 * shared count takes 1.00 to 1.01 times the CPU of separate counts, so it doesn't explain the ratio. Two
 * workers behind one port took 0.95 to 1.22 times the CPU of two such servers at a load of 25, with either way
 * of handing over connections (SCHED_NONE, SCHED_RR): too wide a range to state the cost of the port.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { testDatabase } from '../support/database.ts';
import { startService, type RunningService } from '../support/processes.ts';
import { load, report } from './ceilings.ts';

const ROUNDS = 16;
/** Until the compiler has optimized the code */
const WARM_UP = 4;
const ANSWERS = 16_000;
const CONNECTIONS = 32;
/** Processes that send requests: as many for either, or one would wait for its client more often */
const LOADS = 2;
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
  'two services': [await start(1), await start(1)],
  'two processes': [await start(2)],
};
type Name = keyof typeof setups;
afterAll(() =>
  Promise.all(
    Object.values(setups).flatMap((services) => services.map((service) => service.stop())),
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
async function cpuPerAnswer(services: readonly RunningService[]): Promise<number> {
  const ticks = () => services.reduce((sum, { process: { pid } }) => sum + cpuTicks(pid!), 0);
  const before = ticks();
  const amount = {
    connections: CONNECTIONS / LOADS,
    total: ANSWERS / LOADS,
    clients: CLIENTS,
  };
  await Promise.all(
    Array.from({ length: LOADS }, () =>
      load(
        services.map(({ url }) => Number(new URL(url).port)),
        PATH,
        amount,
      ),
    ),
  );
  return ((ticks() - before) * 10_000) / ANSWERS;
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;

it('costs little', async () => {
  const rounds: Record<Name, number>[] = [];
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const [services, processes] = await Promise.all(Object.values(setups).map(cpuPerAnswer));
    if (round >= 0) rounds.push({ 'two services': services!, 'two processes': processes! });
  }
  for (const name of Object.keys(setups) as Name[]) {
    const us = median(rounds.map((round) => round[name]));
    report(`${name}: ${us.toFixed(1)} us of CPU per answer`);
  }
  const ratios = rounds.map((us) => us['two processes'] / us['two services']);
  report(`ratio ${median(ratios).toFixed(3)}`);
  expect(median(ratios)).toBeLessThan(1.3);
});
