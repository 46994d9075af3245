import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { GRAPH_LOD } from '../../../src/data/ingest/border-graph.ts';
import { nationalBorders } from '../../../src/territories/brands/shape/national-borders.ts';
import { outlineOf, type Outline } from '../../../src/territories/brands/shape/outline.ts';
import { testDatabase } from '../../support/database.ts';

const { db } = await testDatabase('sample');

/** Returns the ZIP codes nearest to one of them. */
async function zipsAround(place: number, count: number): Promise<string[]> {
  const rows = await db.query<{ zip: string }>(
    `select zip from zips order by centroid <-> (
       select centroid from zips order by zip offset $1 limit 1), zip limit $2`,
    [place, count],
  );
  return rows.map(({ zip }) => zip);
}

/** The same measures from the union of the polygons. PostGIS sides are geodesics, so long ones are divided. */
async function outlineOfUnion(zips: readonly string[]): Promise<Outline> {
  const [row] = await db.query<Outline>(
    `with territory as materialized (
       select st_unaryunion(st_collect(geom)) as geom
       from zip_boundaries where zip = any($1) and lod = ${GRAPH_LOD}
     ), pieces as (
       select st_area(straight::geography) as area, st_perimeter(straight::geography) as perimeter,
         st_area(st_segmentize(st_convexhull(piece), 0.05)::geography) as hull
       from territory, lateral (select (st_dump(geom)).geom as piece) parts,
         lateral (select st_segmentize(piece, 0.05) as straight) sides
     ), holes as materialized (
       select face.geom
       from territory,
         lateral (select st_polygonize(outline) as faces
                  from (select st_unaryunion(st_boundary(territory.geom)) as outline) line) polygons,
         st_dump(faces) face
       where not st_intersects(territory.geom, st_pointonsurface(face.geom))
     )
     select sum(area * 4 * pi() * area / perimeter ^ 2) / sum(area) as "polsbyPopper",
       sum(area * area / hull) / sum(area) as "hullRatio",
       array(
         select distinct zip from holes
         join zip_boundaries b on lod = ${GRAPH_LOD} and b.geom && holes.geom
         cross join lateral (
           select st_pointonsurface(part.geom) as inside from st_dump(b.geom) part
           order by st_area(part.geom) desc limit 1) largest
         where not zip = any($1) and st_contains(holes.geom, inside) order by zip
       ) as enclosed
     from pieces`,
    [zips],
  );
  return row!;
}

it('has the same size as the union of the polygons', async () => {
  const borders = await nationalBorders(db);
  const areas = fc.record({
    place: fc.integer({ min: 0, max: 32_000 }),
    count: fc.integer({ min: 1, max: 120 }),
    // Leaves holes, islands, and ZIP codes that touch only at corners.
    kept: fc.array(fc.boolean(), { minLength: 3, maxLength: 17 }),
  });
  let enclosed = 0;
  await fc.assert(
    fc.asyncProperty(areas, async ({ place, count, kept }) => {
      const around = await zipsAround(place, count);
      const zips = around.filter((_, i) => i === 0 || kept[i % kept.length]);
      const expected = await outlineOfUnion(zips);
      const outline = (await outlineOf(borders, zips))!;
      expect(outline.enclosed).toEqual(expected.enclosed);
      expect(outline.polsbyPopper / expected.polsbyPopper).toBeCloseTo(1, 3);
      expect(outline.hullRatio / expected.hullRatio).toBeCloseTo(1, 3);
      enclosed += expected.enclosed.length;
    }),
    { numRuns: 15, seed: 22 },
  );
  expect(enclosed).toBeGreaterThan(20);
});
