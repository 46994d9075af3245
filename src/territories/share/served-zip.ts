/** Tells customers of a brand whether the territory of a share link covers a ZIP code. */
import type { Queryable } from '../../base/db/database.ts';
import { missingBoundaries } from '../../data/market/missing-boundaries.ts';
import { BBOX } from '../../data/market/zips.ts';
import type { Point } from '../../data/market/zip-centers.ts';
import type { Bbox } from '../../base/spatial/bbox.ts';
import type { SharedStatus, SharedZip } from './shared-zip.ts';
import { METERS_PER_MILE } from '../../base/spatial/miles.ts';
import { placeName } from '../../base/text/words.ts';

export interface ServedZip {
  zip: string;
  /** `Dallas, TX`; empty if unknown */
  place: string;
  /** Null if the territory doesn't cover it */
  status: SharedStatus | null;
  /** `mail`: it has no area, as for PO boxes; `unknown`: it isn't in any list */
  absence: 'mail' | 'unknown' | null;
  /** Null without an area */
  center: Point | null;
  /** The live ZIP code with the nearest center, unless this one is live */
  nearest: NearestZip | null;
}

interface NearestZip {
  zip: string;
  place: string;
  miles: number;
  bbox: Bbox;
}

/** No map can show both in detail if the nearest ZIP code is farther away. */
const MAP_MILES = 100;

/** Whether a map of the ZIP code shows a part of the territory. */
export const isNearby = ({ status, center, nearest }: ServedZip): boolean =>
  center !== null && (status === 'live' || (nearest !== null && nearest.miles <= MAP_MILES));

/** @param shared the ZIP codes that the link shows */
export async function servedZip(
  db: Queryable,
  shared: readonly SharedZip[],
  zip: string,
): Promise<ServedZip> {
  const status = shared.find((one) => one.zip === zip)?.status ?? null;
  const [[place], missing] = await Promise.all([
    db.query<{ city: string | null; state: string | null; lng: number | null; lat: number | null }>(
      `select coalesce(zips.city, listed.city) as city, coalesce(zips.state, listed.state) as state,
         st_x(coalesce(centroid, point)) as lng, st_y(coalesce(centroid, point)) as lat
       from (select $1::text as zip) as wanted
       left join zips using (zip) left join zip_directory listed using (zip)`,
      [zip],
    ),
    missingBoundaries(db, [zip]),
  ]);
  const { city, state, lng, lat } = place!;
  const center = lng === null || lat === null ? null : { lng, lat };
  const reason = missing[0]?.reason;
  const live = shared.filter((one) => one.status === 'live').map((one) => one.zip);
  return {
    zip,
    place: placeName(city, state),
    status,
    absence: reason === 'mail' ? 'mail' : reason === 'unlisted' ? 'unknown' : null,
    center,
    nearest: center && status !== 'live' ? await nearestZip(db, live, center) : null,
  };
}

async function nearestZip(
  db: Queryable,
  zips: readonly string[],
  { lng, lat }: Point,
): Promise<NearestZip | null> {
  const [row] = await db.query<
    Omit<NearestZip, 'place' | 'miles'> & {
      city: string | null;
      state: string | null;
      meters: number;
    }
  >(
    `select zip, city, state, ${BBOX} as bbox,
       st_distance(centroid::geography, st_setsrid(st_makepoint($2, $3), 4326)::geography, false) as meters
     from zips where zip = any($1) and bbox is not null
     order by meters, zip limit 1`,
    [zips, lng, lat],
  );
  if (!row) return null;
  const { zip, city, state, bbox, meters } = row;
  return { zip, place: placeName(city, state), miles: meters / METERS_PER_MILE, bbox };
}

/** Returns the extent of a ZIP code with a boundary. */
export async function extentOfZip(db: Queryable, zip: string): Promise<Bbox | undefined> {
  const [row] = await db.query<{ bbox: Bbox }>(
    `select ${BBOX} as bbox from zips where zip = $1 and bbox is not null`,
    [zip],
  );
  return row?.bbox;
}
