/** Opens the sources of a picture: data of the scene, or features in the style document. */
import { VectorTile } from '@mapbox/vector-tile';
import type { Feature } from 'geojson';
import { PbfReader } from 'pbf';
import type { View3 } from '../../../spatial/view.ts';
import type { TileAddress } from '../../../spatial/tile.ts';
import { InvalidSceneError } from '../../errors.ts';
import { undeclaredSources, type Scene } from '../../scene.ts';
import { featuresFor, tilesOf } from '../../source-data.ts';
import {
  shownTiles,
  tileName,
  wrapTile,
  type EncodedTile,
  type TileSet,
} from '../../vector-tiles.ts';
import type { CompiledStyle, Tiling } from '../style/compiled-style.ts';
import { tileGeoJson } from './geojson-tiles.ts';
import {
  openRaster,
  type DemSource,
  type PictureSource,
  type RasterSource,
} from './raster-sources.ts';
import { tileFeatures, type TileFeature } from './tile-features.ts';

export type OpenSource = GeoJsonSource | TiledSource | RasterSource | DemSource | PictureSource;

export interface GeoJsonSource {
  type: 'geojson';
  features: readonly Feature[];
  tiling: Tiling;
  /** Returns the features in tiles. They are cut only once. */
  tiled(): TiledSource;
}

/** Vector tiles, or GeoJSON in tiles */
export interface TiledSource {
  type: 'tiled';
  /** Returns the tiles to draw. Above the last zoom of vector tiles, these are parts of larger ones. */
  tilesIn(view: View3): TileAddress[];
  /**
   * Returns the features of a source layer in one of these tiles, also beyond the antimeridian. GeoJSON
   * has no source layers.
   *
   * @throws InvalidSceneError for a tile that cannot be read
   */
  featuresIn(address: TileAddress, sourceLayer: string | null): readonly TileFeature[];
}

/**
 * Returns a function that opens a source on first use.
 *
 * @throws InvalidSceneError if the scene has data for sources that the style does not declare
 */
export function openSources(scene: Scene, style: CompiledStyle): (id: string) => OpenSource {
  const problems = undeclaredSources(scene);
  if (problems.length > 0) throw new InvalidSceneError(problems);
  const sources = new Map<string, OpenSource>();
  return (id) => {
    const source = sources.get(id) ?? openSource(id, scene, style);
    sources.set(id, source);
    return source;
  };
}

function openSource(id: string, scene: Scene, style: CompiledStyle): OpenSource {
  const { type, features, select, tiling } = style.sources[id]!;
  if (type === 'vector') return vectorSource(tilesOf(scene, id));
  const raster = openRaster(scene, id);
  if (raster !== null) return raster;
  const selected = select(featuresFor(scene, id, features));
  if (tiling!.cluster) return tileGeoJson(selected, tiling!);
  let tiled: TiledSource | null = null;
  return {
    type: 'geojson',
    features: selected,
    tiling: tiling!,
    tiled: () => (tiled ??= tileGeoJson(selected, tiling!)),
  };
}

function vectorSource(tileSet: TileSet): TiledSource {
  const encodedTiles = new Map(tileSet.tiles.map((tile) => [tileName(tile), tile]));
  const decodedTiles = new Map<EncodedTile, VectorTile>();
  const featureCache = new Map<string, readonly TileFeature[]>();

  const read = (address: TileAddress, sourceLayer: string | null): TileFeature[] => {
    // Above the last zoom with tiles, read a slice of a tile of that zoom.
    const count = 2 ** Math.max(0, address.z - tileSet.maxzoom);
    const [x, y] = [Math.floor(address.x / count), Math.floor(address.y / count)];
    const tile = encodedTiles.get(tileName({ z: Math.min(address.z, tileSet.maxzoom), x, y }));
    if (tile === undefined) return [];
    try {
      const content = decodedTiles.get(tile) ?? new VectorTile(new PbfReader(tile.bytes));
      decodedTiles.set(tile, content);
      const layer = content.layers[sourceLayer!];
      const slice = { count, column: address.x - x * count, row: address.y - y * count };
      return layer === undefined ? [] : tileFeatures(layer, slice, address);
    } catch (error) {
      throw new InvalidSceneError([
        `the tile ${tileName(tile)} is not a valid Mapbox Vector Tile: ${String(error)}`,
      ]);
    }
  };
  return {
    type: 'tiled',
    tilesIn: (view) => shownTiles(view, tileSet),
    featuresIn(address, sourceLayer) {
      const wrapped = wrapTile(address);
      const key = `${tileName(wrapped)}/${sourceLayer}`;
      const features = featureCache.get(key) ?? read(wrapped, sourceLayer);
      featureCache.set(key, features);
      return features;
    },
  };
}
