/** Processes that make due changes live are killed at any moment: no change is lost, halved, or made twice. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { projectFile } from '../../../../src/base/geodata/project-files.ts';
import { compiledModule } from '../../../../src/base/workers/compiled-module.ts';
import { approveChange } from '../../../../src/territories/brands/changes/decide.ts';
import { runDueChanges } from '../../../../src/territories/brands/changes/due.ts';
import { testDatabase } from '../../../support/database.ts';
import { waitFor } from '../../../support/servers/smtp.ts';
import { hold } from '../holding.ts';
import { expectConsistent } from '../invariants.ts';
import { DALLAS, reviewer } from '../organization.ts';
import { change, dayComes, franchise, nextYear, passing } from './setting.ts';

const { db, env } = await testDatabase('sample', { own: true });

const MODULES = JSON.stringify({
  database: compiledModule('base/db/database.ts'),
  log: compiledModule('base/observe/log.ts'),
  scheduler: compiledModule('territories/brands/changes/scheduler.ts'),
});

const running = new Set<ChildProcess>();
async function startProcess(): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    [projectFile('test/territories/brands/changes/killed-process.mjs'), MODULES],
    { env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  running.add(child);
  await once(child.stdout!, 'data');
  return child;
}
async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
  running.delete(child);
}
afterAll(async () => {
  await Promise.all([...running].map(kill));
});

const ORGANIZATIONS = 12;
const CHANGES = 4;
const ROUNDS = 4;

it('A process that is killed loses and doubles no change', async () => {
  const planned: { tenant: Awaited<ReturnType<typeof franchise>>['tenant']; ids: string[] }[] = [];
  for (let i = 0; i < ORGANIZATIONS; i++) {
    const { tenant, north, south } = await franchise(db);
    await hold(tenant, north, DALLAS);
    const on = await nextYear(tenant);
    const ids: string[] = [];
    for (const zip of DALLAS.slice(0, CHANGES)) {
      const { id } = await change(tenant, passing(north, south, [zip]), { on });
      await tenant.transaction((tx) => approveChange(tx, reviewer, id!));
      ids.push(id!);
    }
    planned.push({ tenant, ids });
  }
  const perRound = ORGANIZATIONS / ROUNDS;
  for (let round = 0; round < ROUNDS; round++) {
    const children = await Promise.all([startProcess(), startProcess()]);
    for (const { tenant, ids } of planned.slice(round * perRound, (round + 1) * perRound)) {
      for (const id of ids) await dayComes(tenant, id);
    }
    await delay(200 * Math.random());
    await Promise.all(children.map(kill));
  }
  // A day of downtime later, one process finishes what is left.
  const last = await startProcess();
  const statuses = () =>
    db.query<{ status: string; n: number }>(
      'select status, count(*)::int as n from changes group by status',
    );
  await waitFor(async () =>
    (await statuses()).every(({ status }) => status === 'live') ? true : undefined,
  );
  await kill(last);
  expect(await statuses()).toEqual([{ status: 'live', n: ORGANIZATIONS * CHANGES }]);
  for (const { tenant, ids } of planned) {
    const told = await tenant.query<{ id: string; type: string; n: number }>(
      `select data->>'changeId' as id, type, count(*)::int as n from events
       where organization_id = $1 and type in ('territory.approved', 'territory.removed')
         and data->>'changeId' = any($2)
       group by 1, 2 order by 1, 2`,
      [ids],
    );
    expect(told).toEqual(
      ids.toSorted().flatMap((id) => [
        { id, type: 'territory.approved', n: 1 },
        { id, type: 'territory.removed', n: 1 },
      ]),
    );
    expect(await runDueChanges(db, tenant.organizationId)).toEqual({ live: 0, blocked: 0 });
    await expectConsistent(tenant);
  }
});
