/** Decodes vector tiles into MapLibre's integer tile units. */
import { VectorTileFeature, type VectorTileLayer } from '@mapbox/vector-tile';
import { clipLine, clipRing } from '../../../spatial/clip.ts';
import { growRect, rectContains, rectOf, type FlatPoints } from '../../../spatial/flat.ts';
import type { TileAddress } from '../../../spatial/tile.ts';
import { TILE_EXTENT, TileStyle, type StyleFeature } from '../style/style-feature.ts';

/** The part of a feature that lies in a tile and its margin */
export interface TileFeature {
  style: StyleFeature;
  /** Single points, lines, or polygon rings without a repeated last point */
  parts: readonly FlatPoints[];
}

/** A tile of a higher zoom, cut out of an enlarged tile */
export interface Slice {
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
export function tileFeatures(
  layer: VectorTileLayer,
  slice: Slice,
  tile: TileAddress,
): TileFeature[] {
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
