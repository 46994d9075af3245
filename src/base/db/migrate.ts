/** Brings a database to the current schema: applies each numbered file in `migrations/` and its folders once. */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ServiceError } from '../../errors.ts';
import { projectFile } from '../geodata/project-files.ts';
import type { Queryable } from './database.ts';

/** An arbitrary constant. Processes that start at the same time wait for each other on this lock. */
const ADVISORY_LOCK = 7_315_001;

const MIGRATIONS = projectFile('src/base/db/migrations');

/** Earlier checksums of migrations in which only comments were reworded after databases had applied them */
const BEFORE_REWORDING: Readonly<Record<string, string>> = {
  '0001_geography.sql': 'd3dfe23743a69d75ed82db0ea7930de33a7bcb8f5d12f5fb2133c3d79bdcc583',
  '0002_organizations.sql': '75d0d80b51e5104979808fed0f40da2e4c114ac5b705ef36eec048e9ef8d072a',
  '0003_sign_in.sql': '31c05763cd45709db2bbb6658bce6a180253867025bf37273fa100819b290719',
  '0004_oauth.sql': '5c72e621739d0a11e2c565559d470c22ede61ead2873871e9c58d137541df281',
  '0005_password_links.sql': '67d805c77074598a4143c969bdf479b266b10f6e9574797d1bb332f139d18f46',
};

interface Migration {
  name: string;
  sql: string;
  /** SHA-256 */
  checksum: string;
}

/**
 * Verifies the applied migrations, then applies the missing ones. The advisory lock lasts until the
 * transaction ends, so concurrent processes also wait for the caller's next steps in it.
 * @returns the names of the files that were applied, in order
 * @throws ServiceError 500 if the file of an applied migration has changed or doesn't exist
 */
export async function migrate(tx: Queryable, folder = MIGRATIONS): Promise<string[]> {
  const files = readMigrations(folder);
  await tx.query(`select pg_advisory_xact_lock(${ADVISORY_LOCK})`);
  const { changed, unknown, missing, unverified } = await compare(tx, files);
  if (changed.length > 0) {
    throw refusal(
      `These migrations have changed since this database applied them: ${changed.join(', ')}. ` +
        'Restore the files, and put schema changes into a new migration.',
    );
  }
  if (unknown.length > 0) {
    throw refusal(
      `A newer version of the service has changed this database: ${unknown.join(', ')}. Start that ` +
        'version, or restore the backup from before its first start.',
    );
  }
  if (missing.length + unverified.length === 0) return [];
  await tx.query(`create table if not exists schema_migrations (
    name text primary key,
    applied_at timestamptz not null default now()
  )`);
  await tx.query('alter table schema_migrations add column if not exists checksum text');
  // Databases from before checksums are assumed to match the files.
  await tx.query(
    `update schema_migrations m set checksum = file.checksum
     from unnest($1::text[], $2::text[]) as file (name, checksum)
     where m.name = file.name and m.checksum is null`,
    [files.map(({ name }) => name), files.map(({ checksum }) => checksum)],
  );
  for (const { name, sql, checksum } of files.filter(({ name }) => missing.includes(name))) {
    await tx.query(sql);
    await tx.query('insert into schema_migrations (name, checksum) values ($1, $2)', [
      name,
      checksum,
    ]);
  }
  return missing;
}

const refusal = (message: string) => new ServiceError(500, undefined, message);

/** The differences between a database's migrations and the files. All lists are in order. */
interface MigrationState {
  applied: string[];
  missing: string[];
  /** Applied, but the file has changed since */
  changed: string[];
  /** Applied by a newer version of the service */
  unknown: string[];
  /** Applied before checksums were stored */
  unverified: string[];
}

export const migrationState = (db: Queryable): Promise<MigrationState> =>
  compare(db, readMigrations(MIGRATIONS));

/** Compares without changing anything. */
async function compare(db: Queryable, migrations: readonly Migration[]): Promise<MigrationState> {
  const files = new Map(migrations.map(({ name, checksum }) => [name, checksum]));
  const [table] = await db.query<{ exists: boolean }>(
    `select to_regclass('public.schema_migrations') is not null as exists`,
  );
  // Databases from before checksums lack the column.
  const rows = table!.exists
    ? await db.query<{ name: string; checksum: string | null }>(
        `select name, to_jsonb(m)->>'checksum' as checksum from schema_migrations m order by name`,
      )
    : [];
  const applied = rows.map(({ name }) => name);
  return {
    applied,
    missing: [...files.keys()].filter((name) => !applied.includes(name)),
    changed: rows
      .filter(({ name, checksum }) => checksum !== null && files.has(name))
      .filter(
        ({ name, checksum }) => ![files.get(name), BEFORE_REWORDING[name]].includes(checksum!),
      )
      .map(({ name }) => name),
    unknown: applied.filter((name) => !files.has(name)),
    unverified: rows
      .filter(({ name, checksum }) => checksum === null && files.has(name))
      .map(({ name }) => name),
  };
}

/** Files in order of their numbers, whichever folder they are in: names are unique. */
function readMigrations(folder: string): Migration[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => ({ path, name: basename(path) }))
    .filter(({ name }) => /^\d{4}_\w+\.sql$/.test(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ path, name }) => {
      const sql = readFileSync(join(folder, path), 'utf8');
      // Git on Windows may check out files with other line endings.
      const text = sql.replaceAll('\r\n', '\n');
      return { name, sql, checksum: createHash('sha256').update(text).digest('hex') };
    });
}

/** Names of the service's migrations, in order */
export const migrationNames = (): string[] => readMigrations(MIGRATIONS).map(({ name }) => name);
