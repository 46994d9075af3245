import { describe, expect, it } from 'vitest';
import { datasetsStamp } from '../../src/db/datasets.ts';
import { hasCoast } from '../../src/ingest/coast/has-coast.ts';
import { createLog } from '../../src/log.ts';
import { fitCoastOnce } from '../../src/preparation.ts';
import { importBasemap } from '../../src/ingest/basemap.ts';
import { importZcta } from '../../src/ingest/zcta.ts';
import { silent } from '../../src/ingest/progress.ts';
import { ringOf, type Bbox } from '../../src/spatial/bbox.ts';
import { testDatabase } from '../support/database.ts';
import { collection, row, writeFile } from './files.ts';

const { db, env } = await testDatabase('empty');

const area = (box: Bbox, properties: object) => ({
  type: 'Feature',
  properties,
  geometry: { type: 'Polygon', coordinates: [ringOf(box)] },
});
const importLayer = (file: string, features: object[], coast?: 'later') =>
  importBasemap(db, [writeFile(file, collection(features))], { coast, progress: silent });

/** Two states side by side in the Gulf of Mexico, south of the coast of Natural Earth. */
const states = (south: number, coast?: 'later') =>
  importLayer(
    'cb_2023_us_state_500k.geojson',
    [
      area([-90, south, -88, 28], { GEOID: '01', NAME: 'West' }),
      area([-88, south, -86, 28], { GEOID: '02', NAME: 'East' }),
    ],
    coast,
  );

/** The lengths and areas, in square degrees, of features on the wrong side of the shore, at each level. */
const misplaced = () =>
  db.query<{ lod: number; drowned: number; afloat: number }>(
    `select w.lod, sum(st_area(st_intersection(w.geom, s.geom)))::float as drowned,
       sum(st_length(st_intersection(w.geom, b.geom)))::float as afloat
     from basemap_shapes w join basemap_features wf on wf.id = w.feature_id and wf.kind = 'ocean'
     join (basemap_shapes s join basemap_features sf on sf.id = s.feature_id and sf.kind = 'state')
       on s.lod = w.lod
     join (basemap_shapes b join basemap_features bf on bf.id = b.feature_id and bf.kind = 'border')
       on b.lod = least(w.lod, bf.max_lod)
     where wf.coast = 'derived'
     group by w.lod order by w.lod`,
  );
const isWater = async (lng: number, lat: number) => {
  const [row] = await db.query(
    `select bool_or(st_covers(geom, st_setsrid(st_point($1, $2), 4326))) as wet
     from basemap_shapes s join basemap_features f on f.id = s.feature_id
     where lod = 0 and layer = 'water' and coast is distinct from 'replaced'`,
    [lng, lat],
  );
  return row!['wet'];
};

describe('the coast', () => {
  it('follows the states, and no border crosses the water', async () => {
    await states(26);
    await importLayer('cb_2023_us_county_500k.geojson', [
      area([-90, 26, -89, 28], { GEOID: '01001', NAME: 'One' }),
      area([-89, 25, -88, 28], { GEOID: '01003', NAME: 'Two, which reaches into the sea' }),
      area([-88, 26, -86, 28], { GEOID: '02001', NAME: 'Three' }),
    ]);
    const { notes } = await importLayer('ne_10m_ocean.geojson', [
      area([-95, 20, -80, 27], { featurecla: 'Ocean', min_zoom: 0 }),
    ]);
    expect(notes).toContain('fitted to the shores of the states: the ocean');
    const none = { drowned: expect.closeTo(0, 9), afloat: expect.closeTo(0, 9) };
    expect(await misplaced()).toEqual([0, 1, 2, 3].map((lod) => ({ lod, ...none })));
    expect(await isWater(-89, 25.5)).toBe(true);
    expect(await isWater(-89, 26.5)).toBe(false);
    const borders = await db.query(
      `select layer, round(st_length(geom)::numeric, 3)::float as length
       from basemap_shapes s join basemap_features f on f.id = s.feature_id
       where kind = 'border' and lod = 0 order by layer`,
    );
    // Each is the border on land: two degrees high.
    expect(borders.filter(({ layer }) => layer === 'counties')).toEqual([
      { layer: 'counties', length: 2 },
    ]);
  });

  it('is fitted again to new states, from the water as imported', async () => {
    await states(25);
    expect(await isWater(-89, 25.5)).toBe(false);
    expect(
      await db.query(`select count(*)::int from basemap_features where coast = 'replaced'`),
    ).toEqual([{ count: 1 }]);
  });

  it('surrounds the world, on both sides of the antimeridian', async () => {
    expect(await Promise.all([isWater(175, 50), isWater(-175, 50), isWater(-30, 30)])).toEqual([
      ...[true, true, true],
    ]);
    expect(await Promise.all([isWater(178, 68), isWater(30, 0), isWater(100, 40)])).toEqual([
      ...[false, false, false],
    ]);
    // The Weddell Sea, the South Pole, and the ice on both sides of the antimeridian
    expect(await isWater(-45, -72)).toBe(true);
    for (const [lng, lat] of [
      [0, -84.9],
      [179.9, -84.9],
      [-179.9, -84.9],
    ] as const)
      expect(await isWater(lng, lat)).toBe(false);
  });

  it('is fitted in a database of an earlier version while the service runs', async () => {
    await db.query(`delete from basemap_features where coast = 'derived'`);
    const version = await datasetsStamp(db, ['states']);
    const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir = '' } = env;
    await fitCoastOnce(db, { databaseUrl, dataDir }, createLog('silent'));
    expect(await hasCoast(db)).toBe(true);
    expect(await isWater(-89, 24.5)).toBe(true);
    expect(await datasetsStamp(db, ['states'])).not.toBe(version);
  });

  it('leaves water unchanged if the states include their waters', async () => {
    const { notes } = await importLayer('tl_2023_us_state.geojson', [
      area([-90, 26, -86, 45], { GEOID: '26', NAME: 'Michigan with its lake' }),
    ]);
    expect(notes.join()).toMatch(/include their waters/);
    expect(await isWater(-89, 26.5)).toBe(true);
  });

  it('is fitted to data whose import ended before the fitting', async () => {
    await states(25);
    await states(24, 'later');
    expect([await hasCoast(db), await isWater(-89, 24.5)]).toEqual([false, true]);
    const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir = '' } = env;
    await fitCoastOnce(db, { databaseUrl, dataDir }, createLog('silent'));
    expect([await hasCoast(db), await isWater(-89, 24.5)]).toEqual([true, false]);
    const zips = writeFile('zcta.geojson', collection(row(2)));
    await importZcta(db, [zips], { coast: 'later', progress: silent });
    expect(await hasCoast(db)).toBe(false);
  });

  it('ends ZIP codes that reach far into the sea, and gives them back what was imported', async () => {
    const zip = (code: string, box: Bbox) => area(box, { ZCTA5CE20: code });
    const boundaries = () =>
      db.query(
        `select zip, array_agg(distinct st_ymin(geom)) as shores, bool_and(uncut is not null) as cut,
           round((z.land_area_m2 / st_area(z.bbox::geography))::numeric, 2)::float as land,
           min(st_ymin(z.bbox)) as south
         from zips z join zip_boundaries using (zip) group by z.zip order by zip`,
      );
    await states(26, 'later');
    const file = writeFile(
      'zcta.geojson',
      collection([
        zip('35001', [-90, 25, -89, 27]),
        zip('35002', [-89, 25, -88, 27]),
        zip('35003', [-88, 25.998, -87, 27]),
      ]),
    );
    const { notes } = await importZcta(db, [file], { allowShrink: true, progress: silent });
    expect(notes).toContain('2 ZIP codes that reach far into the water end at the shore');
    const at = (code: string, south: number, cut: boolean) => ({
      ...{ zip: code, shores: [south], south, cut, land: 1 },
    });
    // The third is 200 m longer than the state: sources disagree about the shore.
    expect(await boundaries()).toEqual([
      ...[at('35001', 26, true), at('35002', 26, true)],
      at('35003', 25.998, false),
    ]);
    const [border] = await db.query(
      `select round(st_length(st_intersection(a.geom, b.geom))::numeric, 6)::float as degrees
       from zip_boundaries a join zip_boundaries b using (lod)
       where lod = 0 and a.zip = '35001' and b.zip = '35002'`,
    );
    expect(border).toEqual({ degrees: 1 });

    await states(25);
    expect(await boundaries()).toEqual([
      ...[at('35001', 25, false), at('35002', 25, false)],
      at('35003', 25.998, false),
    ]);
  });
});
