/** Brings a database to the current schema: the numbered files in `migrations/`, each once. */
import { readFileSync, readdirSync } from 'node:fs';
import { projectFile } from '../paths.ts';
import type { Queryable } from './database.ts';

const FOLDER = projectFile('src/db/migrations');
/** Any constant: processes that start at the same time wait for each other here. */
const ADVISORY_LOCK = 7_315_001;

/**
 * Applies what is missing. Several processes may do so at once: until its transaction ends, a
 * process keeps the others waiting, also with what it does to the tables afterwards.
 * @returns the names of the files applied now, in order
 */
export async function migrate(tx: Queryable): Promise<string[]> {
  const files = readdirSync(FOLDER)
    .filter((name) => /^\d{4}_\w+\.sql$/.test(name))
    .sort();
  await tx.query(`select pg_advisory_xact_lock(${ADVISORY_LOCK})`);
  await tx.query(`create table if not exists schema_migrations (
    name text primary key,
    applied_at timestamptz not null default now()
  )`);
  const rows = await tx.query<{ name: string }>('select name from schema_migrations');
  const done = new Set(rows.map((row) => row.name));
  const missing = files.filter((name) => !done.has(name));
  for (const name of missing) {
    await tx.query(readFileSync(`${FOLDER}/${name}`, 'utf8'));
    await tx.query('insert into schema_migrations (name) values ($1)', [name]);
  }
  return missing;
}
