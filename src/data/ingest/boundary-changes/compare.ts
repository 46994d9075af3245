/** Compares staged boundaries with the live ones that they will replace. */
import type { Queryable } from '../../../base/db/database.ts';
import { readDatasets } from '../../../base/db/datasets.ts';
import { zctasOfBoundaries } from '../fit.ts';
import { LINES, TABLE_OF_LINE } from '../vintages/lines.ts';
import { FIRST_OF_2020 } from '../vintages/spans.ts';
import { listVintages } from '../vintages/store.ts';

/** A part of the area that a ZIP code had */
export interface BoundaryPart {
  zip: string;
  /** The ZIP code that has this part now, which may be the same; null: none */
  nowIn: string | null;
  /** Of the area before, 0..1 */
  share: number;
  /** If households are spread evenly over the area; null: unknown */
  households: number | null;
}

export interface BoundaryComparison {
  vintageBefore: string;
  vintageAfter: string;
  zipsBefore: number;
  zipsAfter: number;
  /** ZIP codes that only the new boundaries have, in order */
  added: string[];
  /** Parts of the ZIP codes that lost some of their area, in order, the largest first */
  parts: BoundaryPart[];
}

/** Names of the staged copies of `zips`, `zip_boundaries`, and `zip_neighbors` */
export interface StagedBoundaries {
  zips: string;
  boundaries: string;
  neighbors: string;
}

/** Smaller shares are borders that were drawn anew. */
export const LEAST_SHARE = 0.01;

/** The level of detail at which areas are screened, and the one at which they are measured */
const [SCREENED, MEASURED] = [1, 0] as const;
/**
 * A ZIP code is measured if its area differs by more than this part, or its middle moved by more than this part of its
 * size. Measuring all would take minutes.
 */
const SCREENED_SHARE = 0.005;

/**
 * Measures where the area of each ZIP code went.
 * @returns null unless both sets of boundaries are real
 */
export async function compareBoundaries(
  db: Queryable,
  staged: StagedBoundaries,
  vintageAfter: string,
): Promise<BoundaryComparison | null> {
  const before = (await readDatasets(db)).get('boundaries');
  if (!before || before.synthetic) return null;
  const [counts] = await db.query<{ zipsBefore: number; zipsAfter: number; added: string[] }>(
    `select (select count(*)::int from zips where bbox is not null) as "zipsBefore",
       (select count(*)::int from ${staged.zips}) as "zipsAfter",
       array(select zip from ${staged.zips} a where not exists (
         select from zips b where b.zip = a.zip and b.bbox is not null) order by zip) as added`,
  );
  const candidates = await db.query<{ zip: string }>(
    `select b.zip
     from zips b
     join zip_boundaries old on old.zip = b.zip and old.lod = ${SCREENED}
     left join ${staged.zips} a on a.zip = b.zip
     left join ${staged.boundaries} new on new.zip = b.zip and new.lod = ${SCREENED}
     where b.bbox is not null and (
       a.zip is null
       or abs(st_area(new.geom) - st_area(old.geom)) > ${SCREENED_SHARE} * st_area(old.geom)
       or st_distance(a.centroid, b.centroid) > ${SCREENED_SHARE} * sqrt(st_area(old.geom)))
     order by b.zip`,
  );
  const households = await householdsOf(db, before.vintage);
  const parts: BoundaryPart[] = [];
  for (let from = 0; from < candidates.length; from += BATCH_ZIPS) {
    const zips = candidates.slice(from, from + BATCH_ZIPS).map(({ zip }) => zip);
    parts.push(...(await measure(db, staged, zips, households)));
  }
  return { vintageBefore: before.vintage, vintageAfter, ...counts!, parts };
}

const BATCH_ZIPS = 500;

/**
 * Returns an SQL expression for the households of a ZIP code `b` within its boundaries: by the last figures of areas of the
 * same census. Those of the other census are of other areas.
 */
async function householdsOf(db: Queryable, boundaries: string): Promise<string> {
  const census = zctasOfBoundaries(boundaries);
  const current = '(select households_total from zip_demographics d where d.zip = b.zip)';
  if (census === undefined) return current;
  const isOf2020 = (year: number) => year >= FIRST_OF_2020;
  const isSame = (year: number) => isOf2020(year) === (census === '2020');
  const table = TABLE_OF_LINE.households;
  const [{ year: currentYear }] = (await db.query(
    `select max((table_years ->> $1)::int) as year from zip_demographics`,
    [table],
  )) as [{ year: number | null }];
  if (currentYear === null || isSame(currentYear)) return current;
  const kept = await listVintages(db);
  const last = kept.findLast(({ year, tables }) => isSame(year) && tables.includes(table));
  if (!last) return 'null::real';
  return `(select estimates[${LINES.indexOf('households') + 1}] from zip_vintages v
    where v.zip = b.zip and v.year = ${last.year})`;
}

async function measure(
  db: Queryable,
  staged: StagedBoundaries,
  zips: readonly string[],
  households: string,
): Promise<BoundaryPart[]> {
  const rows = await db.query<{
    zip: string;
    nowIn: string | null;
    share: number;
    households: number | null;
  }>(
    `with old as (
       select b.zip, b.bbox, geom, st_area(geom) as area, ${households} as households,
         a.zip is not null as remains,
         coalesce(abs(a.land_area_m2 - b.land_area_m2) <= ${LEAST_SHARE} * b.land_area_m2, false) as same_land
       from zips b
       join zip_boundaries shape on shape.zip = b.zip and shape.lod = ${MEASURED}
       left join ${staged.zips} a on a.zip = b.zip
       where b.zip = any($1) and st_area(geom) > 0
     ), found as (
       select old.zip, a.zip as now_in, st_area(st_intersection(old.geom, new.geom)) / area as share
       from old
       join ${staged.zips} a on a.bbox && old.bbox
       join ${staged.boundaries} new on new.zip = a.zip and new.lod = ${MEASURED}
       where st_intersects(old.geom, new.geom)
     ), sums as (
       select old.zip, remains, same_land, 1 - coalesce(sum(share), 0) as gone,
         coalesce(sum(share) filter (where now_in = old.zip), 0) as stayed
       from old left join found using (zip) group by old.zip, remains, same_land
     ), own as (
       -- A file that leaves out water, such as a cartographic one, takes no land.
       select *, same_land and stayed >= 0.5 as only_water from sums
     ), parts as (
       select zip, now_in, share from found where now_in <> zip
       union all
       select zip, zip, stayed + case when only_water then gone else 0 end from own where remains
       union all
       select zip, null, gone from own where not only_water
     )
     select zip, now_in as "nowIn", least(1, greatest(0, share)) as share,
       round(least(1, greatest(0, share)) * households)::int as households
     from parts join old using (zip)
     where (share >= ${LEAST_SHARE} or now_in = zip)
       and zip not in (select zip from parts where now_in = zip and share > ${1 - LEAST_SHARE})
     order by zip, share desc`,
    [zips],
  );
  return rows;
}
