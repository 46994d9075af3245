/** Changes decided on the operator's command line, such as an import, which is one change. */
import { expect, it } from 'vitest';
import { importZips } from '../../../src/territories/brands/import/import.ts';
import { addMember } from '../../../src/people/account/members.ts';
import { person } from '../../people/account/organizations.ts';
import { testDatabase } from '../../support/database.ts';
import { adminCommands } from '../../support/many-commands.ts';
import { change, nextYear, statesOf } from '../../territories/brands/changes/setting.ts';
import { agent, DALLAS, organizationWith } from '../../territories/brands/organization.ts';

const [A, B, C] = DALLAS as [string, string, string];
const { db, env } = await testDatabase('sample');
const runAdmin = adminCommands();

it('lists, approves, rejects, and undoes changes of imports and other ones', async () => {
  const { tenant, slug, brands } = await organizationWith(db, 'North', 'South');
  const [north, south] = brands;
  const { email } = await addMember(tenant, person('Rita', 'reviewer'));
  const run = (...words: string[]) => runAdmin([...words, '--org', slug], env);
  const waiting = async () => {
    const { stdout } = await run('change', 'list', '--json');
    return JSON.parse(stdout).changes as { id: string; source: string; parts: object[] }[];
  };
  expect((await run('change', 'list')).stdout).toBe('No changes match.\n');
  await importZips(tenant, agent, north, { zips: [A, B], note: 'From the CRM' });
  const [imported, ...none] = await waiting();
  expect(none).toEqual([]);
  expect(imported).toMatchObject({
    source: 'import',
    parts: [{ brand: { name: 'North' }, added: [A, B], removed: [] }],
  });
  expect((await run('change', 'list')).stdout).toMatch(
    /Change +ZIPs +On +Made +By +Note\n[^]*North \+2 +approval .*From the CRM/,
  );
  const nobody = await run('change', 'approve', imported!.id, '--as', 'x@y.example');
  expect(nobody).toMatchObject({ code: 1, stdout: '' });
  const approved = await run('change', 'approve', imported!.id, '--as', email);
  expect(approved).toMatchObject({ code: 0, stdout: 'North +2: live.\n' });
  expect(await statesOf(tenant, north)).toEqual({ [A]: 'live', [B]: 'live' });

  const on = await nextYear(tenant);
  const later = [{ brand: south, added: [C], removed: [] }];
  const planned = await change(tenant, later, { on });
  const scheduled = await run('change', 'approve', planned.id!, '--as', email);
  expect(scheduled.stdout).toBe(`South +1: scheduled, for ${on.day}.\n`);
  expect((await run('undo', imported!.id)).stdout).toContain(`${A} of North: removed again.`);
  expect(await statesOf(tenant, north)).toEqual({ [A]: 'removed', [B]: 'removed' });

  await importZips(tenant, agent, north, { zips: [A] });
  const [again] = await waiting();
  const asRita = ['--as', email];
  expect((await run('change', 'reject', again!.id, ...asRita)).stderr).toContain('--reason');
  const rejected = await run('change', 'reject', again!.id, ...asRita, '--reason', 'Too far');
  expect(rejected.stdout).toBe('North +1: rejected.\n');
  expect((await run('change', 'approve', '7', ...asRita)).stderr).toContain('Expected an id');
});
