/** Opens vector tiles. Features are in MapLibre's integer tile units. */
import { VectorTile, VectorTileFeature, type VectorTileLayer } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { clipLine, clipRing } from '../../../spatial/clip.ts';
import { growRect, rectContains, rectOf, type FlatPoints } from '../../../spatial/flat.ts';
import type { TileAddress } from '../../../spatial/tile.ts';
import { TILE_EXTENT, TileStyle, type StyleFeature } from '../style/style-feature.ts';
import { InvalidSceneError } from '../../errors.ts';
import {
  shownTiles,
  tileName,
  wrapTile,
  type EncodedTile,
  type TileSet,
} from '../../vector-tiles.ts';
import type { TileFeature, TiledSource } from './tiled-source.ts';

export function vectorSource(tileSet: TileSet): TiledSource {
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

/** A tile of a higher zoom, cut out of an enlarged tile */
interface Slice {
  /** Slices per side of the enlarged tile */
  count: number;
  column: number;
  row: number;
}

/**
 * Returns the features of a tile layer in their order, cut to a slice of the tile.
 *
 * @param tile address of the slice
 */
function tileFeatures(layer: VectorTileLayer, slice: Slice, tile: TileAddress): TileFeature[] {
  const features = Array.from({ length: layer.length }, (_, i) => layer.feature(i));
  return features.flatMap((feature) => {
    if (feature.type === 0) return [];
    const { id, properties } = feature;
    const type = VectorTileFeature.types[feature.type] as StyleFeature['type'];
    const parts = clipToSlice(
      toSliceUnits(partsOf(feature), feature.extent, slice),
      type,
      feature.extent,
      slice,
    );
    if (parts.length === 0) return [];
    const scale = TILE_EXTENT / feature.extent;
    const rounded = parts.map((part) => part.map((value) => Math.round(value * scale)));
    return [{ style: new TileStyle(type, id, properties, tile, rounded), parts: rounded }];
  });
}

function partsOf(feature: VectorTileFeature): FlatPoints[] {
  const parts = feature.loadGeometry();
  if (feature.type === 1) return parts.flat().map(({ x, y }) => [x, y]);
  return parts.map((vertices) => {
    // Rings repeat their first vertex at the end.
    const distinct = feature.type === 3 ? vertices.slice(0, -1) : vertices;
    return distinct.flatMap(({ x, y }) => [x, y]);
  });
}

function toSliceUnits(
  parts: FlatPoints[],
  extent: number,
  { count, column, row }: Slice,
): FlatPoints[] {
  if (count === 1) return parts;
  return parts.map((part) =>
    part.map((value, i) => value * count - (i % 2 === 0 ? column : row) * extent),
  );
}

/** Margin kept around a slice, in 1/4096 of its side */
const MARGIN = 128;

function clipToSlice(
  parts: FlatPoints[],
  type: StyleFeature['type'],
  extent: number,
  { count }: Slice,
): FlatPoints[] {
  if (count === 1) return parts;
  const margin = Math.max(MARGIN, Math.round((MARGIN * extent) / 4096));
  const rect = growRect({ minX: 0, minY: 0, maxX: extent, maxY: extent }, margin);
  switch (type) {
    case 'Point':
      return parts.filter((point) => rectContains(rect, rectOf(point)));
    case 'LineString':
      return parts.flatMap((line) => clipLine(line, rect));
    case 'Polygon':
      return parts.map((ring) => clipRing(ring, rect)).filter((ring) => ring.length > 0);
  }
}
