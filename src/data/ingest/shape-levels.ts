/** Shapes at all levels of detail, as readers return them and stores take them. */
import type { GeometryCollection, GeometryObject, NullObject } from 'topojson-specification';

export interface Shapes {
  /** Attributes of the features, in the file's order */
  properties: Record<string, unknown>[];
  /** Features that became parts of earlier ones, by index. They have no geometry of their own */
  absorbed?: ReadonlySet<number>;
  /** One topology per detail level, finest first, each with the same features */
  levels: ShapeLevel[];
}

/** A geometry that refers to its level's arcs. */
export type ShapeGeometry = Exclude<GeometryObject, NullObject | GeometryCollection>;

export interface ShapeLevel {
  arcs: Arcs;
  /** By feature; `null` without a geometry or with an empty one */
  geometries: (ShapeGeometry | null)[];
}

/** Borders and lines with all positions in one array, which is small and can be transferred between threads */
export interface Arcs {
  /** Longitude, latitude, longitude, …; WGS 84 degrees */
  coordinates: Float64Array<ArrayBuffer>;
  /** Index of each arc's first position, plus the total number of positions */
  starts: Uint32Array<ArrayBuffer>;
}

/** Returns the buffers that a message between threads transfers instead of copying. */
export const buffersOf = ({ levels }: Shapes): ArrayBuffer[] =>
  [...new Set(levels)].flatMap(({ arcs }) => [arcs.coordinates.buffer, arcs.starts.buffer]);
