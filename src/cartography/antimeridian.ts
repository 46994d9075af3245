/** ZIPs over the antimeridian: the Aleutians' last, 99546, lies on both sides of it. */
import type { Queryable } from '../db/database.ts';
import { bboxAround, bboxOfGeometry, type Bbox } from '../spatial/bbox.ts';
import { DETAIL_LEVELS } from '../spatial/detail.ts';
import { zipShapes, type PlacedZip } from '../market/zips.ts';

/**
 * The same ZIPs, with boxes that are never wider than half the world. A box over the antimeridian
 * holds all the world between a ZIP's ends: in its place comes that of the side with more of it.
 */
export async function keepLargerSide(
  db: Queryable,
  zips: readonly PlacedZip[],
): Promise<PlacedZip[]> {
  const isWide = ({ bbox: [west, , east] }: PlacedZip) => east - west > 180;
  const wide = zips.filter(isWide).map(({ zip }) => zip);
  if (wide.length === 0) return [...zips];
  const shapes = await zipShapes(db, wide, DETAIL_LEVELS.length - 1);
  return zips.map((placed) => {
    const shape = isWide(placed) ? shapes.get(placed.zip) : undefined;
    if (shape === undefined) return placed;
    const parts = shape.coordinates.map((coordinates) =>
      bboxOfGeometry({ type: 'Polygon', coordinates }),
    );
    const east = parts.filter(([west]) => west >= 0);
    const west = parts.filter(([west]) => west < 0);
    return { ...placed, bbox: bboxAround(extent(west) >= extent(east) ? west : east) };
  });
}

/** Square degrees of the boxes. */
function extent(boxes: readonly Bbox[]): number {
  return boxes.reduce(
    (sum, [west, south, east, north]) => sum + (east - west) * (north - south),
    0,
  );
}
