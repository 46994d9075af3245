import { describe, expect, it } from 'vitest';
import { readDatasets } from '../../../src/base/db/datasets.ts';
import { VERTICALS } from '../../../src/data/scoring/verticals.ts';
import { DETAIL_LEVELS } from '../../../src/base/spatial/detail.ts';
import { testDatabase } from '../../support/database.ts';

const { db } = await testDatabase('sample');

const queryRow = async <T extends object>(sql: string): Promise<T> => (await db.query<T>(sql))[0]!;

describe('the sample data', () => {
  it('cover every ZIP code with a boundary at each level, demographics, and scores', async () => {
    const counts = await queryRow(
      `select (select count(*) from zips) as zips,
         (select count(*) from zip_boundaries) as shapes,
         (select count(*) from zip_demographics) as demographics,
         (select count(*) from zip_scores) as scores,
         (select count(*) from zips where county_fips is null or state is null) as unassigned`,
    );
    expect(counts).toEqual({
      zips: 33791,
      shapes: 33791 * DETAIL_LEVELS.length,
      demographics: 33791,
      scores: 33791 * VERTICALS.length,
      unassigned: 0,
    });
  });

  it('are marked as synthetic', async () => {
    const facts = await readDatasets(db);
    for (const name of ['boundaries', 'demographics', 'scores', 'places'] as const) {
      expect(facts.get(name)).toMatchObject({
        vintage: 'Sample data (synthetic; not ACS)',
        synthetic: true,
      });
    }
    expect(await queryRow('select distinct source_vintage as text from zip_demographics')).toEqual({
      text: 'Sample data (synthetic; not ACS)',
    });
    expect(facts.get('roads')).toMatchObject({
      vintage: expect.stringMatching(/schematic/),
      synthetic: true,
    });
    expect(facts.get('states')).toMatchObject({ synthetic: false });
  });

  it('have valid polygons without overlaps or gaps at every detail level', async () => {
    expect(
      await queryRow('select count(*) from zip_boundaries where not st_isvalid(geom)'),
    ).toEqual({ count: 0 });
    // Colorado has no coast, so its ZIP codes must fill it.
    for (let lod = 0; lod < DETAIL_LEVELS.length; lod++) {
      const { sum, whole } = await queryRow<{ sum: number; whole: number }>(
        `select sum(st_area(geom)) as sum,
           st_area(st_union(geom)) as whole
         from zip_boundaries join zips using (zip) where county_fips like '08%' and lod = ${lod}`,
      );
      expect(sum / whole).toBeCloseTo(1, 6);
      const { holes } = await queryRow<{ holes: number }>(
        `select coalesce(sum(st_numinteriorrings(part.geom)), 0) as holes
         from (select (st_dump(st_union(geom))).geom from zip_boundaries join zips using (zip)
           where county_fips like '08%' and lod = ${lod}) part`,
      );
      expect(holes).toBe(0);
    }
  });

  it('have a valid coast at every detail level', async () => {
    const [coast] = await db.query(
      `select count(*) filter (where layer = 'water') > 0 as has_water,
         count(*) filter (where not st_isvalid(geom)) as invalid
       from basemap_shapes join basemap_features on id = feature_id where coast = 'derived'`,
    );
    expect(coast).toEqual({ has_water: true, invalid: 0 });
  });

  it('have neighbors exactly where polygons share a line', async () => {
    const { missing, wrong } = await queryRow<{ missing: number; wrong: number }>(
      `with shapes as (
         select zip, geom from zip_boundaries join zips using (zip)
         where lod = 0 and county_fips in ('48113', '48085')
       ), touching as (
         select a.zip, b.zip as neighbor from shapes a join shapes b
         on a.zip <> b.zip and a.geom && b.geom
         where st_dimension(st_intersection(a.geom, b.geom)) = 1
       ), known as (
         select n.zip, n.neighbor from zip_neighbors n
         join shapes a on a.zip = n.zip join shapes b on b.zip = n.neighbor
       )
       select (select count(*) from (table touching except table known) m) as missing,
         (select count(*) from (table known except table touching) w) as wrong`,
    );
    expect({ missing, wrong }).toEqual({ missing: 0, wrong: 0 });
  });

  it('assign each ZIP code to the county that contains its centroid', async () => {
    const { misplaced } = await queryRow<{ misplaced: number }>(
      // In this order, PostGIS reads each county once.
      `select count(*) as misplaced from (
         select z.centroid, s.geom from zips z
         join basemap_features f on f.layer = 'counties' and f.fips = z.county_fips
         join basemap_shapes s on s.feature_id = f.id and s.lod = 0
         order by z.county_fips offset 0) assigned
       where not st_covers(geom, centroid)
         and exists (select from basemap_features g join basemap_shapes t on t.feature_id = g.id and t.lod = 0
           where g.layer = 'counties' and g.bbox && centroid and st_covers(t.geom, centroid))`,
    );
    expect(misplaced).toBe(0);
  });
});
