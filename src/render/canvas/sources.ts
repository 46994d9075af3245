/** The sources of a picture: the scene's, or what the document itself holds. */
import { VectorTile } from '@mapbox/vector-tile';
import type { Feature } from 'geojson';
import { PbfReader } from 'pbf';
import { InvalidSceneError, UnsupportedStyleError } from '../errors.ts';
import type { Scene, SourceData } from '../scene.ts';
import {
  tileName,
  wrapTile,
  type EncodedTile,
  type TileAddress,
  type TileSet,
} from '../vector-tiles.ts';
import type { CompiledStyle } from './compiled-style.ts';
import { tileFeatures, type TileFeature } from './tile-features.ts';

export type OpenSource = GeoJsonSource | VectorSource;

export interface GeoJsonSource {
  type: 'geojson';
  features: readonly Feature[];
}

export interface VectorSource {
  type: 'vector';
  tileSet: TileSet;
  /**
   * What a layer holds at one of the `shownTiles`; also beyond the antimeridian.
   *
   * @throws InvalidSceneError for a tile that cannot be read
   */
  featuresIn(address: TileAddress, sourceLayer: string): readonly TileFeature[];
}

/**
 * Opens each source once, when it is first asked for.
 *
 * @throws InvalidSceneError for data of sources that the style does not have
 */
export function openSources(scene: Scene, style: CompiledStyle): (id: string) => OpenSource {
  const unknown = Object.keys(scene.sources).filter((id) => !(id in style.sources));
  if (unknown.length > 0) {
    throw new InvalidSceneError(unknown.map((id) => `the style declares no source "${id}"`));
  }
  const opened = new Map<string, OpenSource>();
  return (id) => {
    let source = opened.get(id);
    if (source === undefined) {
      source = open(id, scene, style);
      opened.set(id, source);
    }
    return source;
  };
}

function open(id: string, scene: Scene, style: CompiledStyle): OpenSource {
  const { type, features, select } = style.sources[id]!;
  const data = scene.sources[id] ?? features;
  if (type === 'vector') {
    if (data !== null && isTileSet(data)) return vectorSource(data);
    throw new InvalidSceneError([`the scene brings no vector tiles for the source "${id}"`]);
  }
  if (data === null) {
    throw new UnsupportedStyleError(`sources.${id}.data`, 'must hold features, not an address');
  }
  if (!isTileSet(data)) return { type: 'geojson', features: select(data) };
  throw new InvalidSceneError([`the scene brings vector tiles for the GeoJSON source "${id}"`]);
}

const isTileSet = (data: SourceData): data is TileSet => 'tiles' in data;

function vectorSource(tileSet: TileSet): VectorSource {
  const encoded = new Map(tileSet.tiles.map((tile) => [tileName(tile), tile]));
  const opened = new Map<EncodedTile, VectorTile>();
  const known = new Map<string, readonly TileFeature[]>();

  const read = (address: TileAddress, sourceLayer: string): TileFeature[] => {
    // Above the last zoom that has tiles, a part of one of these
    const count = 2 ** Math.max(0, address.z - tileSet.maxzoom);
    const [x, y] = [Math.floor(address.x / count), Math.floor(address.y / count)];
    const tile = encoded.get(tileName({ z: Math.min(address.z, tileSet.maxzoom), x, y }));
    if (tile === undefined) return [];
    try {
      const content = opened.get(tile) ?? new VectorTile(new PbfReader(tile.bytes));
      opened.set(tile, content);
      const layer = content.layers[sourceLayer];
      const slice = { count, column: address.x - x * count, row: address.y - y * count };
      return layer === undefined ? [] : tileFeatures(layer, slice);
    } catch (error) {
      throw new InvalidSceneError([
        `the tile ${tileName(tile)} is not a Mapbox Vector Tile: ${String(error)}`,
      ]);
    }
  };
  return {
    type: 'vector',
    tileSet,
    featuresIn(address, sourceLayer) {
      const place = wrapTile(address);
      const key = `${tileName(place)}/${sourceLayer}`;
      const features = known.get(key) ?? read(place, sourceLayer);
      known.set(key, features);
      return features;
    },
  };
}
