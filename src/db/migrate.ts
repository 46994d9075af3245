/** Brings a database to the current schema: applies each numbered file in `migrations/` once. */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ServiceError } from '../errors.ts';
import { projectFile } from '../paths.ts';
import type { Queryable } from './database.ts';

/** Any constant works: processes that start at the same time wait for each other on this lock. */
const ADVISORY_LOCK = 7_315_001;

/**
 * Applies the missing migrations and verifies that the applied ones haven't changed. The advisory
 * lock lasts until the transaction ends, so concurrent processes also wait for whatever the caller
 * does next in it.
 * @returns the names of the files applied now, in order
 * @throws ServiceError 500 if the file of an applied migration has changed
 */
export async function migrate(
  tx: Queryable,
  folder = projectFile('src/db/migrations'),
): Promise<string[]> {
  const migrations = readMigrations(folder);
  await tx.query(`select pg_advisory_xact_lock(${ADVISORY_LOCK})`);
  await tx.query(`create table if not exists schema_migrations (
    name text primary key,
    applied_at timestamptz not null default now()
  )`);
  await tx.query('alter table schema_migrations add column if not exists checksum text');
  // Databases from before checksums: trust that their migrations match the files.
  await tx.query(
    `update schema_migrations m set checksum = file.checksum
     from unnest($1::text[], $2::text[]) as file (name, checksum)
     where m.name = file.name and m.checksum is null`,
    [migrations.map(({ name }) => name), migrations.map(({ checksum }) => checksum)],
  );
  const applied = await tx.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations',
  );
  const checksums = new Map(applied.map(({ name, checksum }) => [name, checksum]));
  const changed = migrations.filter(
    ({ name, checksum }) => checksums.has(name) && checksums.get(name) !== checksum,
  );
  if (changed.length > 0) {
    const names = changed.map(({ name }) => name).join(', ');
    throw new ServiceError(
      500,
      undefined,
      `These migrations have changed since this database applied them: ${names}. Restore the ` +
        'files, and put schema changes into a new migration.',
    );
  }
  const missing = migrations.filter(({ name }) => !checksums.has(name));
  for (const { name, sql, checksum } of missing) {
    await tx.query(sql);
    await tx.query('insert into schema_migrations (name, checksum) values ($1, $2)', [
      name,
      checksum,
    ]);
  }
  return missing.map(({ name }) => name);
}

/** How a database's migrations compare with the files. All lists are in order. */
export interface MigrationState {
  applied: string[];
  missing: string[];
  /** Applied, but the file has changed since */
  changed: string[];
  /** Applied by a newer version of the service */
  unknown: string[];
}

/** Compares without changing anything. */
export async function migrationState(
  db: Queryable,
  folder = projectFile('src/db/migrations'),
): Promise<MigrationState> {
  const files = new Map(readMigrations(folder).map(({ name, checksum }) => [name, checksum]));
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
      .filter(({ name, checksum }) => files.get(name) !== checksum)
      .map(({ name }) => name),
    unknown: applied.filter((name) => !files.has(name)),
  };
}

function readMigrations(folder: string): { name: string; sql: string; checksum: string }[] {
  return readdirSync(folder)
    .filter((name) => /^\d{4}_\w+\.sql$/.test(name))
    .sort()
    .map((name) => {
      const sql = readFileSync(join(folder, name), 'utf8');
      // Git on Windows may check files out with other line endings.
      const text = sql.replaceAll('\r\n', '\n');
      return { name, sql, checksum: createHash('sha256').update(text).digest('hex') };
    });
}
