/**
 * Keeps the features of vector tiles for later pictures of this thread. A tile is the same as before if its bytes
 * are the same object.
 */
import { LRUCache } from 'lru-cache';
import { keptByDrawing } from '../../../base/workers/memory.ts';
import type { StyleFeature } from '../style/style-feature.ts';
import type { TileFeature } from './tiled-source.ts';

/** A feature in the units of its tile, or of a part of it */
export interface DecodedFeature extends Pick<TileFeature, 'parts'> {
  style: Pick<StyleFeature, 'type' | 'properties'>;
}

interface DecodedTile {
  /** By the source layer, and by the address that the features are for */
  layers: Map<string, readonly DecodedFeature[]>;
  size: number;
}

/**
 * A cache of decoded tiles, which forgets those that weren't drawn for the longest time. The streets and buildings of
 * a city take about 1 MB in each tile of zoom 14.
 */
export class DecodedTiles {
  private readonly tiles: LRUCache<Uint8Array, DecodedTile>;

  constructor(maxBytes = keptByDrawing().decodedTiles) {
    this.tiles = new LRUCache({ maxSize: Math.floor(maxBytes) });
  }

  /** The bytes that the features take, estimated */
  get size(): number {
    return this.tiles.calculatedSize;
  }

  /**
   * Returns the features that a tile has under a key, and decodes them if they are not known. Nothing is kept
   * of a tile that can't be decoded.
   */
  featuresOf<Feature extends DecodedFeature>(
    bytes: Uint8Array,
    key: string,
    decode: () => readonly Feature[],
  ): readonly Feature[] {
    const known = this.tiles.get(bytes)?.layers.get(key);
    if (known !== undefined) return known as readonly Feature[];
    const features = decode();
    const tile = this.tiles.get(bytes) ?? { layers: new Map(), size: bytes.length };
    tile.layers.set(key, features);
    tile.size += LIST_BYTES;
    for (const feature of features) tile.size += sizeOf(feature);
    // The cache keeps the size of a value that is set again.
    this.tiles.delete(bytes);
    this.tiles.set(bytes, tile, { size: tile.size });
    return features;
  }
}

/** Sizes in V8, measured with tiles of streets. Layers also keep lists of the features that pass their filters. */
const LIST_BYTES = 200;
const FEATURE_BYTES = 300;
const PROPERTY_BYTES = 50;
const PART_BYTES = 32;
const NUMBER_BYTES = 8;

function sizeOf({ style, parts }: DecodedFeature): number {
  let size = FEATURE_BYTES;
  for (const _ in style.properties) size += PROPERTY_BYTES;
  for (const part of parts) size += PART_BYTES + NUMBER_BYTES * part.length;
  return size;
}
