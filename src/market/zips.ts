/** ZIPs as the market sees them: which belong together, their shapes, their scores. */
import type { MultiPolygon } from 'geojson';
import type { Queryable } from '../db/database.ts';
import { readDatasets } from '../db/datasets.ts';
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

export interface PlacedZip {
  zip: string;
  /** USPS code */
  state: string | null;
  countyFips: string | null;
  bbox: Bbox;
}

/** ZIPs that have a boundary, in order. */
export async function placedZips(db: Queryable, zips: readonly string[]): Promise<PlacedZip[]> {
  return db.query<PlacedZip>(
    `select zip, state, county_fips as "countyFips",
       array[st_xmin(bbox), st_ymin(bbox), st_xmax(bbox), st_ymax(bbox)] as bbox
     from zips where zip = any($1) order by zip`,
    [zips],
  );
}

/** Boundaries of ZIPs by ZIP, in order, at a level of detail of `spatial/detail.ts`. */
export async function zipShapes(
  db: Queryable,
  zips: readonly string[],
  lod: number,
): Promise<Map<string, MultiPolygon>> {
  const rows = await db.query<{ zip: string; wkb: Buffer }>(
    `select zip, st_asbinary(geom, 'NDR') as wkb from zip_boundaries
     where zip = any($1) and lod = $2 order by zip`,
    [zips, lod],
  );
  return new Map(rows.map(({ zip, wkb }) => [zip, readWkb(wkb) as MultiPolygon]));
}

/** Changes whenever an import has changed the boundaries. */
export async function boundariesStamp(db: Queryable): Promise<string> {
  return String((await readDatasets(db)).get('boundaries')?.importedAt.getTime());
}

/** Scores of a vertical by ZIP, 0..100; a ZIP without one is missing. */
export async function scoresOfZips(
  db: Queryable,
  zips: readonly string[],
  vertical: string,
): Promise<Map<string, number>> {
  const rows = await db.query<{ zip: string; score: number }>(
    'select zip, score from zip_scores where zip = any($1) and vertical = $2 and score is not null',
    [zips, vertical],
  );
  return new Map(rows.map(({ zip, score }) => [zip, score]));
}
