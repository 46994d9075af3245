import type { MultiPolygon, Polygon, Position } from 'geojson';
import { signedAreaPx, type FlatPoints } from './flat.ts';

/** Projects degrees to the plane. */
export interface Projection {
  x(lng: number): number;
  y(lat: number): number;
}

/** The rings of the largest polygon on a plane, or null for an empty geometry. */
export function largestPart(
  geometry: Polygon | MultiPolygon,
  projection: Projection,
): FlatPoints[] | null {
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  let largest: FlatPoints[] | null = null;
  let largestArea = 0;
  for (const polygon of polygons) {
    const rings = polygon.map((ring) => projectRing(ring, projection));
    const area = Math.abs(signedAreaPx(rings[0]!));
    if (area > largestArea) {
      largestArea = area;
      largest = rings;
    }
  }
  return largest;
}

/** Omits the last position, which repeats the first. */
function projectRing(ring: readonly Position[], projection: Projection): FlatPoints {
  const points: FlatPoints = [];
  for (let i = 1; i < ring.length; i++) {
    points.push(projection.x(ring[i]![0]!), projection.y(ring[i]![1]!));
  }
  return points;
}
