/** Reads GeoJSON of style documents and of files, as its authors wrote it. */
import type { Feature, Geometry, Position } from 'geojson';
import { closeRing } from '../base/spatial/rings.ts';
import { InvalidSceneError } from './errors.ts';
import { listNames } from './name-list.ts';

export interface GeoJsonFeatures {
  features: readonly Feature[];
  /** Sentences that name what is broken and left out */
  warnings: readonly string[];
}

/**
 * Returns the features of a collection, a single feature, or a bare geometry as a feature. As in MapLibre, each
 * geometry of a GeometryCollection becomes a feature; features without a geometry are omitted; rings are closed.
 * Broken shapes, and broken parts of shapes, are left out.
 *
 * @param name of the data, for messages
 * @throws InvalidSceneError if the data isn't GeoJSON
 */
export function readFeatures(data: unknown, name: string): GeoJsonFeatures {
  const { type, features: list } = Object(data) as Record<string, unknown>;
  const isCollection = type === 'FeatureCollection';
  if (isCollection && !Array.isArray(list)) {
    throw new InvalidSceneError([
      `${name} is a FeatureCollection without a list of features: add "features"`,
    ]);
  }
  const isGeoJson = isCollection || type === 'Feature' || isGeometryType(type);
  if (!isGeoJson) {
    throw new InvalidSceneError([
      `${name} is not GeoJSON: its "type" is ${JSON.stringify(type)}. Convert it to GeoJSON.`,
    ]);
  }
  const given = isCollection ? (list as unknown[]) : [data];
  const features: Feature[] = [];
  const broken: string[] = [];
  for (const [i, value] of given.entries()) {
    const reader = new FeatureReader();
    reader.read(isGeometryType(type) ? { geometry: value } : value, features);
    if (reader.isBroken) broken.push(isCollection ? `features[${i}]` : 'its geometry');
  }
  if (broken.length === 0) return { features, warnings: [] };
  const what = `shapes whose coordinates are missing or broken: ${listNames(broken)}`;
  return { features, warnings: [`${name} is drawn without ${what}. Correct them.`] };
}

const isGeometryType = (type: unknown): type is Geometry['type'] =>
  type === 'GeometryCollection' || (typeof type === 'string' && Object.hasOwn(READERS, type));

class FeatureReader {
  /** Whether something was left out */
  isBroken = false;

  /** Adds a feature for each geometry. */
  read(value: unknown, features: Feature[]): void {
    if (value === null) return;
    const { geometry, id, properties } = Object(value) as Record<string, unknown>;
    // Without `bbox`, which may be wrong.
    const feature = {
      type: 'Feature' as const,
      ...(typeof id === 'string' || typeof id === 'number' ? { id } : {}),
      properties: properties instanceof Object ? properties : {},
    };
    if (geometry !== null) this.addGeometries(geometry, feature, features);
  }

  private addGeometries(
    geometry: unknown,
    feature: Omit<Feature, 'geometry'>,
    features: Feature[],
  ): void {
    const { type, geometries, coordinates } = Object(geometry) as Record<string, unknown>;
    if (type === 'GeometryCollection' && Array.isArray(geometries)) {
      for (const each of geometries) this.addGeometries(each, feature, features);
      return;
    }
    const read = isGeometryType(type) ? READERS[type as keyof typeof READERS] : undefined;
    const readable = read?.(coordinates, this);
    if (readable == null) this.isBroken = true;
    else features.push({ ...feature, geometry: { type, coordinates: readable } as Geometry });
  }
}

/** Returns the readable part of coordinates, or null if there is none. */
type Read = (value: unknown, reader: FeatureReader) => unknown[] | null;

const readPosition: Read = (value) =>
  Array.isArray(value) && Number.isFinite(value[0]) && Number.isFinite(value[1]) ? value : null;

/** A line with a broken position has another shape, so it is broken as a whole. */
const readLine: Read = (value, reader) =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((position) => readPosition(position, reader) !== null)
    ? value
    : null;

const readRing: Read = (value, reader) => {
  const line = readLine(value, reader) as Position[] | null;
  return line && closeRing(line);
};

/** Reads the parts of a shape, and leaves out those that are broken. */
const listOf =
  (read: Read): Read =>
  (value, reader) => {
    if (!Array.isArray(value)) return null;
    const parts = value.map((part) => read(part, reader)).filter((part) => part !== null);
    if (parts.length < value.length) reader.isBroken = true;
    return parts.length > 0 ? parts : null;
  };

const readHoles = listOf(readRing);

/** Without its outer ring, a hole would be an area. */
const readPolygon: Read = (value, reader) => {
  const outer = Array.isArray(value) ? readRing(value[0], reader) : null;
  if (outer === null) return null;
  return [outer, ...(readHoles((value as unknown[]).slice(1), reader) ?? [])];
};

const READERS: Readonly<Record<Exclude<Geometry['type'], 'GeometryCollection'>, Read>> = {
  Point: readPosition,
  MultiPoint: listOf(readPosition),
  LineString: readLine,
  MultiLineString: listOf(readLine),
  Polygon: readPolygon,
  MultiPolygon: listOf(readPolygon),
};
