/**
 * The memory of a service on a small machine, from outside its process: idle after a first start with sample data, and
 * after many pictures. PostGIS counts only if TEST_DATABASE_URL names a server.
 */
import { loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, inject, it } from 'vitest';
import { testDatabase, testFolder } from '../support/database.ts';
import { requestPictures } from '../support/many-pictures.ts';
import { memoryOf, processesOf } from '../support/memory.ts';
import { startService, type RunningService } from '../support/processes.ts';
import { report } from './ceilings.ts';

const PICTURES = 240;
/** What the first requests need is loaded within this time, and garbage is collected. */
const SETTLED_MS = 20_000;

/** As in the image and in the unit for systemd */
const MALLOC = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '262144' };

const databases = [
  { name: 'embedded', env: { DATA_DIR: testFolder() } as Record<string, string> },
  ...(inject('testServer')
    ? [{ name: 'PostGIS', env: { ...(await testDatabase('blank')).env, SAMPLE_DATA: 'always' } }]
    : []),
];
const running = new Set<RunningService>();
afterAll(() => Promise.all(Array.from(running, (service) => service.stop())));

async function start(env: Record<string, string>): Promise<RunningService> {
  const service = await startService({ ...env, ...MALLOC, TRUSTED_PROXIES: '127.0.0.1' });
  running.add(service);
  await expect.poll(service.output).toMatch(/Try next|Sign in to the demo/);
  await delay(SETTLED_MS);
  return service;
}

/** Resident memory of the process and of the embedded database's, now and at most, and the machine's load */
function reportMemory(row: string, { process: { pid } }: RunningService): void {
  const [service, ...others] = processesOf(pid!).map(memoryOf);
  const show = (read: ReturnType<typeof memoryOf>) =>
    `${read('VmRSS').toFixed()} MB (at most ${read('VmHWM').toFixed()})`;
  const parts = [`service ${show(service!)}`, ...others.map((read) => `database ${show(read)}`)];
  report(`${row}: ${parts.join(', ')}; load ${loadavg()[0]!.toFixed(1)}`);
}

it.each(databases)('memory on $name', async ({ name, env }) => {
  const first = await start(env);
  reportMemory(`${name}, idle after the first start`, first);
  await first.stop();
  for (const atOnce of [3, 1]) {
    const service = await start(env);
    reportMemory(`${name}, idle after a start`, service);
    await requestPictures(service.url, PICTURES, atOnce);
    expect(service.process.exitCode).toBeNull();
    reportMemory(`${name}, after ${PICTURES} pictures, ${atOnce} at a time`, service);
    await service.stop();
  }
});
