/** The streets of one version, for drawing maps. Each thread keeps the last tiles, decompressed. */
import { VectorTile } from '@mapbox/vector-tile';
import { cacheOf } from '../../base/cache/cache.ts';
import { PbfReader } from 'pbf';
import { decompressGzip, isGzip } from '../../render/document/decompress.ts';
import { tileName, type EncodedTile } from '../../render/vector-tiles.ts';
import type { TileAddress } from '../../base/spatial/tile.ts';
import type { StreetsFacts } from './archive.ts';

export interface StreetsAt extends StreetsFacts {
  /**
   * Returns those of the tiles that exist and can be decoded.
   *
   * @throws OtherVersionError if this version can't be read any more
   */
  tiles(tiles: readonly TileAddress[]): Promise<EncodedTile[]>;
}

/** How a thread gets tiles */
interface TileReads {
  /** Returns tiles, compressed as in the archive; null for a missing one */
  read(version: string, tiles: readonly TileAddress[]): Promise<(Uint8Array | null)[]>;
  reportDamaged(tile: string): void;
}

/** A tile of Manhattan takes less than 2 MB. */
const MAX_TILE_BYTES = 16 << 20;

/** By version and address. Engines recognize a tile that they have decoded by its bytes. */
const kept = cacheOf<EncodedTile>(({ bytes }) => bytes.length);

export function streetsAt(facts: StreetsFacts, { read, reportDamaged }: TileReads): StreetsAt {
  const keyOf = (tile: TileAddress) => `${facts.version} ${tileName(tile)}`;
  return {
    ...facts,
    async tiles(tiles) {
      const found = new Map(tiles.map((tile) => [tile, kept.get(keyOf(tile))]));
      const missing = tiles.filter((tile) => !found.get(tile));
      const packed = missing.length > 0 ? await read(facts.version, missing) : [];
      for (const [i, bytes] of packed.entries()) {
        const tile = missing[i]!;
        const unpacked = bytes && (await unpack(bytes));
        if (bytes && !unpacked) reportDamaged(tileName(tile));
        if (!unpacked) continue;
        const encoded = { ...tile, bytes: unpacked };
        kept.set(keyOf(tile), encoded);
        found.set(tile, encoded);
      }
      return tiles.flatMap((tile) => found.get(tile) ?? []);
    },
  };
}

async function unpack(bytes: Uint8Array): Promise<Uint8Array | null> {
  try {
    if (isGzip(bytes)) return await decompressGzip(bytes, MAX_TILE_BYTES);
    // Without a checksum, only the structure shows damage.
    void new VectorTile(new PbfReader(bytes));
    return bytes;
  } catch {
    return null;
  }
}
