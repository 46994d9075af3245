/** Planar measures of shapes in degrees. They are used only for ranking, so they needn't be exact. */
import type { LineString, MultiLineString, MultiPolygon, Polygon, Position } from 'geojson';

export type Areal = Polygon | MultiPolygon;

/** Area in square degrees, including holes */
export function areaOf(shape: Areal): number {
  const polygons = shape.type === 'Polygon' ? [shape.coordinates] : shape.coordinates;
  let doubled = 0;
  for (const [outer] of polygons) {
    let ring = 0;
    for (const [[x1, y1], [x2, y2]] of sides(outer!)) ring += x1 * y2 - x2 * y1;
    doubled += Math.abs(ring);
  }
  return doubled / 2;
}

/** Average width */
export function breadthOf(polygon: Polygon): number {
  const around = lengthOf({ type: 'LineString', coordinates: polygon.coordinates[0]! });
  return (2 * areaOf(polygon)) / around;
}

export function lengthOf(line: LineString | MultiLineString): number {
  const parts = line.type === 'LineString' ? [line.coordinates] : line.coordinates;
  let length = 0;
  for (const [[x1, y1], [x2, y2]] of parts.flatMap(sides)) length += Math.hypot(x2 - x1, y2 - y1);
  return length;
}

type Vector = [x: number, y: number];

const sides = (path: readonly Position[]) =>
  path.slice(1).map((to, i) => [path[i], to] as [Vector, Vector]);
