/**
 * Packs a new PostgreSQL cluster with PostGIS and the schema, from which the embedded database starts.
 * Creating one takes many times as long as unpacking it.
 */
import { readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { entries, packed } from './tar.js';

const MIGRATIONS = 'src/base/db/migrations';

/**
 * Does nothing if the file is newer than the extension and the migrations.
 * @param postgisArchive the extension
 */
export async function packCluster(file, postgisArchive) {
  // A start applies missing migrations, but refuses migrations that were edited or removed since.
  const migrations = readdirSync(MIGRATIONS, { recursive: true }).map((path) =>
    join(MIGRATIONS, path),
  );
  const changedAt = [postgisArchive, MIGRATIONS, ...migrations].map(
    (path) => statSync(path).mtimeMs,
  );
  const before = statSync(file, { throwIfNoEntry: false });
  if (before && before.mtimeMs > Math.max(...changedAt)) return;
  const { PGlite } = await import('@electric-sql/pglite');
  const { postgis } = await import('@electric-sql/pglite-postgis');
  const bundlePath = pathToFileURL(resolve(postgisArchive));
  const setup = async (...given) => ({ ...(await postgis.setup(...given)), bundlePath });
  const db = await PGlite.create({ extensions: { postgis: { ...postgis, setup } } });
  await db.exec('create extension postgis');
  const { bringUpToDate } = await import('../../../dist/run/start/prepare.js');
  await bringUpToDate({ transaction: (work) => work(queryable(db)) });
  await db.exec('checkpoint');
  const tar = Buffer.from(await (await db.dumpDataDir('none')).arrayBuffer());
  await db.close();
  // PGlite considers a folder with this file a cluster. If unpacking is interrupted, the file is missing,
  // and the next start unpacks again.
  const isMark = ({ name }) => name === '/PG_VERSION';
  const files = [...entries(tar)].filter(({ name }) => name !== '/postmaster.pid');
  const inOrder = [...files.filter((one) => !isMark(one)), ...files.filter(isMark)];
  writeFileSync(`${file}.${process.pid}`, gzipSync(packed(inOrder), { level: 6 }));
  renameSync(`${file}.${process.pid}`, file);
}

/** Runs several statements if there are no values. */
const queryable = (db) => ({
  query: async (sql, values) =>
    (values ? await db.query(sql, values) : (await db.exec(sql)).at(-1))?.rows ?? [],
});
