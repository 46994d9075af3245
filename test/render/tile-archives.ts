/** Writes small tile archives, as tippecanoe and other tools do. */
import { createRequire } from 'node:module';
import { zxyToTileId } from 'pmtiles';
import type { TileAddress } from '../../src/base/spatial/tile.ts';

export type ArchivedTile = TileAddress & { bytes: Uint8Array };

export const MVT = 1;
export const PNG = 2;
export const [NO_COMPRESSION, GZIP, ZSTD] = [1, 2, 4];

/** A PMTiles archive whose directories and tiles are compressed by `pack`. */
export function pmtiles(
  tiles: readonly ArchivedTile[],
  { type = MVT, compression = NO_COMPRESSION!, pack = (bytes: Uint8Array) => bytes } = {},
): Buffer {
  const entries = tiles
    .map(({ z, x, y, bytes }) => ({ id: zxyToTileId(z, x, y), bytes: pack(bytes) }))
    .sort((a, b) => a.id - b.id);
  let id = 0;
  const ids = entries.map((entry) => {
    const step = entry.id - id;
    id = entry.id;
    return step;
  });
  const directory = pack(
    Buffer.from(
      [
        entries.length,
        ...ids,
        ...entries.map(() => 1),
        ...entries.map(({ bytes }) => bytes.length),
        // 0 continues where the previous tile ends; other offsets are one more than their value.
        ...entries.map((_, index) => (index === 0 ? 1 : 0)),
      ].flatMap(varint),
    ),
  );
  const header = Buffer.alloc(127);
  header.write('PMTiles');
  header[7] = 3;
  const data = 127 + directory.length;
  for (const [index, value] of [127, directory.length, data, 0, data, 0, data].entries()) {
    header.writeBigUInt64LE(BigInt(value), 8 + 8 * index);
  }
  const zooms = tiles.map(({ z }) => z);
  header.set([1, compression, compression, type, Math.min(...zooms), Math.max(...zooms)], 96);
  return Buffer.concat([header, directory, ...entries.map(({ bytes }) => bytes)]);
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
}

export async function mbtiles(
  tiles: readonly ArchivedTile[],
  metadata: Readonly<Record<string, string>> = { format: 'pbf' },
): Promise<Uint8Array> {
  const load = createRequire(import.meta.url)('sql.js') as () => Promise<any>;
  const database = new (await load()).Database();
  database.run(`
    create table metadata (name text, value text);
    create table tiles (zoom_level integer, tile_column integer, tile_row integer, tile_data blob)`);
  for (const pair of Object.entries(metadata)) {
    database.run('insert into metadata values (?, ?)', pair);
  }
  for (const { z, x, y, bytes } of tiles) {
    database.run('insert into tiles values (?, ?, ?, ?)', [z, x, 2 ** z - 1 - y, bytes]);
  }
  return database.export();
}
