/** ZIPs as the market sees them: which belong together, their shapes, their scores. */
import type { MultiPolygon } from 'geojson';
import type { Queryable } from '../db/database.ts';
import type { Bbox } from '../spatial/bbox.ts';
import { readWkb } from '../spatial/wkb.ts';

/** ZIPs of a launched metro, in order. Empty for a slug that is none. */
export async function zipsOfMetro(db: Queryable, metroSlug: string): Promise<string[]> {
  const rows = await db.query<{ zip: string }>(
    `select zip from zips join metro_counties using (county_fips)
     where metro_slug = $1 order by zip`,
    [metroSlug],
  );
  return rows.map((row) => row.zip);
}

export interface ScoredShape {
  zip: string;
  /** USPS code */
  state: string | null;
  countyFips: string | null;
  /** 0..100; null without data */
  score: number | null;
  geometry: MultiPolygon;
}

/**
 * Boundaries and scores of ZIPs, in order.
 * @param lod level of detail of `spatial/detail.ts`; ZIPs without a boundary are left out
 */
export async function scoredShapes(
  db: Queryable,
  zips: readonly string[],
  vertical: string,
  lod: number,
): Promise<ScoredShape[]> {
  const rows = await db.query<Omit<ScoredShape, 'geometry'> & { wkb: Buffer }>(
    `select z.zip, z.state, z.county_fips as "countyFips", s.score, st_asbinary(b.geom, 'NDR') as wkb
     from zips z
     join zip_boundaries b on b.zip = z.zip and b.lod = $3
     left join zip_scores s on s.zip = z.zip and s.vertical = $2
     where z.zip = any($1)
     order by z.zip`,
    [zips, vertical, lod],
  );
  return rows.map(({ wkb, ...row }) => ({ ...row, geometry: readWkb(wkb) as MultiPolygon }));
}

/** The box around ZIPs: west, south, east, north. Null where none of them has a boundary. */
export async function extentOfZips(db: Queryable, zips: readonly string[]): Promise<Bbox | null> {
  const [row] = await db.query<Record<'west' | 'south' | 'east' | 'north', number | null>>(
    `select st_xmin(box) as west, st_ymin(box) as south, st_xmax(box) as east, st_ymax(box) as north
     from (select st_extent(bbox) as box from zips where zip = any($1)) extent`,
    [zips],
  );
  const { west, south, east, north } = row!;
  return west === null ? null : [west, south!, east!, north!];
}
