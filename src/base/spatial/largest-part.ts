import type { MultiPolygon, Polygon, Position } from 'geojson';
import { FlatGeometry } from './flat-geometry.ts';
import { signedAreaPx, type FlatPoints } from './flat.ts';

/** Projects degrees to the plane. */
interface Projection {
  x(lng: number): number;
  y(lat: number): number;
}

/** The rings of the largest polygon on a plane, or null for an empty geometry. */
export function largestPart(
  geometry: Polygon | MultiPolygon,
  projection: Projection,
): FlatPoints[] | null {
  let largest: FlatPoints[] | null = null;
  let largestArea = 0;
  for (const rings of projectedPolygons(geometry, projection)) {
    const area = Math.abs(signedAreaPx(rings[0]!));
    if (area > largestArea) {
      largestArea = area;
      largest = rings;
    }
  }
  return largest;
}

/** Rings omit the first position, which repeats the last. */
function projectedPolygons(
  geometry: Polygon | MultiPolygon | FlatGeometry,
  projection: Projection,
): FlatPoints[][] {
  if (geometry instanceof FlatGeometry) {
    const { numbers } = geometry.positions;
    return geometry.polygons.map((rings) =>
      rings.map(({ start, end }) => {
        const points: FlatPoints = [];
        for (let at = start + 2; at < end; at += 2) {
          points.push(projection.x(numbers[at]!), projection.y(numbers[at + 1]!));
        }
        return points;
      }),
    );
  }
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  return polygons.map((rings) => rings.map((ring) => projectRing(ring, projection)));
}

function projectRing(ring: readonly Position[], projection: Projection): FlatPoints {
  const points: FlatPoints = [];
  for (let i = 1; i < ring.length; i++) {
    points.push(projection.x(ring[i]![0]!), projection.y(ring[i]![1]!));
  }
  return points;
}
