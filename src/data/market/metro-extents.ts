/** The extents of the launched metros, for maps that show them. */
import type { Queryable } from '../../base/db/database.ts';
import type { Bbox } from '../../base/spatial/bbox.ts';
import { BBOX } from './zips.ts';

/** Returns the extent of each metro's ZIP codes, by slug. Metros without boundaries are missing. */
export async function metroExtents(db: Queryable): Promise<Map<string, Bbox>> {
  const rows = await db.query<{ metro: string; bbox: Bbox }>(
    `select metro_slug as metro, ${BBOX} as bbox
     from (
       select metro_slug, st_extent(bbox) as bbox
       from zips join metro_counties using (county_fips)
       group by metro_slug) extents
     where bbox is not null`,
  );
  return new Map(rows.map(({ metro, bbox }) => [metro, bbox]));
}
