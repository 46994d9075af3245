/**
 * Stages the data of an import that replaces whole tables: it fills copies of them in a separate schema,
 * then swaps the copies in within a short transaction. Readers never wait for the import, and a failed
 * import changes nothing.
 */
import { randomBytes } from 'node:crypto';
import type { Database, Queryable } from './database.ts';
import { grantSharedTables } from './tenant-role.ts';

/** Schema names include their creation time, so that schemas of killed imports can be dropped. */
const PREFIX = 'staging_';
const STALE_AFTER_MS = 24 * 3_600_000;

export interface Staging {
  /** Returns the qualified name of the staged copy, such as `staging_….zips`. */
  table(name: string): string;
  /** Adds the live table's keys and indexes. Adding them after filling takes half the time. */
  index(name: string): Promise<void>;
  /** Replaces the live table with its indexed copy. Call it inside the swap's transaction. */
  replaceLive(tx: Queryable, name: string): Promise<void>;
}

/**
 * Creates empty copies of `tables` (columns and checks) for `work` to fill, index, and swap in. Drops the
 * remaining copies when `work` ends or throws.
 */
export async function withStaging<T>(
  db: Database,
  tables: readonly string[],
  work: (staging: Staging) => Promise<T>,
): Promise<T> {
  await dropStale(db);
  const schema = `${PREFIX}${Date.now()}_${randomBytes(4).toString('hex')}`;
  await db.query(`create schema ${schema}`);
  try {
    for (const table of tables) {
      await db.query(
        `create table ${schema}.${table} (like public.${table} including all excluding indexes)`,
      );
    }
    const indexed = new Set<string>();
    return await work({
      table: (name) => `${schema}.${name}`,
      index: async (name) => {
        for (const statement of await indexesOf(db, name, `${schema}.${name}`)) {
          await db.query(statement);
        }
        indexed.add(name);
      },
      replaceLive: async (tx, name) => {
        if (!indexed.has(name)) throw new Error(`the copy of ${name} has no indexes`);
        await tx.query(`drop table public.${name}`);
        await tx.query(`alter table ${schema}.${name} set schema public`);
        await grantSharedTables(tx);
      },
    });
  } finally {
    await db.query(`drop schema if exists ${schema} cascade`);
  }
}

/** Returns statements that add a live table's keys and indexes to a copy. */
async function indexesOf(db: Database, table: string, copy: string): Promise<string[]> {
  const rows = await db.query<{ statement: string }>(
    `select case when c.oid is null
       then regexp_replace(pg_get_indexdef(indexrelid), 'INDEX \\S+ ON \\S+', 'INDEX ON ${copy}')
       else 'alter table ${copy} add ' || pg_get_constraintdef(c.oid) end as statement
     from pg_index left join pg_constraint c on conindid = indexrelid and contype in ('p', 'u')
     where indrelid = $1::regclass order by indexrelid`,
    [`public.${table}`],
  );
  return rows.map(({ statement }) => statement);
}

async function dropStale(db: Database): Promise<void> {
  const schemas = await db.query<{ name: string }>(
    `select nspname as name from pg_namespace where nspname like $1`,
    [`${PREFIX.replace('_', '\\_')}%`],
  );
  for (const { name } of schemas) {
    const createdAt = Number(name.slice(PREFIX.length).split('_')[0]);
    if (Date.now() - createdAt > STALE_AFTER_MS) await db.query(`drop schema ${name} cascade`);
  }
}
