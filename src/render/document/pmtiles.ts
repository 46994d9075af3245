/** Reads PMTiles archives, version 3 and older, with the library of the format's authors. */
import { open, type FileHandle } from 'node:fs/promises';
import {
  Compression,
  PMTiles,
  SharedPromiseCache,
  TileType,
  type Header,
  type Source,
} from 'pmtiles';
import type { Bbox } from '../../base/spatial/bbox.ts';
import { archiveProblem, type TileArchive } from './tile-archive.ts';
import { STYLE_ASSETS } from './bounds.ts';
import { decompressBrotli, decompressGzip } from './decompress.ts';

const HEADER_BYTES = 127;

/** Each directory covers thousands of tiles. */
const CACHED_DIRECTORIES = 100;

const FORMATS: Readonly<Record<number, string>> = {
  [TileType.Mvt]: 'mvt',
  [TileType.Mlt]: 'mlt',
  [TileType.Png]: 'png',
  [TileType.Jpeg]: 'jpeg',
  [TileType.Webp]: 'webp',
  [TileType.Avif]: 'avif',
};

/** @throws InvalidSceneError if the file is damaged */
export async function openPmtiles(path: string): Promise<TileArchive> {
  const file = await open(path);
  const archive = new PMTiles(
    sourceOf(path, file),
    new SharedPromiseCache(CACHED_DIRECTORIES, true, decompressPart),
    decompressPart,
  );
  const read = async <T>(what: string, action: () => Promise<T>): Promise<T> => {
    try {
      return await action();
    } catch (error) {
      const why = (error as Error).message;
      throw archiveProblem(path, `is a damaged PMTiles file: ${what} cannot be read: ${why}`);
    }
  };
  let header: Header;
  try {
    header = await read('its header', () => archive.getHeader());
  } catch (error) {
    await file.close();
    throw error;
  }
  return {
    file: path,
    format: FORMATS[header.tileType] ?? 'an unknown format',
    minzoom: header.minZoom,
    maxzoom: header.maxZoom,
    bounds: boundsOf(header),
    async readTile({ z, x, y }) {
      const tile = await read(`the tile ${z}/${x}/${y}`, () => archive.getZxy(z, x, y));
      return tile === undefined ? null : new Uint8Array(tile.data);
    },
    async readAttribution() {
      if (!header.jsonMetadataLength) return null;
      const metadata = await read('its metadata', () => archive.getMetadata());
      const { attribution } = (metadata ?? {}) as { attribution?: unknown };
      return typeof attribution === 'string' ? attribution : null;
    },
    close: () => file.close(),
  };
}

/** Reads parts of a file, within a size limit: a damaged directory may ask for too much. */
function sourceOf(path: string, file: FileHandle): Source {
  return {
    getKey: () => path,
    async getBytes(offset, length) {
      if (!(length >= 0 && length <= STYLE_ASSETS.bytes && Number.isSafeInteger(offset))) {
        throw new RangeError(`it has ${length} bytes at ${offset}`);
      }
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset);
      // The first read asks for the header and the root directory together, which may exceed a small file.
      const isCut = offset === 0 ? bytesRead < HEADER_BYTES : bytesRead < length;
      if (isCut) throw new RangeError('the file ends before it');
      return { data: Uint8Array.from(buffer.subarray(0, bytesRead)).buffer };
    },
  };
}

/** Decompresses a directory, metadata, or a tile, within a size limit. @throws Error for an unknown compression */
export async function decompressPart(
  data: ArrayBuffer,
  compression: Compression,
): Promise<ArrayBuffer> {
  const bytes = new Uint8Array(data);
  const limit = STYLE_ASSETS.bytes;
  switch (compression) {
    case Compression.Unknown:
    case Compression.None:
      return data;
    case Compression.Gzip:
      return Uint8Array.from(await decompressGzip(bytes, limit)).buffer;
    case Compression.Brotli:
      return Uint8Array.from(await decompressBrotli(bytes, limit)).buffer;
    default:
      throw new Error(
        'its compression is not supported: write the archive with gzip, brotli, or none',
      );
  }
}

/** Some programs leave the bounds at zero. */
function boundsOf({ minLon, minLat, maxLon, maxLat }: Header): Bbox | undefined {
  return minLon < maxLon && minLat < maxLat ? [minLon, minLat, maxLon, maxLat] : undefined;
}
