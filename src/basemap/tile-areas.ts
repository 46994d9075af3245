/** Keeps areas that collapse when a tile rounds them, such as the ZIP code of a campus. */

type TilePosition = [x: number, y: number];
type TileRing = TilePosition[];

/** Number in geojson-vt for polygons */
const POLYGON = 3;

export interface TileFeature {
  type: number;
  geometry: TileRing[] | TilePosition[];
}

/**
 * Returns the features without rings that have no area, which the specification of vector tiles forbids. An
 * area that collapses altogether becomes a square of one unit, an eighth of a pixel; a sliver of an area in
 * another tile is dropped.
 *
 * @param extent units along the side of a tile
 */
export function keepAreas<Kept extends TileFeature>(
  features: readonly Kept[],
  extent: number,
): Kept[] {
  return features.flatMap((feature) => {
    if (feature.type !== POLYGON) return [feature];
    const rings = feature.geometry as TileRing[];
    const kept = rings.filter((ring) => doubleArea(ring) !== 0);
    if (kept.length === rings.length) return [feature];
    if (kept.length > 0) return [{ ...feature, geometry: kept }];
    const [x, y] = rings[0]?.[0] ?? [-1, -1];
    const isHere = x >= 0 && x < extent && y >= 0 && y < extent;
    return isHere ? [{ ...feature, geometry: [squareAt(x, y)] }] : [];
  });
}

function doubleArea(ring: TileRing): number {
  let sum = 0;
  let [x1, y1] = ring.at(-1) ?? [0, 0];
  for (const [x2, y2] of ring) {
    sum += x1 * y2 - x2 * y1;
    [x1, y1] = [x2, y2];
  }
  return sum;
}

/** Clockwise on a map, as outer rings are in tiles, whose y points down */
const squareAt = (x: number, y: number): TileRing => [
  [x, y],
  [x + 1, y],
  [x + 1, y + 1],
  [x, y + 1],
  [x, y],
];
