/** Handles ZIP codes that span the antimeridian, such as 99546 at the western end of the Aleutians. */
import { area } from '@turf/area';
import { bbox } from '@turf/bbox';
import type { MultiPolygon } from 'geojson';
import type { Queryable } from '../db/database.ts';
import type { Bbox } from '../spatial/bbox.ts';
import { DETAIL_LEVELS } from '../spatial/detail.ts';
import { zipShapes, type PlacedZip } from '../market/zips.ts';

/**
 * Replaces the box of each ZIP code that spans the antimeridian with the box of its larger side. A map
 * of the original box, from -180 to 180, would show the whole world.
 */
export async function keepLargerSide(
  db: Queryable,
  zips: readonly PlacedZip[],
): Promise<PlacedZip[]> {
  const isWide = (placed: PlacedZip) => placed.bbox[2] - placed.bbox[0] > 180;
  const wide = zips.filter(isWide).map(({ zip }) => zip);
  if (wide.length === 0) return [...zips];
  const shapes = await zipShapes(db, wide, DETAIL_LEVELS.length - 1);
  return zips.map((placed) => {
    const shape = isWide(placed) ? shapes.get(placed.zip) : undefined;
    if (shape === undefined) return placed;
    const side = (isOnSide: (minLng: number) => boolean): MultiPolygon => ({
      type: 'MultiPolygon',
      coordinates: shape.coordinates.filter((coordinates) =>
        isOnSide(bbox({ type: 'Polygon', coordinates })[0]),
      ),
    });
    const [east, west] = [side((minLng) => minLng >= 0), side((minLng) => minLng < 0)];
    return { ...placed, bbox: bbox(area(west) >= area(east) ? west : east) as Bbox };
  });
}
