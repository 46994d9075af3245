/** Vector tiles (Mapbox Vector Tile 2.1): tilesets and the encoding of tiles. */
import type { Feature } from 'geojson';
// `@maplibre/geojson-vt`, a fork, differs only in clusters and line metrics, which these tiles don't use.
import GeoJsonVt from 'geojson-vt';
import { fromGeojsonVt } from 'vt-pbf';
import type { Queryable } from '../../base/db/database.ts';
import type { Dataset, DatasetName } from '../../base/db/datasets.ts';
import type { Bbox } from '../../base/spatial/bbox.ts';
import type { TileAddress } from '../../base/spatial/tile.ts';
import {
  doubleArea,
  validRings,
  type GridPosition,
  type GridRing,
} from '../../base/spatial/valid-rings.ts';

/** A set of tiles with the same layers. */
export interface Tileset {
  /** Name in URLs */
  name: string;
  /** Name for people */
  title: string;
  minZoom: number;
  /** The highest zoom with tiles. Maps enlarge these at higher zooms */
  maxZoom: number;
  layers: readonly TileLayer[];
  /** @throws ServiceError 503 before the data has been imported */
  tile(db: Queryable, address: TileAddress): Promise<Uint8Array>;
  /** @throws ServiceError 503 before the data has been imported */
  facts(db: Queryable): Promise<TilesetFacts>;
  /** Imported data in the tiles. Other data, such as the metros, is part of the program. */
  datasets: readonly DatasetName[];
}

/** Facts about the data in the tiles. */
export interface TilesetFacts {
  sources: readonly Dataset[];
  bounds: Bbox;
}

export interface TileLayer {
  id: string;
  description: string;
  /** Type and meaning of each property */
  fields: Readonly<Record<string, string>>;
}

/** Units along the side of a tile: eight per pixel of a 512-pixel tile */
export const TILE_EXTENT = 4096;

/** Units to include beyond a tile's edge, so that wide lines are complete there: eight pixels */
const BUFFER = 64;

/** The buffer as a share of the tile's side: the margin of data to load around a tile */
export const TILE_MARGIN = BUFFER / TILE_EXTENT;

/** The highest zoom of maps. A tileset's highest zoom contains all features up to this zoom. */
const MAX_MAP_ZOOM = 22;

/** The zoom that determines which features a tile contains. */
export function contentZoom({ z }: TileAddress, { maxZoom }: Pick<Tileset, 'maxZoom'>): number {
  return z < maxZoom ? z : MAX_MAP_ZOOM;
}

/**
 * Encodes GeoJSON features by layer, in their order, as a tile. A tile without features is empty.
 *
 * Keeps all vertices and rounds them to tile units: simplifying features separately would open gaps
 * between neighbors. The level of detail has already removed invisible vertices.
 */
export function encodeTile(
  { z, x, y }: TileAddress,
  layers: Readonly<Record<string, readonly Feature[]>>,
): Uint8Array {
  const tiles = Object.entries(layers).flatMap(([id, features]) => {
    const options = {
      maxZoom: z,
      indexMaxZoom: 0,
      extent: TILE_EXTENT,
      buffer: bufferOf(features),
    };
    const index = new GeoJsonVt({ type: 'FeatureCollection', features: [...features] }, options);
    const tile = index.getTile(z, x, y);
    const kept = tile && keepAreas(tile.features as TileFeature[], TILE_EXTENT);
    return kept && kept.length > 0
      ? [[id, { ...tile, features: kept } as typeof tile] as const]
      : [];
  });
  return fromGeojsonVt(Object.fromEntries(tiles), { version: 2, extent: TILE_EXTENT });
}

/** Points get no buffer, because a map would label a point in two tiles twice. */
function bufferOf(features: readonly Feature[]): number {
  return features[0]?.geometry.type === 'Point' ? 0 : BUFFER;
}

/** Number in geojson-vt for polygons */
const POLYGON = 3;

interface TileFeature {
  type: number;
  geometry: GridRing[] | GridPosition[];
}

/**
 * Returns the features with valid rings, as the specification of vector tiles requires. An area that
 * collapses completely becomes a square of one unit, an eighth of a pixel. A sliver of an area in another
 * tile is dropped.
 *
 * @param extent units along the side of a tile
 */
function keepAreas<Kept extends TileFeature>(features: readonly Kept[], extent: number): Kept[] {
  return features.flatMap((feature) => {
    if (feature.type !== POLYGON) return [feature];
    const rings = feature.geometry as GridRing[];
    const isFlat = (ring: GridRing) => doubleArea(ring) === 0;
    const kept = validRings(rings.some(isFlat) ? rings.filter((ring) => !isFlat(ring)) : rings);
    if (kept === rings) return [feature];
    if (kept.length > 0) return [{ ...feature, geometry: kept }];
    const [x, y] = rings[0]?.[0] ?? [-1, -1];
    const isHere = x >= 0 && x < extent && y >= 0 && y < extent;
    return isHere ? [{ ...feature, geometry: [squareAt(x, y)] }] : [];
  });
}

/** Clockwise on a map, like outer rings in tiles, whose y axis points down */
const squareAt = (x: number, y: number): GridRing => [
  [x, y],
  [x + 1, y],
  [x + 1, y + 1],
  [x, y + 1],
  [x, y],
];
