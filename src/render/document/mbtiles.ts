/**
 * Reads MBTiles archives with SQLite in WebAssembly, which keeps the whole file in memory. Node's own
 * SQLite would read it in pieces but needs Node 22.5. Other WebAssembly builds lock the file by creating a
 * folder next to it, which fails for read-only folders and for two readers.
 */
import { readFile, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Bbox } from '../../base/spatial/bbox.ts';
import { archiveProblem, type TileArchive } from './tile-archive.ts';
import { MBTILES_BYTES, STYLE_ASSETS } from './bounds.ts';
import { decompressGzip, isGzip } from './decompress.ts';
import { pictureFormat } from './picture-format.ts';

/** The part of `sql.js` that this file uses. The package has no types. */
interface Sqlite {
  Database: new (bytes: Uint8Array) => Database;
}
interface Database {
  prepare(sql: string): { get(values: readonly unknown[]): unknown[] };
  exec(sql: string): { values: unknown[][] }[];
  close(): void;
}

const TILE = `select tile_data from tiles
  where zoom_level = ? and tile_column = ? and tile_row = ?`;

/** @throws InvalidSceneError if the file isn't MBTiles, is damaged, or is too large */
export async function openMbtiles(path: string): Promise<TileArchive> {
  if ((await stat(path)).size > MBTILES_BYTES) {
    throw archiveProblem(
      path,
      `has more than ${MBTILES_BYTES / 1024 ** 2} MB: convert it with \`pmtiles convert\``,
    );
  }
  const database = new (await loadSqlite(path)).Database(await readFile(path));
  try {
    const metadata = new Map(
      (database.exec('select name, value from metadata')[0]?.values ?? []).map(
        ([name, value]) => [String(name), String(value)] as const,
      ),
    );
    const [least, greatest] = database.exec(
      'select min(zoom_level), max(zoom_level) from tiles',
    )[0]!.values[0] as [number | null, number | null];
    const tile = database.prepare(TILE);
    // Some programs leave out the format.
    const [first] = database.exec('select tile_data from tiles limit 1')[0]?.values[0] ?? [];
    const format =
      metadata.get('format') || (first instanceof Uint8Array && pictureFormat(first)) || 'mvt';
    return {
      file: path,
      format: format === 'pbf' ? 'mvt' : format,
      minzoom: least ?? 0,
      maxzoom: greatest ?? 0,
      bounds: boundsOf(metadata.get('bounds')),
      readTile: async ({ z, x, y }) => {
        // MBTiles counts rows from the south.
        const [bytes] = attempt(path, () => tile.get([z, x, 2 ** z - 1 - y]));
        if (!(bytes instanceof Uint8Array)) return null;
        if (!isGzip(bytes)) return bytes;
        return decompressGzip(bytes, STYLE_ASSETS.bytes).catch((error: Error) => {
          throw archiveProblem(path, `has a damaged tile ${z}/${x}/${y}: ${error.message}`);
        });
      },
      readAttribution: async () => metadata.get('attribution') ?? null,
      close: async () => database.close(),
    };
  } catch (error) {
    database.close();
    throw archiveProblem(path, `is not a valid MBTiles file: ${(error as Error).message}`);
  }
}

function attempt<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw archiveProblem(path, `is a damaged MBTiles file: ${(error as Error).message}`);
  }
}

let sqlite: Promise<Sqlite> | undefined;

async function loadSqlite(path: string): Promise<Sqlite> {
  try {
    sqlite ??= (createRequire(import.meta.url)('sql.js') as () => Promise<Sqlite>)();
    return await sqlite;
  } catch (error) {
    const { message } = error as Error;
    throw archiveProblem(path, `needs the package sql.js: install it. Cause: ${message}`);
  }
}

function boundsOf(text: string | undefined): Bbox | undefined {
  const [west, south, east, north] = (text ?? '').split(',').map(Number);
  return west! < east! && south! < north! ? [west!, south!, east!, north!] : undefined;
}
