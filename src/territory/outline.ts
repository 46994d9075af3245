/**
 * A territory's outline, measured: how compact it is and which ZIPs it surrounds. Computed by
 * PostGIS on the union of the boundaries, areas and lengths on the ellipsoid (geography).
 */
import type { Queryable } from '../db/database.ts';

/**
 * Each piece has a compactness of its own; a territory has the mean of its pieces, weighted by area.
 * So two compact pieces in two metros are compact: that they lie apart is told by their number.
 */
export interface Outline {
  /**
   * Polsby-Popper, 4πA / P²: the area over that of a circle with the same perimeter. 1 is a circle,
   * a square has 0.79. Suffers from ragged borders and from holes.
   * (Polsby and Popper, The Third Criterion, Yale Law & Policy Review 9, 1991.)
   */
  polsbyPopper: number;
  /**
   * The area over that of the convex hull: 1 has no bays and no holes. Never more, though the long
   * edges of a hull, being great circles, may run within a border along a parallel.
   */
  hullRatio: number;
  /** ZIPs that are not of the territory and lie within its holes, in order */
  enclosed: string[];
}

/**
 * The level of detail of 120 m, the same for all. Perimeters grow with detail, without end (152 real
 * ZIPs of Dallas have 0.19 here and 0.24 at 480 m), so the figure compares territories, not maps.
 */
const LOD = 1;

/** @returns null where none of the ZIPs has a boundary */
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
       -- All that the outline surrounds, less the territory itself. Its interior rings would not do:
       -- ZIPs that touch in corners only may close a hole, too. The inner union cuts the outline
       -- there, which st_polygonize relies on.
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
