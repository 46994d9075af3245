/** The ZIP codes of launched metros, as a directory without figures. */
import type { Queryable } from '../../../base/db/database.ts';

export interface CityZips {
  /** Null for ZIP codes without a postal city */
  city: string | null;
  state: string | null;
  /** In order */
  zips: string[];
}

/** Returns the ZIP codes of a launched metro by city, in order. */
export function metroDirectory(db: Queryable, metroSlug: string): Promise<CityZips[]> {
  return db.query<CityZips & Record<string, unknown>>(
    `select city, state, array_agg(zip order by zip) as zips
     from zips join metro_counties using (county_fips)
     where metro_slug = $1
     group by city, state
     order by city nulls last, state`,
    [metroSlug],
  );
}

/** Returns the ZIP codes of all launched metros, in order. */
export async function launchedZips(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ zip: string }>(
    'select zip from zips join metro_counties using (county_fips) order by zip',
  );
  return rows.map(({ zip }) => zip);
}
