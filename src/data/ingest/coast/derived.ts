/** The fitted coast, and other GeoJSON, as features to stage. */
import type { Geometry, Position } from 'geojson';
import { DETAIL_LEVELS } from '../../../base/spatial/detail.ts';
import type { Arcs, ShapeGeometry, ShapeLevel } from '../shape-levels.ts';
import type { Features } from '../stage-features.ts';
import type { Coast, LeveledFeature } from './fit.ts';

export function derivedFeatures({ features }: Pick<Coast, 'features'>): Features {
  return {
    shapes: { properties: features.map(() => ({})), levels: levelsOf(features) },
    features: new Map(features.map(({ facts }, index) => [index, facts])),
    coast: new Map(features.map((_, index) => [index, 'derived'])),
  };
}

function levelsOf(features: readonly LeveledFeature[]): ShapeLevel[] {
  const levels: ShapeLevel[] = [];
  for (const lod of DETAIL_LEVELS.keys()) {
    const isAsFiner = features.every(({ shapes }) => shapes[lod] === shapes[lod - 1]);
    const shapes = features.map((feature) => feature.shapes[lod] ?? null);
    levels.push((isAsFiner && levels.at(-1)) || levelOf(shapes));
  }
  return levels;
}

/** Each line and each ring is a separate arc. */
export function levelOf(shapes: readonly (Geometry | null)[]): ShapeLevel {
  const lines: Position[][] = [];
  const add = (line: Position[]) => [lines.push(line) - 1];
  const geometries = shapes.map((shape) => shape && geometryOf(shape, add));
  return { arcs: arcsOf(lines), geometries };
}

function geometryOf(shape: Geometry, add: (line: Position[]) => number[]): ShapeGeometry | null {
  switch (shape.type) {
    case 'Polygon':
      return { type: shape.type, arcs: shape.coordinates.map(add) };
    case 'MultiPolygon':
      return { type: shape.type, arcs: shape.coordinates.map((rings) => rings.map(add)) };
    case 'MultiLineString':
      return { type: shape.type, arcs: shape.coordinates.map(add) };
    default:
      return null;
  }
}

function arcsOf(lines: readonly Position[][]): Arcs {
  const starts = new Uint32Array(lines.length + 1);
  for (const [i, line] of lines.entries()) starts[i + 1] = starts[i]! + line.length;
  const coordinates = Float64Array.from(lines.flat(2));
  return { coordinates, starts };
}
