/** `territory changes`, and plans that are applied on a day. */
import { expect, it } from 'vitest';
import { createBrand } from '../../../src/territories/brands/brands.ts';
import { approveChange } from '../../../src/territories/brands/changes/decide.ts';
import { testDatabase } from '../../support/database.ts';
import { newKey, serveKeyed } from '../../support/keyed-app.ts';
import { statesOf } from '../../territories/brands/changes/setting.ts';
import { hold } from '../../territories/brands/holding.ts';
import { DALLAS, reviewer } from '../../territories/brands/organization.ts';
import { territory } from './territory.ts';

const { db } = await testDatabase('sample');
const { api } = await serveKeyed(db);
const { key, caller } = await newKey(db);
const { tenant } = caller;
const north = await createBrand(tenant, { name: 'North' });
const south = await createBrand(tenant, { name: 'South' });
const [A, B, C] = DALLAS as [string, string, string];

const run = async (...words: string[]) => {
  const { code, stdout, stderr } = await territory({ url: api }, words, {
    env: { TERRITORY_API_KEY: key },
  });
  return { code, text: (stdout + stderr).replaceAll(/\s+/g, ' ') };
};

it('transfers ZIP codes on a day, after a preview, and moves, shows, and withdraws the change', async () => {
  await hold(tenant, north, [A, B]);
  const words = [
    'changes',
    'transfer',
    A,
    '--from',
    'north',
    '--to',
    'south',
    '--on',
    '2099-01-01',
  ];
  const preview = await run(...words);
  expect(preview.code).toBe(8);
  expect(preview.text).toMatch('It goes live on January 1, 2099.');
  expect((await run('changes', 'list')).text).toMatch('No changes yet.');
  const made = await run(...words, '--note', 'Sold', '--confirm');
  expect(made.code).toBe(0);
  expect(made.text).toMatch('Once approved, it goes live on January 1, 2099.');
  const id = /Id: (\S+)/.exec(made.text)![1]!;
  expect((await run('changes', 'move', id)).text).toMatch('Say what to change');
  const moved = await run('changes', 'move', id, '--on', '2099-02-01');
  expect(moved.text).toMatch('waiting for a review, then for February 1, 2099. Sold');
  await tenant.transaction((tx) => approveChange(tx, reviewer, id));
  const shown = await run('changes', 'show', id);
  expect(shown.text).toMatch('scheduled for February 1, 2099');
  expect(shown.text).toMatch(`South gets 1 ZIP code + ${A}`);
  expect(shown.text).toMatch(`North gives up 1 ZIP code − ${A}`);
  expect((await run('changes', 'list', '--status', 'scheduled')).text).toMatch(id);
  expect(await run('changes', 'withdraw', id)).toMatchObject({ code: 8 });
  expect((await run('changes', 'withdraw', id, '--confirm')).text).toMatch('withdrawn');
  expect(await statesOf(tenant, north)).toEqual({ [A]: 'live', [B]: 'live' });
});

it('makes a change of several brands, and asks to undo it', async () => {
  const parts = ['--remove', `north=${B}`, '--add', `south=${B},${C}`];
  expect(await run('changes', 'make', '--add', 'south')).toMatchObject({ code: 2 });
  const made = await run('changes', 'make', ...parts, '--confirm');
  const id = /Id: (\S+)/.exec(made.text)![1]!;
  await tenant.transaction((tx) => approveChange(tx, reviewer, id));
  expect(await statesOf(tenant, south)).toEqual({ [B]: 'live', [C]: 'live' });
  expect(await run('changes', 'undo', id)).toMatchObject({ code: 8 });
  const asked = await run('changes', 'undo', id, '--confirm');
  expect(asked.text).toMatch('A person decides on the reverse change.');
});
