/**
 * A small machine: a first start, pictures, an upload, and an exhibit within the memory of a small machine. If this user
 * may make a control group, the system would end the service beyond the limit; its memory is watched anyway.
 *
 * `SMALL_MACHINE=full` draws 500 pictures and uploads a million rows.
 */
import { rmdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, describe, expect, inject, it, onTestFailed } from 'vitest';
import { compiledModule } from '../../src/base/workers/compiled-module.ts';
import { testDatabase, testFolder } from '../support/database.ts';
import { bearer } from '../support/keyed-app.ts';
import { requestPictures } from '../support/many-pictures.ts';
import { memoryGroup, processesOf, watchMemory } from '../support/memory.ts';
import { runAdmin, startListening } from '../support/processes.ts';

const isFull = process.env['SMALL_MACHINE'] === 'full';
const [PICTURES, ROWS] = isFull ? [500, 1_000_000] : [24, 100_000];

const machines = [
  { name: 'with the embedded database', limitMb: 1024, env: { DATA_DIR: testFolder() } },
  ...(inject('testServer')
    ? [{ name: 'beside PostGIS', limitMb: 700, env: (await testDatabase('blank')).env }]
    : []),
];

describe.each(machines)('a machine of $limitMb MB, $name', ({ limitMb, env }) => {
  const group = memoryGroup(limitMb);
  // Possible once all of its processes have ended
  const removed = () => {
    try {
      if (group) rmdirSync(group.folder);
      return true;
    } catch {
      return false;
    }
  };
  afterAll(async () => {
    while (!removed()) await delay(100);
  });

  it('has enough memory for everything', async () => {
    const settings = {
      ...env,
      SAMPLE_DATA: 'always',
      TRUSTED_PROXIES: '127.0.0.1',
      // A busy machine may be slow.
      DATABASE_TIMEOUT_MS: '60000',
      RENDER_DEADLINE_MS: '300000',
    };
    const main = [process.execPath, compiledModule('main.ts')];
    const service = group
      ? await startListening(settings, { command: group.within(main) })
      : await startListening({ ...settings, MEMORY_MB: String(limitMb) }, { command: main });
    onTestFailed(() => void service.stop('SIGKILL'));
    const memory = watchMemory(service.process.pid!);
    const reached: Record<string, number> = {};
    const note = (what: string) => (reached[what] = Math.round(memory.mostMb()));

    await service.ready;
    await expect.poll(service.output).toMatch(/svc_live_/);
    expect(service.output()).toContain(
      `"megabytes":${limitMb},"from":"${group ? 'container' : 'MEMORY_MB'}"`,
    );
    note('the first start');
    await requestPictures(service.url, PICTURES, 3);
    note(`${PICTURES} pictures`);

    await runAdmin(['plan', 'set', '--org', 'demo', '--status', 'active', '--write'], settings);
    const key = /svc_live_\w+/.exec(service.output())![0];
    const post = async (path: string, type: string, body: string) => {
      const headers = { ...bearer(key), 'Content-Type': type };
      const answer = await fetch(service.url + path, { method: 'POST', headers, body });
      expect([answer.status, answer.status === 200 || (await answer.text())]).toEqual([200, true]);
      return answer;
    };
    const rows = Array.from({ length: ROWS }, (_, i) => `${75_001 + (i % 400)},${i % 1_000}`);
    const table = ['zip,revenue', ...rows].join('\n');
    const query = 'name=Jobs&sum=revenue&preview=true';
    const upload = await post(`/agent/data-sets?${query}`, 'text/csv', table);
    expect(await upload.json()).toMatchObject({ rows: ROWS });
    note(`an upload of ${ROWS} rows`);
    const body = JSON.stringify({ brand: 'lone-star-roofing' });
    const exhibit = await post('/agent/territory-exhibit', 'application/json', body);
    expect((await exhibit.arrayBuffer()).byteLength).toBeGreaterThan(10_000);
    note('an exhibit');

    process.stdout.write(`${limitMb} MB: ${JSON.stringify(reached)}\n`);
    expect(service.process.exitCode).toBeNull();
    for (const most of Object.values(reached)) expect(most).toBeLessThan(limitMb);
    memory.stop();
    const all = processesOf(service.process.pid!);
    expect(await service.stop()).toBe(0);
    // The embedded database ends after its last client.
    await expect.poll(() => all.filter((pid) => isRunning(pid))).toEqual([]);
  });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
