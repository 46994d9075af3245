import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkedName } from '../../../src/people/account/names.ts';
import type { Queryable } from '../../../src/base/db/database.ts';
import { migrate, migrationNames, migrationState } from '../../../src/base/db/migrate.ts';
import { projectFile } from '../../../src/base/geodata/project-files.ts';
import { testDatabase, testFolder } from '../../support/database.ts';

const { db } = await testDatabase('blank');
const folder = testFolder();
const write = (name: string, sql: string) => writeFileSync(join(folder, name), sql);
const run = () => db.transaction((tx: Queryable) => migrate(tx, folder));
const checksums = async () =>
  (
    await db.query<{ checksum: string | null }>(
      'select checksum from schema_migrations order by name',
    )
  ).map(({ checksum }) => checksum);

it('applies each migration once and records its SHA-256 checksum', async () => {
  write('0001_first.sql', 'create table first (id int);\n');
  write('0002_second.sql', 'create table second (id int);\n');
  expect(await run()).toEqual(['0001_first.sql', '0002_second.sql']);
  expect(await run()).toEqual([]);
  const sums = await checksums();
  expect(sums).toHaveLength(2);
  for (const sum of sums) expect(sum).toMatch(/^[0-9a-f]{64}$/);
});

it('ignores different line endings', async () => {
  write('0001_first.sql', 'create table first (id int);\r\n');
  expect(await run()).toEqual([]);
});

it('refuses to start when the file of an applied migration has changed', async () => {
  write('0002_second.sql', 'create table second (id bigint);\n');
  write('0003_third.sql', 'create table third (id int);\n');
  await expect(run()).rejects.toThrow(
    'These migrations have changed since this database applied them: 0002_second.sql. Restore the files',
  );
  const [third] = await db.query(`select to_regclass('third') as name`);
  expect(third).toEqual({ name: null });
});

it('adopts the files of a database from before checksums', async () => {
  await db.query('alter table schema_migrations drop column checksum');
  expect(await run()).toEqual(['0003_third.sql']);
  expect(await checksums()).not.toContain(null);
  write('0001_first.sql', 'create table first (id bigint);\n');
  await expect(run()).rejects.toThrow('0001_first.sql');
});

it('refuses a database with migrations of a newer version', async () => {
  write('0001_first.sql', 'create table first (id int);\n');
  rmSync(join(folder, '0003_third.sql'));
  write('0004_fourth.sql', 'create table fourth (id int);\n');
  await expect(run()).rejects.toThrow(
    'A newer version of the service has changed this database: 0003_third.sql. Start that version',
  );
  const [fourth] = await db.query(`select to_regclass('fourth') as name`);
  expect(fourth).toEqual({ name: null });
});

it('accepts a database that applied a migration before its comments were reworded', async () => {
  const { db } = await testDatabase('empty');
  const [name, reworded] = [
    '0005_password_links.sql',
    '67d805c77074598a4143c969bdf479b266b10f6e9574797d1bb332f139d18f46',
  ];
  const changedAfter = async (checksum: string): Promise<string[]> => {
    let changed: string[] = [];
    // Other files share the database, so nothing is committed.
    const rollback = new Error('rolled back');
    const changing = db.transaction(async (tx) => {
      await tx.query('update schema_migrations set checksum = $1 where name = $2', [
        checksum,
        name,
      ]);
      ({ changed } = await migrationState(tx));
      throw rollback;
    });
    await expect(changing).rejects.toBe(rollback);
    return changed;
  };
  expect(await changedAfter(reworded)).toEqual([]);
  expect(await changedAfter('0'.repeat(64))).toEqual([name]);
});

it('reads folders within the folder, in the order of the numbers', async () => {
  const { db } = await testDatabase('blank');
  const folder = testFolder();
  mkdirSync(join(folder, 'later'));
  writeFileSync(join(folder, 'later', '0002_second.sql'), 'alter table first add name text;');
  writeFileSync(join(folder, '0001_first.sql'), 'create table first (id int);');
  writeFileSync(join(folder, '0003_third.sql'), 'alter table first drop name;');
  const applied = await db.transaction((tx: Queryable) => migrate(tx, folder));
  expect(applied).toEqual(['0001_first.sql', '0002_second.sql', '0003_third.sql']);
});

/** A blank database, and a function that applies the migrations up to one */
async function oldDatabase() {
  const { db } = await testDatabase('blank');
  const folder = testFolder();
  const upgradeTo = (last: string) => {
    for (const name of migrationNames().filter((name) => name <= last)) {
      const path = name < '0052' ? name : `later/${name}`;
      copyFileSync(projectFile(`src/base/db/migrations/${path}`), join(folder, name));
    }
    return db.transaction((tx: Queryable) => migrate(tx, folder));
  };
  return { db, upgradeTo };
}

it('takes the time zone of an organization from its first member', async () => {
  const { db, upgradeTo } = await oldDatabase();
  await upgradeTo('0052');
  await db.query(
    `with acme as (insert into organizations (slug, name) values ('acme', 'Acme'), ('other', 'Other') returning id, slug),
     p as (insert into people (email, name) values ('a@example.com', 'Ana'), ('b@example.com', 'Bo') returning id, email),
     m as (
       insert into memberships (organization_id, person_id, role, created_at)
       select acme.id, p.id, 'owner', case email when 'a@example.com' then '2025-01-02' else '2025-01-01' end::timestamptz
       from acme, p where slug = 'acme' returning organization_id, person_id)
     insert into notification_settings (organization_id, person_id, time_zone)
     select organization_id, person_id, case email when 'a@example.com' then 'America/Denver' else 'America/Chicago' end
     from m join p on p.id = person_id`,
  );
  await upgradeTo('0053');
  const rows = await db.query('select slug, time_zone from organizations order by slug');
  expect(rows.map((row) => Object.values(row).join(' '))).toEqual([
    'acme America/Chicago',
    'other America/New_York',
  ]);
});

it('fills the record of territories from the activity, and says where their beginning isn’t known', async () => {
  const { db, upgradeTo } = await oldDatabase();
  await upgradeTo('0052');
  const [brand] = await db.query<{ id: string; organization: string }>(
    `with acme as (insert into organizations (slug, name) values ('acme', 'Acme') returning id)
     insert into brands (organization_id, slug, name) select id, 'north', 'North' from acme
     returning id, organization_id as organization`,
  );
  const ids = [brand!.organization, brand!.id];
  const removal = '00000000-0000-4000-8000-000000000001';
  await db.query(
    `insert into removals (organization_id, id, brand_id, removed_by) values ($1, $3, $2, '{}')`,
    [...ids, removal],
  );
  await db.query(
    `insert into removal_zips (organization_id, removal_id, zip, state_before, changed_at_before)
     values ($1, $2, '75201', 'live', '2025-02-01T10:00Z')`,
    [brand!.organization, removal],
  );
  // ZIP codes with their states after each entry
  const entries: [string, string, Record<string, string | null>][] = [
    [
      '2025-01-01T10:00Z',
      'territory_applied',
      { 75201: 'pending', 75202: 'pending', 75203: 'pending' },
    ],
    ['2025-02-01T10:00Z', 'territory_approved', { 75201: 'live', 75203: 'live' }],
    ['2025-02-02T10:00Z', 'territory_rejected', { 75202: null }],
    ['2025-03-01T10:00Z', 'territory_removed', { 75201: 'removed' }],
    ['2025-04-01T10:00Z', 'removal_undone', { 75201: 'live' }],
  ];
  for (const [at, action, after] of entries) {
    const isOfRemoval = after['75201'] === 'removed' || action === 'removal_undone';
    await db.query(
      `insert into activity (organization_id, brand_id, at, actor, action, summary, zips, after, removal_id)
       values ($1, $2, $3, '{}', $4, 'Changed.', $5, $6, $7)`,
      [...ids, at, action, Object.keys(after), after, isOfRemoval ? removal : null],
    );
  }
  // One of them ended without an entry, and one has none at all.
  await db.query(
    `insert into brand_zips (organization_id, brand_id, zip, state, changed_at) values
       ($1, $2, '75201', 'live', '2025-02-01T10:00Z'), ($1, $2, '75203', 'removed', '2025-05-01T10:00Z'),
       ($1, $2, '75204', 'live', '2025-06-01T10:00Z')`,
    ids,
  );
  await upgradeTo('0053');
  const day = (column: string) => `to_char(${column} at time zone 'UTC', 'MM-DD')`;
  const periods = await db.query<Record<'zip' | 'state' | 'from' | 'until' | 'changed', string>>(
    `select zip, state, ${day('held_from')} as "from", coalesce(${day('held_until')}, '') as until,
       ${day('changed_at')} as changed, is_start_known, started_entry - (select min(id) from activity) as entry
     from holdings order by zip, held_from`,
  );
  expect(periods.map((row) => Object.values(row).join(' '))).toEqual([
    '75201 pending 01-01 02-01 01-01 true 0',
    '75201 live 02-01 03-01 02-01 true 1',
    '75201 removed 03-01 04-01 03-01 true 3',
    '75201 live 04-01  02-01 true 4',
    '75202 pending 01-01 02-02 01-01 true 0',
    '75203 pending 01-01 02-01 01-01 true 0',
    '75203 live 02-01 05-01 02-01 true 1',
    '75203 removed 05-01  05-01 false ',
    '75204 live 06-01  06-01 false ',
  ]);
});

it('turns the measures of plans into data sets without losing an amount', async () => {
  const { db, upgradeTo } = await oldDatabase();
  await upgradeTo('0036');
  const long = 'A very long name of a measure that somebody uploaded from a spreadsheet'.padEnd(
    120,
    '.',
  );
  // Organization, plan, balance, and measures
  const plans: [string, string, string, string[]][] = [
    ['acme', 'Dallas', 'Jobs', ['Jobs', 'Kundenaufträge', '顧客', long]],
    ['acme', 'Houston', 'jobs', ['jobs', 'Jobs (Dallas)', '収益']],
    ['acme', long, 'households', ['JOBS', long]],
    ['acme', 'Austin', 'Jobs-2', ['Jobs 2', 'Jobs-2']],
    ['other', 'Dallas', 'Jobs', ['Jobs']],
    ['other', 'Empty', 'households', []],
  ];
  await db.query(
    `insert into organizations (slug, name) values ('acme', 'Acme'), ('other', 'Other')`,
  );
  await db.query(
    `insert into territory_plans (organization_id, name, market, zips, settings, created_by, changed_by)
     select o.id, p.name, 'Texas', '{75201,75202}', jsonb_build_object('balance', p.balance, 'vertical', 'hvac'), '{}', '{}'
     from unnest($1::text[], $2::text[], $3::text[]) as p (slug, name, balance) join organizations o using (slug)`,
    [0, 1, 2].map((i) => plans.map((plan) => plan[i])),
  );
  const measures = plans.flatMap(([slug, plan, , names]) =>
    names.map((name) => ({ slug, plan, name })),
  );
  await db.query(
    `insert into plan_measures (organization_id, plan_id, name, zips, amounts, created_by)
     select p.organization_id, p.id, m.name, '{75201,75202}', array[m.number, 0.25],
       jsonb_build_object('number', m.number)
     from unnest($1::text[], $2::text[], $3::text[]) with ordinality as m (slug, plan, name, number)
       join organizations o using (slug)
       join territory_plans p on p.organization_id = o.id and p.name = m.plan`,
    [measures.map((m) => m.slug), measures.map((m) => m.plan), measures.map((m) => m.name)],
  );
  await upgradeTo('0037');

  const sets = await db.query<Record<string, string>>(
    `select o.slug as org, d.name, d.slug, d.adds_up, d.unit, d.created_by ->> 'number' as number, u.zips, u.amounts,
       u.row_counts, u.uploaded_by ->> 'number' as "uploadedBy", p.name as plan, p.settings
     from data_sets d join organizations o on o.id = d.organization_id
       join data_set_uploads u on u.data_set_id = d.id and u.number = d.upload
       join plan_data_sets s on s.data_set_id = d.id join territory_plans p on p.id = s.plan_id
     order by (d.created_by ->> 'number')::int`,
  );
  expect(sets).toEqual(
    measures.map(({ slug, plan }, i) =>
      expect.objectContaining({
        org: slug,
        plan,
        adds_up: 'sum',
        unit: 'count',
        number: `${i + 1}`,
        uploadedBy: `${i + 1}`,
        zips: ['75201', '75202'],
        amounts: [i + 1, 0.25],
        row_counts: [1, 1],
        slug: expect.stringMatching(/^(?=.{1,60}$)[a-z0-9]+(-[a-z0-9]+)*$/),
      }),
    ),
  );
  // People can upload to each of them again by its name.
  for (const { name } of sets) expect(checkedName('It', name!)).toBe(name);
  for (const key of ['name', 'slug'] as const) {
    const values = sets.map((set) => `${set['org']} ${set[key]!.toLowerCase()}`);
    expect(new Set(values).size).toBe(values.length);
  }
  const named = Object.fromEntries(sets.map((set) => [Number(set['number']), set['name']]));
  expect(named).toMatchObject({ 2: 'Kundenaufträge', 3: '顧客', 5: 'jobs (Houston)', 12: 'Jobs' });
  expect(
    await db.query(
      `select settings ->> 'balance' as balance, settings ->> 'vertical' as vertical
      from territory_plans p join organizations o on o.id = organization_id
      order by o.slug, array_position($1, p.name)`,
      [plans.map(([, name]) => name)],
    ),
  ).toEqual(
    [named[1], named[5], 'households', named[11], named[12], 'households'].map((balance) => ({
      balance,
      vertical: 'hvac',
    })),
  );
  expect(
    await db.query(
      `select to_regclass(name) as name from unnest('{plan_measures,moved_measures}'::text[]) as name`,
    ),
  ).toEqual([{ name: null }, { name: null }]);
});
