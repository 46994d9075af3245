/**
 * Keeps areas valid when a tile rounds their coordinates, even if they collapse, such as a campus at low
 * zoom.
 */
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
 * Returns the features with valid rings, as the specification of vector tiles requires. An area that
 * collapses completely becomes a square of one unit, an eighth of a pixel. A sliver of an area in another
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

/** Clockwise on a map, like outer rings in tiles, whose y axis points down */
const squareAt = (x: number, y: number): GridRing => [
  [x, y],
  [x + 1, y],
  [x + 1, y + 1],
  [x, y + 1],
  [x, y],
];
