/** The areas of a territory: parts that are so far apart that they would be dots on a single map. */
import type { Queryable } from '../../base/db/database.ts';
import type { Bbox } from '../../base/spatial/bbox.ts';
import { BBOX } from './zips.ts';

/** A launched metro or, outside metros, a state */
export interface MapArea {
  label: string;
  zips: number;
  bbox: Bbox;
}

/** Maximum number of areas that are listed next to a map. A territory with more opens as a whole. */
export const MAX_AREAS = 6;

/** Returns the areas of ZIP codes, those with the most first. */
export async function areasOfZips(db: Queryable, zips: Iterable<string>): Promise<MapArea[]> {
  return db.query<MapArea & Record<string, unknown>>(
    `select label, zips, ${BBOX} as bbox
     from (
       select coalesce(m.label, zips.state) as label, count(*) as zips, st_extent(bbox) as bbox
       from zips
       left join metro_counties using (county_fips)
       left join metros m on m.slug = metro_slug
       where zip = any($1)
       group by 1) areas
     where label is not null and bbox is not null
     order by zips desc, label`,
    [[...zips]],
  );
}

/**
 * Returns the metro with most of the ZIP codes or, outside metros, the state. Returns null if none is
 * known.
 */
export async function placeOfZips(
  db: Queryable,
  zips: readonly string[],
): Promise<{ metro: string | null; state: string | null } | null> {
  const [place] = await db.query<{ metro: string | null; state: string | null }>(
    `select metro_slug as metro, case when metro_slug is null then state end as state
     from zips left join metro_counties using (county_fips)
     where zip = any($1) group by 1, 2 order by count(*) desc, 1, 2 limit 1`,
    [zips],
  );
  return place ?? null;
}

/** If a territory is this many times as wide or high as its largest area, its map opens at that area. */
const FAR_APART = 5;

/**
 * Returns the extent at which a map opens: the whole territory, or its largest area if others are far away.
 */
export function startingExtent(whole: Bbox, areas: readonly MapArea[]): Bbox {
  const [largest] = areas;
  if (!largest || areas.length > MAX_AREAS) return whole;
  const [width, height] = [0, 1].map(
    (axis) => (whole[axis + 2]! - whole[axis]!) / (largest.bbox[axis + 2]! - largest.bbox[axis]!),
  );
  return Math.max(width!, height!) < FAR_APART ? whole : largest.bbox;
}
