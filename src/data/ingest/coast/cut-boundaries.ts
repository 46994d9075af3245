/**
 * Cuts ZIP codes that reach far into the sea at its shore. The Census Bureau's cartographic boundaries end there;
 * its other files continue to the three-mile limit, with straight edges.
 */
import type { MultiPolygon } from 'geojson';
import type { Queryable } from '../../../base/db/database.ts';
import { readDatasets, touchDataset } from '../../../base/db/datasets.ts';
import type { Staging } from '../../../base/db/staging.ts';
import { DETAIL_LEVELS } from '../../../base/spatial/detail.ts';
import { subdivide } from '../../../base/spatial/subdivide.ts';
import { readWkb } from '../../../base/spatial/wkb.ts';
import { storeBorderGraph } from '../border-graph.ts';
import { assignCounties } from '../counties.ts';
import { wkbBatches } from '../wkb-batches.ts';
import { levelOf } from './derived.ts';

/**
 * Half the width, in degrees, of the sea that a ZIP code must contain to be cut. Where it contains less, sources
 * disagree about the shore, and its own is as good as that of the states.
 */
const HALF_WIDTH = 0.005;
/** Smaller pieces of a cut ZIP code are rounding errors: less than a hectare, in square degrees */
const MIN_PIECE = 1e-6;
/** The precision of imported positions, so that neighbors still share theirs */
const GRID = 1e-6;
/** Vertices of a piece of the sea: small ones meet few ZIP codes */
const PIECE_VERTICES = 256;

/**
 * Stages the boundaries that are to be cut at the staged coast in a copy of `zip_boundaries`, and the border graph
 * with them.
 * @returns the number of ZIP codes to cut; null if there are none, and none were cut before
 */
export async function stageCutBoundaries(db: Queryable, staging: Staging): Promise<number | null> {
  const boundaries = (await readDatasets(db)).get('boundaries');
  if (boundaries === undefined || boundaries.synthetic) return null;
  const [cut, sea] = [staging.table('zip_boundaries'), staging.table('sea')];
  await stageSea(db, staging);
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
       select zip from wet where not st_isempty(st_buffer(geom, -$1::float8))
     ), dry as materialized (
       select zip, lod, land, whole
       from (
         select b.zip, b.lod, coalesce(b.uncut, b.geom) as whole
         from zip_boundaries b where zip in (select zip from reaching)) b,
       lateral (
         select st_multi(st_collect(piece.geom)) as land
         from st_dump(st_difference(whole, (
           select st_union(s.geom) from ${sea} s where s.lod = b.lod and s.geom && whole), $3)) piece
         where st_dimension(piece.geom) = 2 and st_area(piece.geom) > $2) pieces
       where land is not null
     )
     -- a ZIP code without land at the finest level stays whole
     select * from dry where zip in (select zip from dry where lod = 0)`,
    [HALF_WIDTH, MIN_PIECE, GRID],
  );
  const [found] = await db.query<{ zips: number; had: boolean }>(
    `select count(distinct zip)::int as zips,
       exists (select from zip_boundaries where uncut is not null) as had from ${cut}`,
  );
  const { zips, had } = found!;
  if (zips === 0 && !had) return null;
  // A coarser level at which nothing is left, or where the sea isn't drawn, has the shape of the next finer one.
  await db.query(
    `insert into ${cut} (zip, lod, geom, uncut)
     select b.zip, b.lod, finer.geom, coalesce(b.uncut, b.geom)
     from zip_boundaries b, lateral (
       select geom from ${cut} c where c.zip = b.zip and c.lod < b.lod order by lod desc limit 1) finer
     where b.zip in (select zip from ${cut})
       and not exists (select from ${cut} c where c.zip = b.zip and c.lod = b.lod)`,
  );
  await storeBorderGraph(db, {
    boundaries: `(select zip, lod, coalesce(c.geom, b.uncut, b.geom) as geom
      from zip_boundaries b left join ${cut} c using (zip, lod)) both_kinds`,
    graph: staging.table('border_graph'),
  });
  return zips;
}

/** Stages the fitted water at each level of detail in pieces. */
async function stageSea(db: Queryable, staging: Staging): Promise<void> {
  const sea = staging.table('sea');
  await db.query(`create table ${sea} (lod smallint not null, geom geometry not null)`);
  for (const lod of DETAIL_LEVELS.keys()) {
    const water = await db.query<{ wkb: Buffer }>(
      `select st_asbinary(geom, 'NDR') as wkb from ${staging.table('basemap_shapes')}
       where lod = $1 and feature_id in (
         select id from ${staging.table('basemap_features')} where coast = 'derived' and layer = 'water')`,
      [lod],
    );
    const pieces = water.flatMap(({ wkb }) => [
      ...subdivide(readWkb(wkb) as MultiPolygon, PIECE_VERTICES),
    ]);
    const keys = new Map(pieces.entries());
    for (const { starts, lengths, wkb } of wkbBatches(levelOf(pieces), keys)) {
      await db.query(
        // Where islands touch each other, the outline of a piece may touch itself.
        `insert into ${sea} (lod, geom)
         select $1, case when st_isvalid(geom) then geom else st_makevalid(geom) end
         from unnest($2::int[], $3::int[]) as t (start, length),
           lateral (select st_geomfromwkb(substr($4::bytea, start, length), 4326) as geom offset 0) piece`,
        [lod, starts, lengths, wkb],
      );
    }
  }
  await db.query(`create index on ${sea} using gist (geom)`);
  await db.query(`analyze ${sea}`);
}

/**
 * Replaces the boundaries by the staged ones, and those that are no longer cut by what was imported. Neighbors stay,
 * because islands belong together, and so do counties: see `reassignCounties`.
 */
export async function cutBoundaries(tx: Queryable, staging: Staging): Promise<void> {
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
    `update zips z set bbox = st_envelope(b.geom), centroid = st_centroid(b.geom),
       land_area_m2 = case when b.uncut is null then coalesce(uncut_land_area_m2, land_area_m2)
         else least(coalesce(uncut_land_area_m2, land_area_m2), st_area(b.geom::geography)) end,
       uncut_land_area_m2 = case when b.uncut is null then null
         else coalesce(uncut_land_area_m2, land_area_m2) end
     from zip_boundaries b where b.zip = z.zip and b.lod = 0 and z.zip = any($1)`,
    [zips],
  );
  await tx.query('delete from border_graph');
  await tx.query(`insert into border_graph select * from ${staging.table('border_graph')}`);
  await touchDataset(tx, 'boundaries');
}

/**
 * Assigns all ZIP codes to counties anew, by the centroids of the imported boundaries: the land that is left of
 * a cut one may be mostly in another county.
 */
export async function reassignCounties(tx: Queryable): Promise<void> {
  const moveCentroids = (shape: 'geom' | 'uncut') =>
    tx.query(
      `update zips z set centroid = st_centroid(b.${shape}) from zip_boundaries b
       where b.zip = z.zip and b.lod = 0 and b.uncut is not null`,
    );
  await moveCentroids('uncut');
  await tx.query('update zips set county_fips = null');
  await assignCounties(tx, 'zips');
  await moveCentroids('geom');
}
