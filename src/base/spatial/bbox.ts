/** Bounding boxes in degrees. No box crosses the antimeridian: west <= east. */
import type { Geometry, Position } from 'geojson';
import { FlatGeometry } from './flat-geometry.ts';

export type Bbox = [west: number, south: number, east: number, north: number];

/** The contiguous United States, shown when there is no data to show. */
export const COUNTRY: Bbox = [-125, 24.4, -66.9, 49.4];

/** About half a pixel at zoom 18. A box with a shorter side would be blank. */
const MIN_SIDE_DEG = 1e-6;

const DECIMAL = /^-?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;

/** Whether a text is a number as programs print it: `-96.8`, `9.0`, `1e-7` */
export const isDecimal = (text: string) => DECIMAL.test(text);

/**
 * Parses a requested box, `minLng,minLat,maxLng,maxLat`.
 *
 * @throws RangeError with a message that completes a sentence about the parameter
 */
export function parseBbox(text: string): Bbox {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.length !== 4 || !parts.every(isDecimal)) {
    throw new RangeError(
      'must be four numbers minLng,minLat,maxLng,maxLat, e.g. -97.5,32.5,-96.5,33.1',
    );
  }
  // Adding 0 turns -0 into 0, so both give the same box.
  const [west, south, east, north] = parts.map((part) => Number(part) + 0) as Bbox;
  if (Math.abs(west) > 180 || Math.abs(east) > 180) {
    throw new RangeError('has a longitude outside -180..180');
  }
  if (Math.abs(south) > 90 || Math.abs(north) > 90) {
    throw new RangeError('has a latitude outside -90..90');
  }
  if (west > east) {
    throw new RangeError(
      'must have minLng below maxLng; split a box that crosses the antimeridian into two',
    );
  }
  if (south > north) throw new RangeError('must have minLat below maxLat');
  if (east - west < MIN_SIDE_DEG || north - south < MIN_SIDE_DEG) {
    throw new RangeError('is too small: each side must be at least 0.000001 degrees');
  }
  return [west, south, east, north];
}

/** The border of a box, as a closed ring. */
export const ringOf = ([west, south, east, north]: Bbox): Position[] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];

/** Returns a box that overlaps no other box. Extending it by a point results in that point. */
export const emptyBbox = (): Bbox => [Infinity, Infinity, -Infinity, -Infinity];

export function bboxesMeet(a: Bbox, b: Bbox): boolean {
  return a[0] <= b[2] && a[2] >= b[0] && a[1] <= b[3] && a[3] >= b[1];
}

/** The smallest box around a geometry, or an empty box if the geometry has no positions. */
export function bboxOfGeometry(geometry: Geometry | FlatGeometry): Bbox {
  if (geometry instanceof FlatGeometry) return geometry.bbox;
  const bbox = emptyBbox();
  extendByGeometry(bbox, geometry);
  return bbox;
}

export function bboxOfPositions(positions: readonly (readonly number[])[]): Bbox {
  const bbox = emptyBbox();
  extendByPositions(bbox, positions);
  return bbox;
}

/** The smallest box around boxes. */
export function bboxAround(boxes: readonly Bbox[]): Bbox {
  return boxes.reduce<Bbox>(
    (around, [west, south, east, north]) => [
      Math.min(around[0], west),
      Math.min(around[1], south),
      Math.max(around[2], east),
      Math.max(around[3], north),
    ],
    emptyBbox(),
  );
}

function extendByGeometry(bbox: Bbox, geometry: Geometry): void {
  switch (geometry.type) {
    case 'Point':
      return extendByPosition(bbox, geometry.coordinates);
    case 'MultiPoint':
    case 'LineString':
      return extendByPositions(bbox, geometry.coordinates);
    case 'MultiLineString':
    case 'Polygon':
      for (const part of geometry.coordinates) extendByPositions(bbox, part);
      return;
    case 'MultiPolygon':
      // Holes are inside their outer ring, so the first ring is enough.
      for (const polygon of geometry.coordinates) extendByPositions(bbox, polygon[0] ?? []);
      return;
    case 'GeometryCollection':
      for (const member of geometry.geometries) extendByGeometry(bbox, member);
  }
}

function extendByPositions(bbox: Bbox, positions: readonly (readonly number[])[]): void {
  for (const position of positions) extendByPosition(bbox, position);
}

function extendByPosition(bbox: Bbox, position: readonly number[]): void {
  const lng = position[0]!;
  const lat = position[1]!;
  if (lng < bbox[0]) bbox[0] = lng;
  if (lat < bbox[1]) bbox[1] = lat;
  if (lng > bbox[2]) bbox[2] = lng;
  if (lat > bbox[3]) bbox[3] = lat;
}
