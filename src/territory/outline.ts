/**
 * Measures a territory's outline: how compact it is, and which ZIP codes it surrounds. PostGIS
 * computes this from the union of the boundaries, with areas and lengths on the ellipsoid
 * (`geography`).
 */
import type { Queryable } from '../db/database.ts';

/**
 * Compactness is the mean of the territory's pieces, weighted by area. A territory
 * of two compact pieces in two metros is therefore compact.
 */
export interface Outline {
  /**
   * Polsby-Popper, 4πA / P²: the area divided by that of a circle with the same perimeter. 1 is a
   * circle, and 0.79 a square. Ragged borders and holes lower it. (Polsby and Popper, The Third
   * Criterion, Yale Law & Policy Review 9, 1991.)
   */
  polsbyPopper: number;
  /**
   * The area divided by that of the convex hull: 1 means no bays and no holes. Capped at 1, because
   * the long edges of a hull are great circles and may run inside a border along a parallel.
   */
  hullRatio: number;
  /** ZIP codes within holes of the territory, in order */
  enclosed: string[];
}

/**
 * Detail level with a tolerance of 120 m, used for all territories. Perimeters grow without limit
 * as detail increases (152 ZIP codes of Dallas: 0.19 here, 0.24 at 480 m), so the measure compares
 * territories only at the same level.
 */
const LOD = 1;

/** Returns null if none of the ZIP codes has a boundary. */
export async function outlineOf(db: Queryable, zips: Iterable<string>): Promise<Outline | null> {
  const [row] = await db.query<Outline & { polsbyPopper: number | null }>(
    `with territory as materialized (
       select st_unaryunion(st_collect(geom)) as geom
       from zip_boundaries where zip = any($1) and lod = ${LOD}
     ), pieces as (
       select st_area(geom::geography) as area, st_perimeter(geom::geography) as perimeter,
         st_area(st_convexhull(geom)::geography) as hull
       from (select (st_dump(geom)).geom from territory) parts
     ), holes as materialized (
       -- Everything that the outline surrounds, minus the territory. Interior rings aren't enough:
       -- ZIP codes that touch only at corners can also close a hole. The inner union splits the
       -- outline at those corners, as st_polygonize requires.
       select face.geom
       from territory,
         lateral (select st_polygonize(outline) as faces
                  from (select st_unaryunion(st_boundary(territory.geom)) as outline) line) polygons,
         st_dump(faces) face
       where not st_intersects(territory.geom, st_pointonsurface(face.geom))
     )
     select sum(area * 4 * pi() * area / perimeter ^ 2) / sum(area) as "polsbyPopper",
       sum(area * least(1, area / hull)) / sum(area) as "hullRatio",
       array(
         select distinct zip from holes join zips on st_contains(holes.geom, centroid)
         where not zip = any($1) order by zip
       ) as enclosed
     from pieces`,
    [[...zips]],
  );
  return row && row.polsbyPopper !== null ? row : null;
}
