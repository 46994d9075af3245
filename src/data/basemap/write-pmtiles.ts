/**
 * Writes a PMTiles archive, version 3: https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md. The
 * tiles are clustered, equal ones are stored once, and a directory that is too large for the first request
 * is split into leaves. The library `pmtiles` can only read.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip, gzipSync } from 'node:zlib';
import { zxyToTileId } from 'pmtiles';
import type { Bbox } from '../../base/spatial/bbox.ts';
import type { TileAddress } from '../../base/spatial/tile.ts';

const compress = promisify(gzip);

export interface ArchiveFacts {
  bounds: Bbox;
  minZoom: number;
  maxZoom: number;
  /** JSON that describes the tiles, with `vector_layers` */
  metadata: object;
}

export interface WrittenArchive {
  /** Tiles that aren't empty */
  tiles: number;
  /** The number of different ones */
  contents: number;
  bytes: number;
}

interface Entry {
  tileId: number;
  offset: number;
  length: number;
  /** Number of consecutive tiles with these bytes; 0 for a leaf directory */
  runLength: number;
}

/** Sorts addresses in the archive's order: along a Hilbert curve for each zoom. */
export const inArchiveOrder = (tiles: readonly TileAddress[]): TileAddress[] =>
  tiles
    .map((tile) => [zxyToTileId(tile.z, tile.x, tile.y), tile] as const)
    .sort(([a], [b]) => a - b)
    .map(([, tile]) => tile);

/**
 * Writes an archive. If that fails, no file remains.
 * @param tiles vector tiles in archive order; empty ones are skipped
 */
export async function writePmtiles(
  file: string,
  tiles: AsyncIterable<{ address: TileAddress; bytes: Uint8Array }>,
  facts: ArchiveFacts,
): Promise<WrittenArchive> {
  const parts = { tiles: `${file}.tiles`, archive: `${file}.partial` };
  try {
    const { entries, contents, addressed, dataBytes } = await writeTiles(parts.tiles, tiles);
    const metadata = gzipSync(JSON.stringify(facts.metadata));
    const { root, leaves } = directories(entries);
    const sections = [root.length, metadata.length, leaves.length, dataBytes];
    const counts = [addressed, entries.length, contents];
    const archive = await open(parts.archive, 'w');
    try {
      for (const part of [header(sections, counts, facts), root, metadata, leaves]) {
        await archive.write(part);
      }
      for await (const chunk of createReadStream(parts.tiles)) await archive.write(chunk as Buffer);
    } finally {
      await archive.close();
    }
    await rename(parts.archive, file);
    const bytes = HEADER_BYTES + sections.reduce((sum, length) => sum + length, 0);
    return { tiles: addressed, contents, bytes };
  } finally {
    await Promise.all(Object.values(parts).map((part) => rm(part, { force: true })));
  }
}

async function writeTiles(
  file: string,
  tiles: AsyncIterable<{ address: TileAddress; bytes: Uint8Array }>,
) {
  const entries: Entry[] = [];
  const places = new Map<string, Pick<Entry, 'offset' | 'length'>>();
  let dataBytes = 0;
  let addressed = 0;
  const data = await open(file, 'w');
  try {
    for await (const { address, bytes } of tiles) {
      if (bytes.length === 0) continue;
      addressed++;
      const hash = createHash('sha256').update(bytes).digest('base64');
      let place = places.get(hash);
      if (place === undefined) {
        const packed = await compress(bytes);
        place = { offset: dataBytes, length: packed.length };
        places.set(hash, place);
        await data.write(packed);
        dataBytes += packed.length;
      }
      const tileId = zxyToTileId(address.z, address.x, address.y);
      const last = entries.at(-1);
      if (last && last.offset === place.offset && last.tileId + last.runLength === tileId) {
        last.runLength++;
      } else {
        entries.push({ tileId, ...place, runLength: 1 });
      }
    }
  } finally {
    await data.close();
  }
  return { entries, contents: places.size, addressed, dataBytes };
}

const HEADER_BYTES = 127;
/** Readers request this many bytes first, so the root directory must fit. */
const FIRST_REQUEST = 16_384;
const LEAF_ENTRIES = 4_096;

function directories(entries: readonly Entry[]): { root: Buffer; leaves: Buffer } {
  for (let size = LEAF_ENTRIES; ; size *= 2) {
    const whole = directory(entries);
    if (whole.length <= FIRST_REQUEST - HEADER_BYTES)
      return { root: whole, leaves: Buffer.alloc(0) };
    const leaves: Buffer[] = [];
    const index: Entry[] = [];
    let offset = 0;
    for (let at = 0; at < entries.length; at += size) {
      const leaf = directory(entries.slice(at, at + size));
      index.push({ tileId: entries[at]!.tileId, offset, length: leaf.length, runLength: 0 });
      leaves.push(leaf);
      offset += leaf.length;
    }
    const root = directory(index);
    if (root.length <= FIRST_REQUEST - HEADER_BYTES) return { root, leaves: Buffer.concat(leaves) };
  }
}

/** Columns of variable-length numbers: see "Directory" in the specification. */
function directory(entries: readonly Entry[]): Buffer {
  const bytes: number[] = [];
  const write = (number: number) => {
    let rest = number;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
    bytes.push(rest);
  };
  write(entries.length);
  entries.forEach(({ tileId }, i) => write(tileId - (entries[i - 1]?.tileId ?? 0)));
  for (const { runLength } of entries) write(runLength);
  for (const { length } of entries) write(length);
  entries.forEach(({ offset }, i) => {
    const before = entries[i - 1];
    write(before && before.offset + before.length === offset ? 0 : offset + 1);
  });
  return gzipSync(Buffer.from(bytes));
}

const GZIP = 2;
const MVT = 1;

/** @param lengths of the root directory, the metadata, the leaf directories, and the tiles */
function header(
  lengths: readonly number[],
  counts: readonly number[],
  { bounds, minZoom, maxZoom }: ArchiveFacts,
): Buffer {
  const head = Buffer.alloc(HEADER_BYTES);
  head.write('PMTiles');
  head[7] = 3;
  let at = 8;
  const writeLong = (number: number) => (at = head.writeBigUInt64LE(BigInt(number), at));
  const writeDegrees = (degrees: number) => (at = head.writeInt32LE(Math.round(degrees * 1e7), at));
  let offset = HEADER_BYTES;
  for (const length of lengths) {
    writeLong(offset);
    writeLong(length);
    offset += length;
  }
  counts.forEach(writeLong);
  const CLUSTERED = 1;
  for (const byte of [CLUSTERED, GZIP, GZIP, MVT, minZoom, maxZoom]) at = head.writeUInt8(byte, at);
  bounds.forEach(writeDegrees);
  at = head.writeUInt8(minZoom, at);
  const [west, south, east, north] = bounds;
  writeDegrees((west + east) / 2);
  writeDegrees((south + north) / 2);
  return head;
}
