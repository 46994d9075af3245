/** A database connection that a test can break and restore. */
import { afterAll } from 'vitest';
import { openDatabase, type Database, type DatabaseOptions } from '../../src/base/db/database.ts';
import { faultyProxy, type FaultyProxy } from './servers/faulty-proxy.ts';

/** @param env settings of a test database */
export async function cuttableDatabase(
  env: Record<string, string>,
  options: DatabaseOptions = {},
): Promise<{ db: Database; proxy: FaultyProxy }> {
  const target = new URL(env.DATABASE_URL ?? 'postgresql://postgres@localhost/postgres');
  const proxy = await faultyProxy(
    env.DATABASE_URL
      ? { host: target.hostname, port: Number(target.port || 5432) }
      : { path: `${env.DATA_DIR}/.s.PGSQL.5432` },
  );
  target.hostname = '127.0.0.1';
  target.port = String(proxy.port);
  const settings = { databaseUrl: target.href, databasePoolSize: 4, dataDir: '' };
  const db = await openDatabase(settings, options);
  afterAll(async () => {
    await db.close();
    await proxy.close();
  });
  return { db, proxy };
}
