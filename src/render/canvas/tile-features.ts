/** What a vector tile holds, in MapLibre's whole units of a tile. */
import { VectorTileFeature, type VectorTileLayer } from '@mapbox/vector-tile';
import { clipLine, clipRing } from '../../spatial/clip.ts';
import { rectContains, rectOf, type FlatPoints, type RectPx } from '../../spatial/flat.ts';
import type { StyleFeature } from './values.ts';

/** Side of a tile in its own units */
export const EXTENT = 8192;

/** What of a feature lies in a tile and a little beyond */
export interface TileFeature {
  style: StyleFeature;
  /** Points, each by itself; lines; or the rings of polygons, closed by nature */
  parts: readonly FlatPoints[];
}

/** A tile within one that is enlarged */
export interface Slice {
  /** How many of them stand side by side */
  count: number;
  column: number;
  row: number;
}

/** The features of a layer, in their order; of a tile as it is, or of a slice of it. */
export function tileFeatures(layer: VectorTileLayer, slice: Slice): TileFeature[] {
  const features = Array.from({ length: layer.length }, (_, i) => layer.feature(i));
  return features.flatMap((feature) => {
    if (feature.type === 0) return [];
    const { id, properties } = feature;
    const type = VectorTileFeature.types[feature.type] as StyleFeature['type'];
    const parts = cut(sliced(partsOf(feature), feature.extent, slice), type, feature.extent, slice);
    if (parts.length === 0) return [];
    const scale = EXTENT / feature.extent;
    const whole = parts.map((part) => part.map((value) => Math.round(value * scale)));
    return [{ style: { type, id, properties }, parts: whole }];
  });
}

function partsOf(feature: VectorTileFeature): FlatPoints[] {
  const parts = feature.loadGeometry();
  if (feature.type === 1) return parts.flat().map(({ x, y }) => [x, y]);
  return parts.map((vertices) => {
    // The first vertex of a ring is repeated at its end.
    const once = feature.type === 3 ? vertices.slice(0, -1) : vertices;
    return once.flatMap(({ x, y }) => [x, y]);
  });
}

function sliced(parts: FlatPoints[], extent: number, { count, column, row }: Slice): FlatPoints[] {
  if (count === 1) return parts;
  return parts.map((part) =>
    part.map((value, i) => value * count - (i % 2 === 0 ? column : row) * extent),
  );
}

/** Units around a slice in which shapes are kept, of 4096 in its side */
const MARGIN = 128;

function cut(
  parts: FlatPoints[],
  type: StyleFeature['type'],
  extent: number,
  { count }: Slice,
): FlatPoints[] {
  if (count === 1) return parts;
  const margin = Math.max(MARGIN, Math.round((MARGIN * extent) / 4096));
  const rect: RectPx = {
    minX: -margin,
    minY: -margin,
    maxX: extent + margin,
    maxY: extent + margin,
  };
  switch (type) {
    case 'Point':
      return parts.filter((point) => rectContains(rect, rectOf(point)));
    case 'LineString':
      return parts.flatMap((line) => clipLine(line, rect));
    case 'Polygon':
      return parts.map((ring) => clipRing(ring, rect)).filter((ring) => ring.length > 0);
  }
}
