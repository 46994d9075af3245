/** ZIP codes: metros, boundaries, and scores. */
import type { MultiPolygon } from 'geojson';
import type { Queryable } from '../../base/db/database.ts';
import { datasetsStamp } from '../../base/db/datasets.ts';
import { zipArray } from '../../base/db/zip-array.ts';
import type { Bbox } from '../../base/spatial/bbox.ts';
import { readFlatWkb, readWkb } from '../../base/spatial/wkb.ts';

/** The ZIP codes of a launched metro, sorted. Empty for an unknown slug. */
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
  city: string | null;
  /** USPS code */
  state: string | null;
  countyFips: string | null;
  bbox: Bbox;
}

/** SQL for the column `bbox` of `zips` as a `Bbox` */
export const BBOX = 'array[st_xmin(bbox), st_ymin(bbox), st_xmax(bbox), st_ymax(bbox)]';

/** Returns the ZIP codes with a boundary, sorted. */
export async function placedZips(db: Queryable, zips: readonly string[]): Promise<PlacedZip[]> {
  return db.query<PlacedZip>(
    `select zip, city, state, county_fips as "countyFips", ${BBOX} as bbox
     from zips where zip = any($1) and bbox is not null order by zip`,
    [zips],
  );
}

/** Returns the city and state, such as `Dallas, TX`, and the county of each ZIP code. */
export async function placesOfZips(
  db: Queryable,
  zips: readonly string[],
): Promise<Map<string, { place: string; countyFips: string | null }>> {
  const rows = await db.query<{ zip: string; place: string; countyFips: string | null }>(
    `select zip, concat_ws(', ', city, state) as place, county_fips as "countyFips"
     from zips where zip = any($1)`,
    [zipArray(zips)],
  );
  return new Map(rows.map((row) => [row.zip, row]));
}

/** Returns the ZIP codes in the list that have a boundary. */
export async function zipsWithBoundary(
  db: Queryable,
  zips: Iterable<string>,
): Promise<Set<string>> {
  const rows = await db.query<{ zip: string }>(
    'select zip from zips where zip = any($1) and bbox is not null',
    [[...zips]],
  );
  return new Set(rows.map(({ zip }) => zip));
}

/** Loads boundaries by ZIP code, sorted. `lod`: see `base/spatial/detail.ts`. */
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
  return new Map(rows.map(({ zip, wkb }) => [zip, readFlatWkb(wkb) as MultiPolygon]));
}

/** Loads the boundaries whose extents touch a box. They aren't clipped to the box. */
export async function zipShapesIn(
  db: Queryable,
  zips: readonly string[],
  [west, south, east, north]: Bbox,
  lod: number,
): Promise<Map<string, MultiPolygon>> {
  const rows = await db.query<{ zip: string; wkb: Buffer }>(
    `select zip, st_asbinary(geom, 'NDR') as wkb
     from zips join zip_boundaries b using (zip)
     where zip = any($1) and bbox && st_makeenvelope($2, $3, $4, $5, 4326) and b.lod = $6`,
    [zips, west, south, east, north, lod],
  );
  return new Map(rows.map(({ zip, wkb }) => [zip, readWkb(wkb) as MultiPolygon]));
}

/** Returns a string that changes with every import of boundaries. */
export function boundariesStamp(db: Queryable): Promise<string> {
  return datasetsStamp(db, ['boundaries']);
}

/** Loads a vertical's scores, 0 to 100, by ZIP code. ZIP codes without a score are missing. */
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

/** Returns the USPS codes of the states that have ZIP codes. */
export async function statesWithZips(db: Queryable): Promise<Set<string>> {
  const rows = await db.query<{ state: string }>(
    'select distinct state from zips where state is not null',
  );
  return new Set(rows.map(({ state }) => state));
}
