/** Keeps and reads the reports on changed boundaries. */
import type { Queryable } from '../../../base/db/database.ts';
import { readDatasets } from '../../../base/db/datasets.ts';
import { zipArray } from '../../../base/db/zip-array.ts';
import type { BoundaryComparison, BoundaryPart } from './compare.ts';

/** The level of detail of the outlines that are kept */
const KEPT_LOD = 1;

/**
 * Stores a report and the earlier outlines of the ZIP codes that lost some of their area. Call it in the transaction of
 * the import, before it replaces the boundaries.
 * @returns the id of the report
 */
export async function storeBoundaryReport(
  tx: Queryable,
  { vintageBefore, vintageAfter, zipsBefore, zipsAfter, added, parts }: BoundaryComparison,
): Promise<number> {
  const [report] = await tx.query<{ id: number }>(
    `insert into boundary_reports (vintage_before, vintage_after, zips_before, zips_after, added)
     values ($1, $2, $3, $4, $5::text[]) returning id::int`,
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
  await tx.query(
    `insert into boundary_outlines (report_id, zip, geom)
     select $1, zip, geom from zip_boundaries where zip = any($2) and lod = ${KEPT_LOD}`,
    [id, zipArray(new Set(parts.map(({ zip }) => zip)))],
  );
  return id;
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

/** Returns the vintage of the boundaries at a moment, as far as it is known; null before any were imported. */
export async function boundaryVintageAt(db: Queryable, moment: Date): Promise<string | null> {
  const [next] = await db.query<{ vintage: string }>(
    `select vintage_before as vintage from boundary_reports where imported_at > $1
     order by imported_at limit 1`,
    [moment],
  );
  return next?.vintage ?? (await readDatasets(db)).get('boundaries')?.vintage ?? null;
}

/** Returns those of the ZIP codes that lost area in imports after a moment, in order. */
export async function zipsChangedSince(
  db: Queryable,
  moment: Date,
  zips: Iterable<string>,
): Promise<string[]> {
  const rows = await db.query<{ zip: string }>(
    `select distinct zip from boundary_parts join boundary_reports r on r.id = report_id
     where imported_at > $1 and zip = any($2) order by zip`,
    [moment, zipArray(zips)],
  );
  return rows.map(({ zip }) => zip);
}

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
       select zip, true as before, geom from boundary_outlines where report_id = $1 and zip = any($2)
       union all
       select zip, false, geom from zip_boundaries where zip = any($3) and lod = ${KEPT_LOD}
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
