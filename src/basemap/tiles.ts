/** Vector tiles (Mapbox Vector Tile 2.1): what a set of them is, and how one is written. */
import type { Feature } from 'geojson';
import GeoJsonVt from 'geojson-vt';
import { fromGeojsonVt } from 'vt-pbf';
import type { Queryable } from '../db/database.ts';
import type { Dataset } from '../db/datasets.ts';
import type { Bbox } from '../spatial/bbox.ts';
import type { TileAddress } from '../spatial/tile.ts';

/** Tiles of one kind, all with the same layers. */
export interface Tileset {
  /** In URLs */
  name: string;
  /** For people */
  title: string;
  minZoom: number;
  /** The last zoom that has tiles; maps draw deeper ones from these */
  maxZoom: number;
  layers: readonly TileLayer[];
  /** @throws ServiceError 503 before the data has been imported */
  tile(db: Queryable, address: TileAddress): Promise<Uint8Array>;
  /** @throws ServiceError 503 before the data has been imported */
  facts(db: Queryable): Promise<TilesetFacts>;
  /** Changes whenever an import has changed what the tiles are made of */
  stamp(db: Queryable): Promise<string>;
}

/** Of the data that the tiles are made of. */
export interface TilesetFacts {
  sources: readonly Dataset[];
  bounds: Bbox;
}

export interface TileLayer {
  id: string;
  /** For people */
  description: string;
  /** Properties by name, with what they tell */
  fields: Readonly<Record<string, string>>;
}

/** Units of a tile's side: eight to a pixel of a 512-pixel tile */
export const TILE_EXTENT = 4096;

/** Units of shapes beyond the tile's edge, so that the widest lines are whole at it: eight pixels */
const BUFFER = 64;

/** The same as a share of the tile's side: what a tile needs of the world around it */
export const TILE_MARGIN = BUFFER / TILE_EXTENT;

/** Zoom up to which maps draw; what comes later than the last tiles has to be in these. */
const MAX_MAP_ZOOM = 22;

/** The zoom whose features a tile holds. */
export function contentZoom({ z }: TileAddress, { maxZoom }: Pick<Tileset, 'maxZoom'>): number {
  return z < maxZoom ? z : MAX_MAP_ZOOM;
}

/**
 * A tile of GeoJSON features by layer, in their order; a tile without any has no bytes.
 *
 * Vertices are all kept and rounded to the tile's units: thinned one by one, neighbours would part.
 * What a zoom does not show is left out before, by the level of detail.
 */
export function encodeTile(
  { z, x, y }: TileAddress,
  layers: Readonly<Record<string, readonly Feature[]>>,
): Uint8Array {
  const cut = Object.entries(layers).flatMap(([id, features]) => {
    const options = {
      maxZoom: z,
      indexMaxZoom: 0,
      extent: TILE_EXTENT,
      buffer: bufferOf(features),
    };
    const index = new GeoJsonVt({ type: 'FeatureCollection', features: [...features] }, options);
    const tile = index.getTile(z, x, y);
    return tile && tile.features.length > 0 ? [[id, tile] as const] : [];
  });
  return fromGeojsonVt(Object.fromEntries(cut), { version: 2, extent: TILE_EXTENT });
}

/** A point stands in one tile alone, or whoever counts or labels points would do so twice. */
function bufferOf(features: readonly Feature[]): number {
  return features[0]?.geometry.type === 'Point' ? 0 : BUFFER;
}
