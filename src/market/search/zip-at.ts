/** The ZIP code at a point. */
import type { Queryable } from '../../db/database.ts';
import type { Point } from '../zip-centers.ts';

export interface ZipAt {
  zip: string;
  /** USPS code */
  state: string | null;
  /** Slug of the launched metro */
  metro: string | null;
}

/** @returns undefined outside all boundaries, such as on a lake */
export async function zipAt(db: Queryable, { lng, lat }: Point): Promise<ZipAt | undefined> {
  // The boxes leave a few ZIP codes, whose finest boundaries are then checked.
  const [row] = await db.query<ZipAt & Record<string, unknown>>(
    `with place as (select st_setsrid(st_makepoint($1, $2), 4326) as point)
     select z.zip, state, metro_slug as metro
     from place, zips z join zip_boundaries b on b.zip = z.zip and lod = 0
       left join metro_counties using (county_fips)
     where z.bbox && point and st_covers(b.geom, point)
     order by z.zip limit 1`,
    [lng, lat],
  );
  return row;
}
