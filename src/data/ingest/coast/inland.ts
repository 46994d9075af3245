/**
 * Finds tidal rivers and lagoons that the Census Bureau's states contain: the Hudson, the East River,
 * Jamaica Bay. They are the parts of imported oceans within a state that no ZIP code covers. Natural Earth's ocean
 * lacks narrow ones, such as the Harlem River. Gaps between ZIP codes can't replace it: most are parks and deserts.
 */
import type { MultiPolygon } from 'geojson';
import type { Queryable } from '../../../base/db/database.ts';
import { readDatasets } from '../../../base/db/datasets.ts';
import { DETAIL_LEVELS } from '../../../base/spatial/detail.ts';
import { readWkb } from '../../../base/spatial/wkb.ts';

/**
 * Oceans with larger boxes, in square degrees, surround continents. Smaller ones are the bays in TIGER's
 * area water, by county.
 */
const MIN_CONTINENTAL = 10;
/**
 * A strip of a continental ocean is water if it's at least twice this wide, in degrees. Sources disagree
 * about the outer shore by less, even where there are no ZIP codes, as on barrier islands.
 */
const HALF_STRIP = 0.0015;
/** Margin that keeps corners, in degrees */
const CORNER = 0.0001;
/** Smaller pieces, in square degrees (a hectare), are rounding errors. */
const MIN_PIECE = 1e-6;
const METERS_PER_DEGREE = 111_000;

/**
 * Returns the water within states at each level of detail. In counties with area water from TIGER, only
 * that water counts.
 *
 * @param tableOf returns the name of the table with the features or shapes of a layer
 * @returns an empty list without real boundaries, because the sample's boundaries cover all land
 */
export async function inlandWater(db: Queryable, tableOf: TableOf): Promise<MultiPolygon[]> {
  const boundaries = (await readDatasets(db)).get('boundaries');
  if (boundaries === undefined || boundaries.synthetic) return [];
  const rows = await db.query<{ wkb: Buffer }>(inlandSql(tableOf), [
    MIN_CONTINENTAL,
    HALF_STRIP,
    CORNER,
    MIN_PIECE,
    DETAIL_LEVELS.map(({ toleranceM }) => toleranceM / METERS_PER_DEGREE),
  ]);
  return rows.map(({ wkb }) => readWkb(wkb) as MultiPolygon);
}

type TableOf = (layer: 'states' | 'counties' | 'water', table: string) => string;

/**
 * Subdivided shapes join faster, and the index on their boxes finds the ZIP codes. Land is cut to the
 * surroundings of each piece before it is united, which takes a seventh of the CPU that whole ZIP codes take.
 */
function inlandSql(tableOf: TableOf): string {
  const areas = (layer: 'states' | 'counties' | 'water') => `(
    select kind, bbox, geom, st_area(bbox) < $1 as is_local
    from ${tableOf(layer, 'basemap_features')} join ${tableOf(layer, 'basemap_shapes')} on feature_id = id
    where layer = '${layer}' and coast is distinct from 'derived' and lod = 0 and st_dimension(geom) = 2) a`;
  return `with oceans as materialized (
    select is_local, st_subdivide(geom, 256) as geom from ${areas('water')} where kind = 'ocean'
  ), states as materialized (
    select st_subdivide(geom, 256) as geom from ${areas('states')}
  ), surveys as materialized (
    select st_centroid(bbox) as middle from ${areas('water')}
    where (kind = 'ocean' and is_local or kind = 'river') and st_area(bbox) > $4
  ), surveyed as materialized (
    select geom from ${areas('counties')}
    where exists (select from surveys where bbox && middle and st_contains(geom, middle))
  ), inside as materialized (
    select is_local, st_collectionextract(st_intersection(o.geom, s.geom), 3) as geom
    from oceans o join states s on o.geom && s.geom and st_intersects(o.geom, s.geom)
  ), pieces as materialized (
    select is_local, st_subdivide(geom, 64) as geom from inside where st_area(geom) > $4 / 100
  ), uncut as materialized (
    select uncut as geom from zip_boundaries where lod = 0 and uncut is not null
  ), waters as materialized (
    select is_local, (st_dump(st_union(st_collectionextract(
      case when taken is null then geom else st_difference(geom, taken) end, 3)))).geom
    from pieces p, lateral (
      select st_union(st_collectionextract(st_intersection(t.geom, st_expand(p.geom, $3)), 3)) as taken from (
        select b.geom from zips z join zip_boundaries b on b.zip = z.zip and b.lod = 0
        where z.bbox && p.geom
        union all
        select u.geom from uncut u where u.geom && p.geom
        union all
        select c.geom from surveyed c where not p.is_local and c.geom && p.geom
      ) t where st_intersects(t.geom, p.geom)
    ) t
    group by is_local
  ), wide as materialized (
    select case when is_local then geom else st_intersection(geom,
      st_buffer(st_buffer(geom, -$2::float8, 'quad_segs=2'), $2::float8 + $3, 'quad_segs=2')) end as geom
    from waters where st_area(geom) > $4
  ), whole as materialized (
    select st_union(st_collectionextract(geom, 3)) as geom from wide where not st_isempty(geom)
  )
  select st_asbinary(st_multi(geom), 'NDR') as wkb
  from unnest($5::float8[]) with ordinality as t (tolerance, lod),
    lateral (select case lod when 1 then whole.geom
      else st_collectionextract(st_makevalid(st_simplify(whole.geom, tolerance)), 3) end as geom
      from whole) s
  where not st_isempty(geom) order by lod`;
}
