/** Locates a map of a small area: the outlines of its states, with the map's extent. */
import type { MultiPolygon, Polygon } from 'geojson';
import type { Queryable } from '../../../base/db/database.ts';
import type { PlacedZip } from '../../../data/market/zips.ts';
import type { Locator } from '../../../render/furniture/furniture.ts';
import type { Bbox } from '../../../base/spatial/bbox.ts';
import { rectOf, signedAreaPx, type FlatPoints } from '../../../base/spatial/flat.ts';
import { mercatorX, mercatorY } from '../../../base/spatial/mercator.ts';
import { readWkb } from '../../../base/spatial/wkb.ts';
import { states } from '../../../base/geodata/states.ts';
import { loadOnce } from '../load-once.ts';

/** A picture with fewer CSS pixels on either side has no room for a locator. */
const MIN_PICTURE_PX = { width: 480, height: 360 };
/** A map of more states shows enough of the country to be recognizable. */
const MAX_STATES = 2;
/** A map that shows a larger share of its states, in each direction, needs no locator. */
const MAX_SHOWN_SHARE = 0.4;
/** Islands smaller than this share of the largest part would be specks. */
const MIN_ISLAND_SHARE = 0.004;
/** Precision of outlines: a locator is about 100 pixels wide */
const STEPS = 300;

/**
 * Returns null if a locator wouldn't help: in small pictures, on maps of large areas, and without imported
 * states.
 */
export async function locate(
  db: Queryable,
  zips: readonly PlacedZip[],
  [west, south, east, north]: Bbox,
  picture: { width: number; height: number },
): Promise<Locator | null> {
  if (picture.width < MIN_PICTURE_PX.width || picture.height < MIN_PICTURE_PX.height) return null;
  const codes = new Set(zips.map(({ state }) => state));
  const found = states().filter(({ usps }) => codes.has(usps));
  if (found.length === 0 || found.length > MAX_STATES) return null;
  const fips = found.map((state) => state.fips);
  const rings = await loadOnce(
    db,
    ['outlines', ...fips],
    () => outlines(db, fips),
    (rings) => 8 * rings.flat().length,
  );
  if (rings.length === 0) return null;
  const { minX, minY, maxX, maxY } = rectOf(rings.flat());
  const size = Math.max(maxX - minX, maxY - minY);
  const toX = (x: number) => (x - minX) / size;
  const toY = (y: number) => (y - minY) / size;
  const extent = {
    minX: toX(mercatorX(west)),
    minY: toY(mercatorY(north)),
    maxX: toX(mercatorX(east)),
    maxY: toY(mercatorY(south)),
  };
  const width = (maxX - minX) / size;
  const height = (maxY - minY) / size;
  const isSmall =
    extent.maxX - extent.minX < MAX_SHOWN_SHARE * width &&
    extent.maxY - extent.minY < MAX_SHOWN_SHARE * height;
  if (!isSmall) return null;
  return {
    // Two full names would be wider than the locator.
    label: found.length === 1 ? found[0]!.name : found.map(({ usps }) => usps).join(', '),
    width,
    height,
    outlines: rings.map((ring) => coarse(ring, toX, toY)).filter((ring) => ring.length >= 6),
    extent,
  };
}

/** The outer rings of states on the Mercator plane, without small islands. */
async function outlines(db: Queryable, fips: readonly string[]): Promise<FlatPoints[]> {
  const rows = await db.query<{ wkb: Buffer }>(
    `select st_asbinary(s.geom, 'NDR') as wkb
     from basemap_features f join basemap_shapes s on s.feature_id = f.id and s.lod = f.max_lod
     where layer = 'states' and fips = any($1) order by fips`,
    [fips],
  );
  const rings = rows.flatMap(({ wkb }) => {
    const geometry = readWkb(wkb) as Polygon | MultiPolygon;
    const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
    return (
      polygons
        .map(([outer]) =>
          outer!.slice(1).flatMap(([lng, lat]) => [mercatorX(lng!), mercatorY(lat!)]),
        )
        // The Aleutians beyond the antimeridian would stretch Alaska across the world.
        .filter((ring) => rectOf(ring).maxX < 0.5)
    );
  });
  const areas = rings.map((ring) => Math.abs(signedAreaPx(ring)));
  const largest = Math.max(0, ...areas);
  return rings.filter((_, i) => areas[i]! >= MIN_ISLAND_SHARE * largest);
}

/** Rounds positions and drops the duplicates that result. */
function coarse(
  ring: FlatPoints,
  toX: (x: number) => number,
  toY: (y: number) => number,
): FlatPoints {
  const points: FlatPoints = [];
  for (let i = 0; i < ring.length; i += 2) {
    const x = Math.round(toX(ring[i]!) * STEPS) / STEPS;
    const y = Math.round(toY(ring[i + 1]!) * STEPS) / STEPS;
    if (x !== points.at(-2) || y !== points.at(-1)) points.push(x, y);
  }
  return points;
}
