/**
 * Staging: an import that replaces whole tables fills copies of them in a separate schema, then
 * swaps the copies in within one short transaction. Readers never wait for the import, and a failed
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
  /** Replaces the live table with its staged copy. Call it inside the swap's transaction. */
  replaceLive(tx: Queryable, name: string): Promise<void>;
}

/**
 * Creates empty copies of `tables` (columns, checks, indexes) for `work` to fill and swap in, and
 * drops the remaining copies when `work` ends or throws.
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
      await db.query(`create table ${schema}.${table} (like public.${table} including all)`);
    }
    return await work({
      table: (name) => `${schema}.${name}`,
      replaceLive: async (tx, name) => {
        await tx.query(`drop table public.${name}`);
        await tx.query(`alter table ${schema}.${name} set schema public`);
        await grantSharedTables(tx);
      },
    });
  } finally {
    await db.query(`drop schema if exists ${schema} cascade`);
  }
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
