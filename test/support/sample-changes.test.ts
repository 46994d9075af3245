import { expect, it } from 'vitest';
import { testDatabase } from './database.ts';
import { restoreSample } from './sample-changes.ts';

const { db } = await testDatabase('sample');

/** Some rows of each table, and its number of rows */
const contents = async () => [
  await db.query(`select s::text from zip_scores s where zip = '75201' order by vertical`),
  await db.query(`select d::text from zip_demographics d where zip in ('75201', '75202')`),
  await db.query(`select b::text from zip_boundaries b where zip = '75201' order by lod`),
  await db.query('select s::text from datasets s order by name'),
  await db.query(
    `select (select count(*) from zip_scores) as scores,
       (select count(*) from zips) as zips,
       (select count(*) from basemap_features) as features,
       (select count(*) from basemap_shapes) as shapes`,
  ),
];

it('restores rows of the sample that a test changed, removed, or added', async () => {
  const before = await contents();
  await db.query(`update zip_scores set score = 1 where zip = '75201'`);
  await db.query(`update zip_scores set score = 2, percentile = null where zip = '75201'`);
  await db.query(`delete from zip_scores where zip = '75201' and vertical = 'roofing'`);
  await db.query(`delete from zip_demographics where zip = '75201'`);
  await db.query(`delete from zip_boundaries where zip = '75201'`);
  await db.query(
    `insert into zips select '00000', city, state, county_fips, centroid, land_area_m2, bbox
     from zips where zip = '75201'`,
  );
  await db.query(`update zips set city = 'Another' where zip = '00000'`);
  await db.query('delete from basemap_features where id = (select min(id) from basemap_features)');
  await db.query(`update datasets set imported_at = now() where name = 'scores'`);
  expect(await contents()).not.toEqual(before);
  await restoreSample(db);
  expect(await contents()).toEqual(before);
});

it('refuses to truncate a table of the sample', async () => {
  await expect(db.query('truncate zip_scores')).rejects.toThrow('needs its own database');
});
