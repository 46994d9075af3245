/** `territory groups`, and what other commands say about a rule. */
import { expect, it } from 'vitest';
import { approveReviews, rejectReviews } from '../../../src/territories/brands/review.ts';
import { createBrand } from '../../../src/territories/brands/brands.ts';
import { testDatabase } from '../../support/database.ts';
import { bearer, newKey, serveKeyed } from '../../support/keyed-app.ts';
import { hold } from '../../territories/brands/holding.ts';
import { DALLAS, reviewer } from '../../territories/brands/organization.ts';
import { territory } from './territory.ts';

const { db } = await testDatabase('sample');
const { api } = await serveKeyed(db);
const { key, caller } = await newKey(db);
const { tenant } = caller;
const north = await createBrand(tenant, { name: 'North' });
const south = await createBrand(tenant, { name: 'South' });
const [A, B, C, D, E] = DALLAS as [string, string, string, string, string];

const run = async (...words: string[]) => {
  const { code, stdout, stderr } = await territory({ url: api }, words, {
    env: { TERRITORY_API_KEY: key },
  });
  return { code, text: stdout + stderr };
};

it('groups brands, lists overlaps, and says why a request is refused', async () => {
  await hold(tenant, north, [A, B]);
  await hold(tenant, south, [A]);
  const created = await run('groups', 'create', 'Franchisees', 'north', 'south', '--rule', 'block');
  expect(created.text).toBe(
    'Franchisees blocks overlaps between its brands: North and South.\n\n' +
      '1 ZIP code is held by several of them. They stay until you resolve them:\n' +
      '  territory groups overlaps Franchisees\n',
  );
  const { text: overlaps } = await run('groups', 'overlaps', 'franchisees');
  expect(overlaps).toMatch(`${A}  North (live), South (live)`);
  expect(overlaps).toMatch(`Remove ${A} from South, which got it last.`);

  const { code, text } = await run('apply', 'south', B, C, '--confirm');
  expect([code, text]).toEqual([0, expect.stringMatching(/Queued for review for South \(1\)/)]);
  expect(text.replace(/\s+/g, ' ')).toMatch(
    'Skipped, held by North, and the group "Franchisees" blocks overlaps',
  );

  await tenant.transaction((tx) => approveReviews(tx, reviewer, { brandId: south.id }));
  await hold(tenant, south, [D], 'pending');
  await hold(tenant, north, [D]);
  const { text: pending } = await run('pending');
  expect(pending.replace(/\s+/g, ' ')).toMatch(
    'Can’t be approved now: held by North, and the group "Franchisees" blocks overlaps.',
  );
  await tenant.transaction((tx) => rejectReviews(tx, reviewer, { brandId: south.id }, 'Held'));
});

it('reserves ZIP codes and ends the reserve', async () => {
  const reason = ['--until', '2099-03-31', '--reason', 'Sale in progress'];
  const { text } = await run('groups', 'reserve', 'Franchisees', E, ...reason);
  expect(text).toMatch('Reserved 1 ZIP code through 2099-03-31: Sale in progress.');
  const id = /end-reserve <group> (\S+)/.exec(text)![1]!;
  const refused = await run('apply', 'south', E);
  expect(refused.text.replace(/\s+/g, ' ')).toMatch(
    'Skipped, reserved by the group "Franchisees" until March 31, 2099: Sale in progress',
  );
  const shown = await run('groups', 'show', 'Franchisees');
  expect(shown.text).toMatch(new RegExp(`until 2099-03-31  ${E}\\n.*Sale in progress`));
  const ended = await run('groups', 'end-reserve', 'Franchisees', id);
  expect(ended.text).toMatch('Ended the reserve of 1 ZIP code.');
});

it('asks what to change, and for a confirmation to delete', async () => {
  expect(await run('groups', 'change', 'Franchisees')).toMatchObject({
    code: 2,
    text: expect.stringContaining('one of --name, --rule, --shows-names, --brand'),
  });
  expect(await run('groups', 'change', 'Franchisees', '--rule', 'never')).toMatchObject({
    code: 4,
  });
  const changed = await run('groups', 'change', 'Franchisees', '--rule', 'allow');
  expect(changed.text).toMatch('Franchisees allows overlaps');
  expect(await run('groups', 'delete', 'Franchisees')).toMatchObject({ code: 8 });
  expect((await run('groups', 'delete', 'Franchisees', '--confirm')).text).toMatch('Deleted');
  expect((await run('groups', 'list')).text).toMatch('No groups yet.');
  const listed = await fetch(`${api}/agent/brand-groups`, { headers: bearer(key) });
  expect(await listed.json()).toEqual({ groups: [] });
});
