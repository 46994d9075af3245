/** Events in a terminal, from scripted services. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { compiledModule } from '../../../src/base/workers/compiled-module.ts';
import { fakeService, scripted, territory } from './territory.ts';

const eventsFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, i) => ({
    id: `evt_${first + i}`,
    type: 'territory.approved',
    timestamp: '2026-11-29T10:00:00.000Z',
    data: { brand: { name: 'Lone Star' }, zipCount: 2 },
  }));
const pageOf = (first: number, count: number) => ({
  body: { events: eventsFrom(first, count), nextAfter: first + count - 1 },
});
const env = { TERRITORY_API_KEY: 'svc_live_key' };

it('are listed in a table', async () => {
  const service = await fakeService(scripted(pageOf(1, 1)));
  const { stdout } = await territory(service, 'events --type territory.approved --after 0', {
    env,
  });
  expect(stdout).toContain('2026-11-29 10:00  territory.approved  Lone Star, 2 ZIP codes  evt_1');
  expect(stdout).toContain('Later events: --after 1');
  expect(service.requests[0]!.url).toBe('/agent/events?after=0&types=territory.approved');
});

it('are printed as they happen, a line of JSON each, without a gap', async () => {
  const refusal = { status: 401, body: { error: 'The key was revoked.', code: 'unauthorized' } };
  const service = await fakeService(scripted(pageOf(1, 200), pageOf(201, 200), refusal));
  const { stdout, stderr } = await territory(service, 'events --follow', { env });
  const ids = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).id);
  expect(ids).toEqual(eventsFrom(1, 400).map(({ id }) => id));
  expect(service.requests.map(({ url }) => url)).toEqual([
    '/agent/events?limit=200',
    '/agent/events?after=200&limit=200',
    '/agent/events?after=400&limit=200',
  ]);
  expect(stderr).toContain('The key was revoked.');
});

it('are followed until nobody reads them', async () => {
  const service = await fakeService(scripted(pageOf(1, 200)));
  const command = `"${process.execPath}" "${compiledModule('doors/cli/territory.ts')}" events --follow | head -n 1`;
  const { stdout } = await promisify(execFile)('sh', ['-c', command], {
    env: { PATH: process.env.PATH, TERRITORY_URL: service.url, ...env },
  });
  expect(JSON.parse(stdout).id).toBe('evt_1');
});
