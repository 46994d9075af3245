/**
 * Cuts ZIP codes that reach far into the sea at its shore. The Census Bureau's cartographic boundaries end there;
 * its other files continue to the three-mile limit, with straight edges.
 */
import type { Queryable } from '../../db/database.ts';
import { datasetsStamp, readDatasets, touchDataset } from '../../db/datasets.ts';
import type { Staging } from '../../db/staging.ts';
import { storeBorderGraph } from '../border-graph.ts';
import { assignCounties } from '../counties.ts';

/**
 * Half the width, in degrees, of the sea that a ZIP code must contain to be cut. Where it contains less, sources
 * disagree about the shore, and its own is as good as that of the states.
 */
const HALF_WIDTH = 0.005;
/** Of a cut ZIP code, pieces of less than a hectare are rounding. In square degrees */
const MIN_PIECE = 1e-6;
/** The precision of imported positions, so that neighbors still share theirs */
const GRID = 1e-6;
/** Vertices of a piece of the sea: small ones meet few ZIP codes */
const PIECE_VERTICES = 256;

export interface CutBoundaries {
  /** Number of ZIP codes */
  zips: number;
  /** Of the boundaries that were cut */
  version: string;
}

/**
 * Stages the boundaries that are to be cut at the staged coast in a copy of `zip_boundaries`, and the border graph
 * with them. @returns null if nothing is to be cut, and nothing was
 */
export async function stageCutBoundaries(
  db: Queryable,
  staging: Staging,
): Promise<CutBoundaries | null> {
  const version = await datasetsStamp(db, ['boundaries']);
  const boundaries = (await readDatasets(db)).get('boundaries');
  if (boundaries === undefined || boundaries.synthetic) return null;
  const [cut, sea] = [staging.table('zip_boundaries'), staging.table('sea')];
  await db.query(
    `create table ${sea} as
     select lod, st_subdivide(geom, ${PIECE_VERTICES}) as geom
     from ${staging.table('basemap_shapes')} where feature_id in (
       select id from ${staging.table('basemap_features')} where coast = 'derived' and layer = 'water')`,
  );
  await db.query(`create index on ${sea} using gist (geom)`);
  await db.query(`analyze ${sea}`);
  await db.query(
    `insert into ${cut} (zip, lod, geom, uncut)
     -- "offset 0" as in counties.ts
     with candidates as materialized (
       select zip from zips
       where exists (select from ${sea} s where s.geom && bbox and lod = 0 offset 0)
       union select zip from zip_boundaries where uncut is not null
     ), wet as materialized (
       select zip, whole, (
         select st_union(st_intersection(s.geom, whole)) from ${sea} s
         where lod = 0 and s.geom && whole and st_intersects(s.geom, whole)) as geom
       from candidates, lateral (
         select coalesce(uncut, geom) as whole from zip_boundaries b
         where b.zip = candidates.zip and lod = 0 offset 0) w
     ), reaching as materialized (
       select zip from wet
       where not st_isempty(st_buffer(geom, -$1::float8)) and st_area(whole) - st_area(geom) > $2
     )
     select zip, lod, st_multi(dry), whole
     from (
       select b.zip, b.lod, coalesce(b.uncut, b.geom) as whole
       from zip_boundaries b where zip in (select zip from reaching)) b,
     lateral (
       select st_collect(piece.geom) as dry
       from st_dump(st_difference(whole, (
         select st_union(s.geom) from ${sea} s where s.lod = b.lod and s.geom && whole), $3)) piece
       where st_dimension(piece.geom) = 2 and st_area(piece.geom) > $2) pieces
     where dry is not null`,
    [HALF_WIDTH, MIN_PIECE, GRID],
  );
  const [found] = await db.query<{ zips: number; had: boolean }>(
    `select count(distinct zip)::int as zips,
       exists (select from zip_boundaries where uncut is not null) as had from ${cut}`,
  );
  const { zips, had } = found!;
  if (zips === 0 && !had) return null;
  // A level at which nothing is left, or where the sea isn't drawn, has the shape of the next finer one.
  await db.query(
    `insert into ${cut} (zip, lod, geom, uncut)
     select b.zip, b.lod, finer.geom, coalesce(b.uncut, b.geom)
     from zip_boundaries b, lateral (
       select geom from ${cut} c where c.zip = b.zip and c.lod < b.lod order by lod desc limit 1) finer
     where not exists (select from ${cut} c where c.zip = b.zip and c.lod = b.lod)`,
  );
  await storeBorderGraph(db, {
    boundaries: `(select zip, lod, coalesce(c.geom, b.uncut, b.geom) as geom
      from zip_boundaries b left join ${cut} c using (zip, lod)) both_kinds`,
    graph: staging.table('border_graph'),
  });
  return { zips, version };
}

/**
 * Replaces the boundaries by the staged ones, and those that are no longer cut by what was imported. Neighbors stay,
 * because islands belong together.
 * @returns false if other boundaries were imported meanwhile: they aren't cut
 */
export async function cutBoundaries(
  tx: Queryable,
  staging: Staging,
  { version }: CutBoundaries,
): Promise<boolean> {
  if ((await datasetsStamp(tx, ['boundaries'])) !== version) return false;
  const cut = staging.table('zip_boundaries');
  const changed = await tx.query<{ zip: string }>(
    `select zip from ${cut} union select zip from zip_boundaries where uncut is not null`,
  );
  const zips = changed.map(({ zip }) => zip);
  await tx.query('update zip_boundaries set geom = uncut, uncut = null where uncut is not null');
  await tx.query(
    `update zip_boundaries b set geom = c.geom, uncut = c.uncut
     from ${cut} c where c.zip = b.zip and c.lod = b.lod`,
  );
  // Sources without a land area were measured with their water.
  await tx.query(
    `update zips z set bbox = st_envelope(b.geom), centroid = st_centroid(b.geom), county_fips = null,
       land_area_m2 = case when b.uncut is null then coalesce(uncut_land_area_m2, land_area_m2)
         else least(coalesce(uncut_land_area_m2, land_area_m2), st_area(b.geom::geography)) end,
       uncut_land_area_m2 = case when b.uncut is null then null
         else coalesce(uncut_land_area_m2, land_area_m2) end
     from zip_boundaries b where b.zip = z.zip and b.lod = 0 and z.zip = any($1)`,
    [zips],
  );
  await assignCounties(tx, 'zips');
  await tx.query('delete from border_graph');
  await tx.query(`insert into border_graph select * from ${staging.table('border_graph')}`);
  await touchDataset(tx, 'boundaries');
  return true;
}
