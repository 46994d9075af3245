/** The ZIP codes at points. */
import type { Queryable } from '../../../base/db/database.ts';
import type { Point } from '../zip-centers.ts';

export interface ZipAt {
  zip: string;
  /** USPS code */
  state: string | null;
  /** Slug of the launched metro */
  metro: string | null;
}

/** @returns undefined outside all boundaries, such as on a lake */
export async function zipAt(db: Queryable, point: Point): Promise<ZipAt | undefined> {
  return (await zipsAt(db, [point]))[0];
}

/** Returns the ZIP code at each point, in the same order. A point on a border has the lower ZIP code. */
export async function zipsAt(
  db: Queryable,
  points: readonly Point[],
): Promise<(ZipAt | undefined)[]> {
  // The boxes leave a few ZIP codes, whose finest boundaries are then checked.
  const rows = await db.query<ZipAt & { at: number }>(
    `select at::int, found.*
     from unnest($1::float8[], $2::float8[]) with ordinality as given (lng, lat, at)
     cross join lateral (select st_setsrid(st_makepoint(lng, lat), 4326) as point) place
     cross join lateral (
       select z.zip, state, metro_slug as metro
       from zips z join zip_boundaries b on b.zip = z.zip and lod = 0
         left join metro_counties using (county_fips)
       where z.bbox && point and st_covers(b.geom, point)
       order by z.zip limit 1) found`,
    [points.map(({ lng }) => lng), points.map(({ lat }) => lat)],
  );
  const found: (ZipAt | undefined)[] = points.map(() => undefined);
  for (const { at, zip, state, metro } of rows) found[at - 1] = { zip, state, metro };
  return found;
}
