/** Counts that processes share through a file. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { openCountLog, type CountLog } from '../../src/start/count-log.ts';
import { sharedLimiter } from '../../src/start/limiter.ts';
import { createLog } from '../../src/observe/log.ts';
import { compiledModule } from '../../src/geodata/project-files.ts';
import { testFolder } from '../support/database.ts';
import { runs } from '../support/thorough.ts';

const KEYS = ['first client....', 'second client...', 'zÿ client\0......'];
const PROCESSES = 3;
const HOUR_MS = 3_600_000;

it('counts in the same order when processes add concurrently, restart, or lag behind', () => {
  const step = fc.oneof(
    {
      weight: 9,
      arbitrary: fc.tuple(fc.nat(PROCESSES - 1), fc.array(fc.nat(2), { maxLength: 7 })),
    },
    { weight: 1, arbitrary: fc.nat(PROCESSES - 1) },
  );
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 60 }),
      fc.integer({ min: 1, max: 9 }),
      (steps, room) => {
        const folder = mkdtempSync(join(testFolder(), 'counts-'));
        const open = (i: number) => openCountLog(folder, { writer: i + 1, room });
        const logs: CountLog[] = Array.from({ length: PROCESSES }, (_, i) => open(i));
        const expected = KEYS.map(() => 0);
        for (const one of steps) {
          if (typeof one === 'number') {
            logs[one]!.close();
            logs[one] = open(one);
            continue;
          }
          const [process, keys] = one;
          const additions = keys.map((i) => ({ key: KEYS[i]!, windowMs: HOUR_MS }));
          const counted = logs[process]!.add(additions).map(({ count }) => count);
          expect(counted).toEqual(keys.map((i) => ++expected[i]!));
        }
        for (const log of logs) log.close();
        expect(readdirSync(folder).length).toBeLessThanOrEqual(2);
        rmSync(folder, { recursive: true });
      },
    ),
    { numRuns: runs(150) },
  );
});

it('starts at one again when a window has ended', async () => {
  // Longer than a busy machine keeps a process from running
  const WINDOW_MS = 1_500;
  const log = openCountLog(mkdtempSync(join(testFolder(), 'counts-')), { room: 4 });
  const add = () => log.add([{ key: KEYS[0]!, windowMs: WINDOW_MS }])[0]!.count;
  expect([add(), add(), add(), add(), add()]).toEqual([1, 2, 3, 4, 5]);
  await delay(WINDOW_MS + 10);
  expect([add(), add()]).toEqual([1, 2]);
  log.close();
});

it('neither loses nor duplicates counts while processes are killed', async () => {
  const folder = mkdtempSync(join(testFolder(), 'counts-'));
  const results = mkdtempSync(join(testFolder(), 'results-'));
  const running = new Set<ChildProcess>();
  onTestFinished(() => running.forEach((child) => child.kill('SIGKILL')));
  let started = 0;
  async function start(): Promise<void> {
    const args = [compiledModule('start/count-log.ts'), folder, join(results, `${++started}`)];
    const child = fork(new URL('counting-process.mjs', import.meta.url), args, { execArgv: [] });
    running.add(child);
    await once(child, 'message');
  }
  await Promise.all([start(), start(), start()]);
  for (let kill = 0; kill < 5; kill++) {
    await delay(Math.random() * 100);
    const [victim] = running;
    running.delete(victim!);
    victim!.kill('SIGKILL');
    await start();
  }
  for (const child of running) child.kill('SIGKILL');
  await Promise.all([...running].map((child) => child.exitCode ?? once(child, 'exit')));

  const files = readdirSync(results).map((name) => readFileSync(join(results, name), 'utf8'));
  const counts = files.flatMap((text) => text.trim().split('\n').map(Number));
  expect(counts.length).toBeGreaterThan(1_000);
  expect(new Set(counts).size).toBe(counts.length);
  // A process killed between the two writes has added up to three that it didn't report.
  expect(counts.reduce((a, b) => Math.max(a, b)) - counts.length).toBeLessThanOrEqual(3 * started);
  const final = openCountLog(folder);
  const [total] = final.add([{ key: 'the same client.', windowMs: HOUR_MS }]);
  expect(total!.count - 1 - counts.length).toBeLessThanOrEqual(3 * started);
  final.close();
});

it('limits each process separately if the folder can’t be used', async () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const limiter = sharedLimiter('/nonexistent/folder', log);
  const standings = await Promise.all(
    Array.from({ length: 21 }, () => limiter.count('sign-in', '203.0.113.7')),
  );
  expect(standings.filter(({ exceeded }) => exceeded)).toHaveLength(1);
  await limiter.close();
  expect(lines.filter((line) => line.includes('each process counts'))).toHaveLength(1);
});
