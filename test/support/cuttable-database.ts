/** A database connection that a test can cut and restore. */
import { afterAll } from 'vitest';
import { openDatabase, type Database } from '../../src/db/database.ts';
import { cuttableProxy, type CuttableProxy } from './cuttable-proxy.ts';

/** @param env settings of a test database */
export async function cuttableDatabase(
  env: Record<string, string>,
): Promise<{ db: Database; proxy: CuttableProxy }> {
  const target = new URL(env.DATABASE_URL ?? 'postgresql://postgres@localhost/postgres');
  const proxy = await cuttableProxy(
    env.DATABASE_URL
      ? { host: target.hostname, port: Number(target.port || 5432) }
      : { path: `${env.DATA_DIR}/.s.PGSQL.5432` },
  );
  target.hostname = '127.0.0.1';
  target.port = String(proxy.port);
  const db = await openDatabase({ databaseUrl: target.href, databasePoolSize: 4, dataDir: '' });
  afterAll(() => db.close());
  return { db, proxy };
}
