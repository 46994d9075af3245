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

function projectRing(ring: readonly Position[], projection: Projection): FlatPoints {
  return ring.slice(1).flatMap(([lng, lat]) => [projection.x(lng!), projection.y(lat!)]);
}
