/**
 * Staging: what replaces a table as a whole fills tables of its own, in a schema of its own, and swaps them in within one
 * short transaction. Until then, and whenever anything fails, everything stays as it was; readers
 * never wait for the filling.
 */
import { randomBytes } from 'node:crypto';
import type { Database, Queryable } from './database.ts';

/** A schema's name carries when it was made, so that those of killed imports can be cleared away. */
const PREFIX = 'staging_';
const STALE_AFTER_MS = 24 * 3_600_000;

/** The name is qualified SQL, safe to put in a statement: `"staging_…".zips`. */
export interface Staging {
  table(name: string): string;
  /** Puts the staged table in the place of the live one. Call within the swap's transaction. */
  replaceLive(tx: Queryable, name: string): Promise<void>;
}

/**
 * Makes empty copies of `tables` (columns, checks, indexes), lets `work` fill and swap them, and
 * clears away whatever is left of them, however `work` ends.
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
    const madeAt = Number(name.slice(PREFIX.length).split('_')[0]);
    if (Date.now() - madeAt > STALE_AFTER_MS) await db.query(`drop schema ${name} cascade`);
  }
}
