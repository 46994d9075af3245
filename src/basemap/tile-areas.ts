/** Keeps areas valid that change when a tile rounds them, also those that collapse, such as a campus. */
import {
  doubleArea,
  validRings,
  type GridPosition,
  type GridRing,
} from '../spatial/valid-rings.ts';

/** Number in geojson-vt for polygons */
const POLYGON = 3;

export interface TileFeature {
  type: number;
  geometry: GridRing[] | GridPosition[];
}

/**
 * Returns the features with valid rings, as the specification of vector tiles demands. An area that
 * collapses altogether becomes a square of one unit, an eighth of a pixel; a sliver of an area in another
 * tile is dropped.
 *
 * @param extent units along the side of a tile
 */
export function keepAreas<Kept extends TileFeature>(
  features: readonly Kept[],
  extent: number,
): Kept[] {
  return features.flatMap((feature) => {
    if (feature.type !== POLYGON) return [feature];
    const rings = feature.geometry as GridRing[];
    const isFlat = (ring: GridRing) => doubleArea(ring) === 0;
    const kept = validRings(rings.some(isFlat) ? rings.filter((ring) => !isFlat(ring)) : rings);
    if (kept === rings) return [feature];
    if (kept.length > 0) return [{ ...feature, geometry: kept }];
    const [x, y] = rings[0]?.[0] ?? [-1, -1];
    const isHere = x >= 0 && x < extent && y >= 0 && y < extent;
    return isHere ? [{ ...feature, geometry: [squareAt(x, y)] }] : [];
  });
}

/** Clockwise on a map, as outer rings are in tiles, whose y points down */
const squareAt = (x: number, y: number): GridRing => [
  [x, y],
  [x + 1, y],
  [x + 1, y + 1],
  [x, y + 1],
  [x, y],
];
