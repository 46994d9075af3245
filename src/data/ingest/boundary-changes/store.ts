/** Keeps and reads the reports on changed boundaries. */
import type { Queryable } from '../../../base/db/database.ts';
import { zipArray } from '../../../base/db/zip-array.ts';
import {
  LEAST_SHARE,
  type BoundaryComparison,
  type BoundaryPart,
  type StagedBoundaries,
} from './compare.ts';

/** The level of detail of outlines on small maps */
const SMALL_MAP_LOD = 1;

/** Tables that keep the rows of others, with their columns besides the ZIP code */
const KEPT = [
  ['boundary_outlines', 'zip_boundaries', 'lod, geom'],
  ['boundary_neighbors', 'zip_neighbors', 'neighbor, shared_border_m'],
] as const;

/**
 * Stores a report, and what the import replaces: the earlier rows, outlines, and neighbors of the ZIP codes that differ.
 * Call it in the transaction of the import, before it replaces the boundaries.
 * @returns the id of the report
 */
export async function storeBoundaryReport(
  tx: Queryable,
  staged: StagedBoundaries,
  { vintageBefore, vintageAfter, zipsBefore, zipsAfter, added, parts }: BoundaryComparison,
): Promise<number> {
  const [report] = await tx.query<{ id: number }>(
    `insert into boundary_reports
       (vintage_before, vintage_after, imported_before, zips_before, zips_after, added)
     select $1, $2, imported_at, $3, $4, $5::text[] from datasets where name = 'boundaries'
     returning id::int`,
    [vintageBefore, vintageAfter, zipsBefore, zipsAfter, zipArray(added)],
  );
  const { id } = report!;
  const column = (value: (part: BoundaryPart) => string | number | null) =>
    `{${parts.map((part) => value(part) ?? 'NULL').join()}}`;
  await tx.query(
    `insert into boundary_parts (report_id, zip, now_in, share, households)
     select $1, * from unnest($2::text[], $3::text[], $4::real[], $5::int[])`,
    [
      id,
      column(({ zip }) => zip),
      column(({ nowIn }) => nowIn),
      column(({ share }) => share),
      column(({ households }) => households),
    ],
  );
  await keepReplaced(tx, staged, id);
  return id;
}

/** Stores the rows, outlines, and neighbors of the ZIP codes that differ, and names those that there weren't. */
async function keepReplaced(
  tx: Queryable,
  staged: StagedBoundaries,
  reportId: number,
): Promise<void> {
  const row = (zips: string) =>
    `(${zips}.city, ${zips}.state, ${zips}.county_fips, ${zips}.centroid, ${zips}.land_area_m2, ${zips}.bbox)`;
  const neighbors = (table: string, zips: string) =>
    `array(select (neighbor, shared_border_m) from ${table} n where n.zip = ${zips}.zip order by neighbor)`;
  // "=" compares all positions of a geometry.
  await tx.query(
    `insert into boundary_zips
       (report_id, zip, is_known, city, state, county_fips, centroid, land_area_m2, bbox)
     select $1, zip, old.zip is not null,
       old.city, old.state, old.county_fips, old.centroid, old.land_area_m2, old.bbox
     from zips old full join ${staged.zips} new using (zip)
     where (old.bbox is not null or new.zip is not null) and (
       ${row('old')} is distinct from ${row('new')}
       or exists (
         select from zip_boundaries a where a.zip = old.zip and not exists (
           select from ${staged.boundaries} b where b.zip = a.zip and b.lod = a.lod and b.geom = a.geom))
       or ${neighbors('zip_neighbors', 'old')} is distinct from ${neighbors(staged.neighbors, 'new')})`,
    [reportId],
  );
  for (const [kept, table, columns] of KEPT) {
    await tx.query(
      `insert into ${kept} (report_id, zip, ${columns})
       select report_id, zip, ${columns} from boundary_zips join ${table} using (zip) where report_id = $1`,
      [reportId],
    );
  }
}

export interface BoundaryReport {
  id: number;
  vintageBefore: string;
  vintageAfter: string;
  importedAt: Date;
}

/** Returns the report on the last import; null before the boundaries were replaced for the first time. */
export async function lastBoundaryReport(db: Queryable): Promise<BoundaryReport | null> {
  const [report] = await db.query<BoundaryReport>(
    `select id::int, vintage_before as "vintageBefore", vintage_after as "vintageAfter",
       imported_at as "importedAt"
     from boundary_reports order by id desc limit 1`,
  );
  return report ?? null;
}

/** Returns the reports of the last days, oldest first. */
export const boundaryReports = (db: Queryable, days: number): Promise<BoundaryReport[]> =>
  db.query<BoundaryReport & Record<string, unknown>>(
    `select id::int, vintage_before as "vintageBefore", vintage_after as "vintageAfter",
       imported_at as "importedAt"
     from boundary_reports where imported_at > now() - make_interval(days => $1) order by id`,
    [days],
  );

/** Returns where the areas of ZIP codes went, those that lost some of it, in order. @param zips default: all */
export const boundaryParts = (
  db: Queryable,
  reportId: number,
  zips?: Iterable<string>,
): Promise<BoundaryPart[]> =>
  db.query<BoundaryPart & Record<string, unknown>>(
    `select zip, now_in as "nowIn", share, households from boundary_parts
     where report_id = $1 and ($2::text[] is null or zip = any($2))
     order by zip, share desc, now_in`,
    [reportId, zips === undefined ? null : zipArray(zips)],
  );

/** Returns those of the ZIP codes that later boundaries gave back what an import took. */
export async function regainedSince(
  db: Queryable,
  reportId: number,
  zips: readonly string[],
): Promise<Set<string>> {
  const rows = await db.query<{ zip: string }>(
    `select zip from boundary_outlines old join zip_boundaries now using (zip, lod)
     where report_id = $1 and zip = any($2) and lod = 0
       and exists (select from boundary_zips later where later.zip = old.zip and later.report_id > $1)
       and st_area(st_difference(old.geom, now.geom)) <= ${LEAST_SHARE} * st_area(old.geom)`,
    [reportId, zips],
  );
  return new Set(rows.map(({ zip }) => zip));
}

export interface OutlinePair {
  /** The outlines before the import, as an SVG path */
  before: string;
  /** Present outlines of ZIP codes, as SVG paths, with a point inside for the name */
  after: { zip: string; path: string; x: number; y: number }[];
  /** Viewbox of the paths: left, top, width, height */
  box: readonly [number, number, number, number];
}

/**
 * Returns the outlines of ZIP codes before an import, and the present ones of others, for a small map. Degrees of
 * longitude are as long as those of latitude at the middle of the map.
 * @returns null if none has an outline
 */
export async function outlinesOf(
  db: Queryable,
  reportId: number,
  before: readonly string[],
  after: readonly string[],
): Promise<OutlinePair | null> {
  const rows = await db.query<{
    zip: string;
    isBefore: boolean;
    path: string;
    box: number[];
    x: number;
    y: number;
  }>(
    `with shapes as (
       select zip, true as before, geom from boundary_outlines where report_id = $1 and zip = any($2) and lod = ${SMALL_MAP_LOD}
       union all
       select zip, false, geom from zip_boundaries where zip = any($3) and lod = ${SMALL_MAP_LOD}
     ), middle as (select cos(radians(avg(st_y(st_centroid(geom))))) as width from shapes),
     scaled as (select zip, before, st_scale(geom, width * 1000, 1000) as geom from shapes, middle)
     select zip, before as "isBefore", st_assvg(geom, 0, 1) as path,
       array[st_xmin(geom), -st_ymax(geom), st_xmax(geom), -st_ymin(geom)] as box,
       st_x(inside) as x, -st_y(inside) as y
     from scaled cross join lateral st_pointonsurface(geom) as inside
     order by before desc, zip`,
    [reportId, before, after],
  );
  if (rows.length === 0) return null;
  const edge = (i: number, of: (...values: number[]) => number) =>
    of(...rows.map(({ box }) => box[i]!));
  const [left, top] = [edge(0, Math.min), edge(1, Math.min)];
  const [right, bottom] = [edge(2, Math.max), edge(3, Math.max)];
  return {
    before: rows
      .filter(({ isBefore }) => isBefore)
      .map(({ path }) => path)
      .join(' '),
    after: rows
      .filter(({ isBefore }) => !isBefore)
      .map(({ zip, path, x, y }) => ({ zip, path, x, y })),
    box: [left, top, right - left, bottom - top],
  };
}
