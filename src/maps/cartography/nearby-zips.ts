/**
 * What is around a small territory: outlines and quiet labels of other ZIP codes, and the names of cities that
 * the basemap doesn't name. They say where the territory is.
 */
import type { Feature, MultiPolygon, Point } from 'geojson';
import { ZIP_LABEL_RADIUS_PX } from '../../data/basemap/label-features.ts';
import type { Queryable } from '../../base/db/database.ts';
import type { Viewport } from '../../base/spatial/camera.ts';
import { clipRing } from '../../base/spatial/clip.ts';
import { labelPoint, type LabelPoint } from '../../base/spatial/label-point.ts';
import { largestPart } from '../../base/spatial/largest-part.ts';
import { readWkb } from '../../base/spatial/wkb.ts';

/** From this zoom, most ZIP codes of a city have room for a label. */
const MIN_ZOOM = 10;
/** A larger territory has the names of its own cities in its title, and no room for them. */
const MAX_NAMED_ZIPS = 4;

export interface NearbyZip {
  zip: string;
  /** City of the post office */
  city: string | null;
  /** Whether it belongs to the territory */
  isOwn: boolean;
  geometry: MultiPolygon;
}

/**
 * Returns the ZIP codes in a view besides those of the territory, and the territory's own if they are few.
 * Empty for a view of a larger area.
 *
 * @param lod level of detail: see `base/spatial/detail.ts`
 */
export async function nearbyZips(
  db: Queryable,
  viewport: Viewport,
  lod: number,
  territory: readonly string[],
): Promise<NearbyZip[]> {
  if (viewport.zoom < MIN_ZOOM) return [];
  const rows = await db.query<{ zip: string; city: string | null; isOwn: boolean; wkb: Buffer }>(
    `select zip, city, zip = any($6) as "isOwn", st_asbinary(geom, 'NDR') as wkb
     from zips join zip_boundaries using (zip)
     where bbox && st_makeenvelope($1, $2, $3, $4, 4326) and lod = $5 and (zip <> all($6) or $7)
     order by zip`,
    [...viewport.bbox(0), lod, territory, territory.length <= MAX_NAMED_ZIPS],
  );
  return rows.map(({ wkb, ...row }) => ({ ...row, geometry: readWkb(wkb) as MultiPolygon }));
}

/** Half the height of a label with the name of a city above the ZIP code */
const PAIR_RADIUS_PX = 28;
/** Distance of the name and of the ZIP code from the middle of such a label */
const PAIR_OFFSET_PX = 11;
/** A name in the territory is above the label of its ZIP code, which has two lines. */
const OWN_RADIUS_PX = 50;
const OWN_OFFSET_PX = 36;
/** As unimportant as a village */
const RANK = 8;

/**
 * Returns the data of the sources `nearby-zips` and `nearby-zip-labels`, and places to add. Each city is named
 * once, where there is the most room.
 *
 * @param named names of places that the map shows anyway
 */
export function nearbySources(
  zips: readonly NearbyZip[],
  viewport: Viewport,
  named: Iterable<string>,
): Record<'nearby-zips' | 'nearby-zip-labels' | 'places', Feature[]> {
  const picture = { minX: 0, minY: 0, maxX: viewport.widthPx, maxY: viewport.heightPx };
  const spots = zips.flatMap((zip) => {
    const rings = largestPart(zip.geometry, viewport) ?? [];
    const [outer, ...holes] = rings.map((ring) => clipRing(ring, picture));
    if (!outer?.length) return [];
    return { ...zip, spot: labelPoint([outer, ...holes.filter(({ length }) => length > 0)], 1) };
  });
  const cities = new Set(Array.from(named, (name) => name.toLowerCase()));
  const places: Feature<Point>[] = [];
  const moved = new Map<string, number>();
  // The name of the territory's own city is beside it if there is room.
  const roomiest = spots.toSorted(
    (a, b) => Number(a.isOwn) - Number(b.isOwn) || b.spot.radius - a.spot.radius,
  );
  for (const { zip, city, isOwn, spot } of roomiest) {
    const needed = isOwn ? OWN_RADIUS_PX : PAIR_RADIUS_PX;
    if (city === null || spot.radius < needed || cities.has(city.toLowerCase())) continue;
    cities.add(city.toLowerCase());
    moved.set(zip, PAIR_OFFSET_PX);
    places.push(
      pointAt(viewport, spot, isOwn ? -OWN_OFFSET_PX : -PAIR_OFFSET_PX, {
        kind: 'city',
        name: city,
        fips: null,
        minZoom: 0,
        rank: RANK,
      }),
    );
  }
  return {
    'nearby-zips': zips
      .filter(({ isOwn }) => !isOwn)
      .map(({ zip, geometry }) => ({ type: 'Feature', properties: { zip }, geometry })),
    'nearby-zip-labels': spots
      .filter(({ isOwn, spot }) => !isOwn && spot.radius >= ZIP_LABEL_RADIUS_PX)
      .map(({ zip, spot }) => pointAt(viewport, spot, moved.get(zip) ?? 0, { zip })),
    places,
  };
}

const pointAt = (
  viewport: Viewport,
  { x, y }: LabelPoint,
  belowPx: number,
  properties: Record<string, unknown>,
): Feature<Point> => ({
  type: 'Feature',
  properties,
  geometry: { type: 'Point', coordinates: viewport.lngLat(x, y + belowPx) },
});
