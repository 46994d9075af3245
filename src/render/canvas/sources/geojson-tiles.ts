/**
 * GeoJSON in tiles, cut or clustered as MapLibre does, with the same library and options. Positions
 * along lines, clusters, and labels depend on where tile edges cut features and on integer tile units.
 */
import { GeoJSONVT, type GeoJSONVTFeature } from '@maplibre/geojson-vt';
import type { Feature } from 'geojson';
import type { FlatPoints } from '../../../base/spatial/flat.ts';
import { tileName, tilesInView, wrapTile } from '../../vector-tiles.ts';
import type { TileAddress } from '../../../base/spatial/tile.ts';
import type { GeoJsonTiling } from '../style/compiled-style.ts';
import type { TileFeature, TiledSource } from './tiled-source.ts';
import { TileStyle, styleId } from '../style/style-feature.ts';

/** Cuts features into tiles when they are needed. */
export function tileGeoJson(features: readonly Feature[], tiling: GeoJsonTiling): TiledSource {
  const index = new GeoJSONVT({ type: 'FeatureCollection', features: [...features] }, tiling);
  const tiles = new Map<string, readonly TileFeature[]>();
  return tiledSource(tiling, ({ z, x, y }) => {
    const key = tileName({ z, x, y });
    const features =
      tiles.get(key) ??
      (index.getTile(z, x, y)?.features ?? []).map((feature) => tileFeature(feature, { z, x, y }));
    tiles.set(key, features);
    return features;
  });
}

/** @param featuresIn takes tiles of the world itself, not of its copies */
export function tiledSource(
  { maxZoom }: GeoJsonTiling,
  featuresIn: (tile: TileAddress) => readonly TileFeature[],
): TiledSource {
  return {
    type: 'tiled',
    tilesIn: (view) => tilesInView(view, { minzoom: 0, maxzoom: maxZoom }),
    featuresIn: (address) => featuresIn(wrapTile(address)),
  };
}

const TYPES = { 1: 'Point', 2: 'LineString', 3: 'Polygon' } as const;

function tileFeature(feature: GeoJSONVTFeature, tile: TileAddress): TileFeature {
  const parts = partsOf(feature);
  const { type, id, tags } = feature;
  return { style: new TileStyle(TYPES[type], styleId(id), tags ?? {}, tile, parts), parts };
}

function partsOf(feature: GeoJSONVTFeature): FlatPoints[] {
  if (feature.type === 1) return feature.geometry;
  const parts: FlatPoints[] = [];
  for (const positions of feature.geometry) {
    const part: FlatPoints = [];
    const [first, last] = [positions[0], positions.at(-1)];
    // Closed rings repeat their first point at the end.
    const repeated =
      feature.type === 3 && first?.[0] === last?.[0] && first?.[1] === last?.[1] ? 1 : 0;
    for (let i = 0; i < positions.length - repeated; i++) {
      part.push(positions[i]![0], positions[i]![1]);
    }
    parts.push(part);
  }
  return parts;
}
