import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Queryable } from '../../src/db/database.ts';
import { migrate, migrationState } from '../../src/db/migrate.ts';
import { testDatabase, testFolder } from '../support/database.ts';

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
