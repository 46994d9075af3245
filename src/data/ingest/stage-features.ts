/** Stages basemap features at all levels of detail. */
import type { FeatureFacts } from '../basemap/features.ts';
import type { Queryable } from '../../base/db/database.ts';
import type { Staging } from '../../base/db/staging.ts';
import { detailForZoom } from '../../base/spatial/detail.ts';
import type { Shapes } from './shape-levels.ts';
import { wkbBatches } from './wkb-batches.ts';

/**
 * Marks features that fitting the coast has added or replaced. See the column `coast` of
 * `basemap_features`.
 */
export type CoastMark = 'derived' | 'replaced';

export interface Features {
  shapes: Shapes;
  /** By index in the shapes; shapes without an entry are skipped */
  features: Map<number, FeatureFacts>;
  /** By index. Features without an entry are shown on maps as imported */
  coast?: ReadonlyMap<number, CoastMark>;
}

export async function stageFeatures(
  db: Queryable,
  staging: Staging,
  { shapes, features, coast }: Features,
): Promise<void> {
  const rows = [...features].map(([index, facts]) => ({
    ...facts,
    index,
    maxLod: Math.min(detailForZoom(facts.minZoom), shapes.levels.length - 1),
    coast: coast?.get(index),
  }));
  const ids = await db.query<{ id: number }>(
    `select nextval(pg_get_serial_sequence('public.basemap_features', 'id')) as id
     from generate_series(1, $1)`,
    [rows.length],
  );
  // The fitted coast is valid, and checking an ocean takes many seconds.
  const unchecked = new Set(
    rows.flatMap((row, i) => (row.coast || row.kind === 'ocean' ? [ids[i]!.id] : [])),
  );
  for (const [lod, level] of shapes.levels.entries()) {
    const visible = rows.flatMap(({ index, maxLod }, i) =>
      maxLod >= lod ? [[index, ids[i]!.id] as const] : [],
    );
    for (const { keys, starts, lengths, wkb } of wkbBatches(level, new Map(visible))) {
      await db.query(
        // Rounding and simplifying make some areas touch or cross themselves. "offset 0" keeps
        // PostgreSQL from evaluating each geometry more than once.
        `insert into ${staging.table('basemap_shapes')} (feature_id, lod, geom)
         select id, $5, geom
         from (
           select id, case
             when is_unchecked or st_dimension(geom) < 2 or st_isvalid(geom) then geom
             else st_multi(st_collectionextract(st_makevalid(geom), 3)) end as geom
           from (
             select id, is_unchecked, st_geomfromwkb(substr($4::bytea, start, length), 4326) as geom
             from unnest($1::bigint[], $2::int[], $3::int[], $6::boolean[])
               as t (id, start, length, is_unchecked)
             offset 0) as imported
           offset 0) as valid
         where not st_isempty(geom)`,
        [keys, starts, lengths, wkb, lod, keys.map((id) => unchecked.has(id))],
      );
    }
  }
  await db.query(
    `insert into ${staging.table('basemap_features')}
       (id, layer, kind, name, fips, min_zoom, rank, max_lod, bbox, coast)
     overriding system value
     select id, layer, kind, name, fips, min_zoom, rank, max_lod, bbox, coast
     from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::real[], $7::real[],
         $8::smallint[], $9::text[])
       as t (id, layer, kind, name, fips, min_zoom, rank, max_lod, coast)
     join (
       -- A border may have parts that only a coarse level keeps on land.
       select feature_id as id, st_setsrid(st_extent(geom)::geometry, 4326) as bbox
       from ${staging.table('basemap_shapes')} group by feature_id) s using (id)`,
    [
      ids.map(({ id }) => id),
      rows.map((row) => row.layer),
      rows.map((row) => row.kind),
      rows.map((row) => row.name),
      rows.map((row) => row.fips),
      rows.map((row) => row.minZoom),
      rows.map((row) => row.rank),
      rows.map((row) => row.maxLod),
      rows.map((row) => row.coast),
    ],
  );
}
