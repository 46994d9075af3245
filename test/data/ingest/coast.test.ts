import { EventEmitter, once } from 'node:events';
import { describe, expect, inject, it } from 'vitest';
import { datasetsStamp } from '../../../src/base/db/datasets.ts';
import { withStaging } from '../../../src/base/db/staging.ts';
import { storeBasemap } from '../../../src/data/ingest/basemap-store.ts';
import { storeBoundaries } from '../../../src/data/ingest/boundaries.ts';
import { stageCutBoundaries } from '../../../src/data/ingest/coast/cut-boundaries.ts';
import { hasCoast } from '../../../src/data/ingest/coast/has-coast.ts';
import { fitCoastOnce } from '../../../src/run/start/preparation.ts';
import { importBasemap } from '../../../src/data/ingest/basemap.ts';
import { importZcta } from '../../../src/data/ingest/zcta.ts';
import { silent } from '../../../src/data/ingest/progress.ts';
import { Findings } from '../../../src/data/ingest/report.ts';
import { readShapes } from '../../../src/data/ingest/shapes.ts';
import { ringOf, type Bbox } from '../../../src/base/spatial/bbox.ts';
import { testDatabase } from '../../support/database.ts';
import { testLog } from '../../support/log.ts';
import { triesAll } from '../../support/thorough.ts';
import { collection, row, writeFile } from './files.ts';

const { db, env } = await testDatabase('empty');

const polygon = (ring: number[][], properties: object) => ({
  type: 'Feature',
  properties,
  geometry: { type: 'Polygon', coordinates: [ring] },
});
const area = (box: Bbox, properties: object) => polygon(ringOf(box), properties);
const zip = (code: string, box: Bbox) => area(box, { ZCTA5CE20: code });
const importLayer = (file: string, features: object[], coast?: 'later') =>
  importBasemap(db, [writeFile(file, collection(features))], { coast, progress: silent });

const STAGED = ['basemap_features', 'basemap_shapes', 'zip_boundaries', 'border_graph'];

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

const ocean = (box: Bbox, coast?: 'later') =>
  importLayer('ne_10m_ocean.geojson', [area(box, { featurecla: 'Ocean', min_zoom: 0 })], coast);

const counties = (coast: 'later') =>
  importLayer(
    'cb_2023_us_county_500k.geojson',
    [
      area([-90, 26, -89, 28], { GEOID: '01001', NAME: 'One' }),
      area([-89, 25, -88, 28], { GEOID: '01003', NAME: 'Two, which reaches into the sea' }),
      area([-88, 26, -86, 28], { GEOID: '02001', NAME: 'Three' }),
    ],
    coast,
  );

/** Fits the coast as a service does after its start. @returns its log */
async function fitAtStart(): Promise<string[]> {
  const lines: string[] = [];
  const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir = '' } = env;
  const log = testLog((line) => lines.push((JSON.parse(line) as { msg: string }).msg));
  await fitCoastOnce(db, { databaseUrl, dataDir }, log, new AbortController().signal);
  return lines;
}

/** The lengths and areas, in square degrees, of features on the wrong side of the shore, at each level. */
const measureMisplaced = () =>
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
    await states(26, 'later');
    await counties('later');
    const { notes } = await ocean([-95, 20, -80, 27]);
    expect(notes).toContain('fitted to the shores of the states: the ocean');
    const none = { drowned: expect.closeTo(0, 9), afloat: expect.closeTo(0, 9) };
    expect(await measureMisplaced()).toEqual([0, 1, 2, 3].map((lod) => ({ lod, ...none })));
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

  it('surrounds the world, on both sides of the antimeridian', async () => {
    expect(await Promise.all([isWater(175, 50), isWater(-175, 50), isWater(-30, 30)])).toEqual([
      true,
      true,
      true,
    ]);
    expect(await Promise.all([isWater(178, 68), isWater(30, 0), isWater(100, 40)])).toEqual([
      false,
      false,
      false,
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

  /** Imports larger states. @returns whether a place that they gain is water, and the number of replaced features */
  const fitNewStates = async () => {
    await states(25);
    const replaced = await db.query(`select 1 from basemap_features where coast = 'replaced'`);
    return { wet: await isWater(-89, 25.5), replaced: replaced.length };
  };

  it.runIf(triesAll)('is fitted again to new states, from the water as imported', async () => {
    expect(await fitNewStates()).toEqual({ wet: false, replaced: 1 });
  });

  it('is fitted to new states where the imported ocean surrounds the world', async () => {
    // Takes less work: no sea beyond it is computed.
    await ocean([-180, -85, 180, 85], 'later');
    expect(await fitNewStates()).toEqual({ wet: false, replaced: 1 });
  });

  it('is fitted once by concurrent starts, after an import that ended before the fitting', async () => {
    await states(24, 'later');
    expect([await hasCoast(db), await isWater(-89, 24.5)]).toEqual([false, true]);
    const version = await datasetsStamp(db, ['states']);
    const logs = await Promise.all([fitAtStart(), fitAtStart()]);
    expect(logs.flat()).toEqual([
      'fitting water to the shores of the states',
      'water fitted to the shores of the states',
    ]);
    expect([await hasCoast(db), await isWater(-89, 24.5)]).toEqual([true, false]);
    expect(await datasetsStamp(db, ['states'])).not.toBe(version);
    const zips = writeFile('zcta.geojson', collection(row(2)));
    await importZcta(db, [zips], { coast: 'later', progress: silent });
    expect(await hasCoast(db)).toBe(false);
    await db.query('update datasets set newer_than_coast = false');
    expect(await hasCoast(db)).toBe(true);
    // A database of an earlier version has no fitted coast at all.
    await db.query(`delete from basemap_features where coast = 'derived'`);
    expect(await hasCoast(db)).toBe(false);
  });

  it('leaves water unchanged if the states include their waters', async () => {
    const { notes } = await importLayer('tl_2023_us_state.geojson', [
      area([-90, 26, -86, 45], { GEOID: '26', NAME: 'Michigan with its lake' }),
    ]);
    expect(notes.join()).toMatch(/include their waters/);
    expect(await isWater(-89, 26.5)).toBe(true);
  });

  it('ends ZIP codes that reach far into the sea, and gives them back what was imported', async () => {
    const boundaries = () =>
      db.query(
        `select zip, array_agg(distinct st_ymin(geom)) as shores, bool_and(uncut is not null) as cut,
           round((z.land_area_m2 / st_area(z.bbox::geography))::numeric, 2)::float as land,
           min(st_ymin(z.bbox)) as south
         from zips z join zip_boundaries using (zip) where zip < '35004' group by z.zip order by zip`,
      );
    const county = () =>
      db.query(`select st_y(centroid) as lat, county_fips as fips from zips where zip = '35004'`);
    await states(26, 'later');
    await counties('later');
    const file = writeFile(
      'zcta.geojson',
      collection([
        zip('35001', [-90, 25, -89, 27]),
        zip('35002', [-89, 25, -88.2, 27]),
        zip('35003', [-88, 25.998, -87, 27]),
        // Its land is in the second county, and its middle, in the sea, is near the third.
        polygon(
          [
            [-88, 27],
            [-88.2, 27],
            [-88.2, 25],
            [-88, 25],
            [-88, 25.7],
            [-86, 25.7],
            [-86, 25.9],
            [-88, 25.9],
            [-88, 27],
          ],
          { ZCTA5CE20: '35004' },
        ),
      ]),
    );
    const { notes } = await importZcta(db, [file], { allowShrink: true, progress: silent });
    expect(await county()).toEqual([{ lat: expect.closeTo(26.5, 6), fips: '02001' }]);
    expect(notes).toContain('3 ZIP codes that reach far into the water end at the shore');
    const at = (code: string, south: number, cut: boolean) => ({
      zip: code,
      shores: [south],
      south,
      cut,
      land: 1,
    });
    // The third ends 200 m beyond the state, as happens where sources disagree about the shore.
    expect(await boundaries()).toEqual([
      at('35001', 26, true),
      at('35002', 26, true),
      at('35003', 25.998, false),
    ]);
    const [border] = await db.query(
      `select round(st_length(st_intersection(a.geom, b.geom))::numeric, 6)::float as degrees
       from zip_boundaries a join zip_boundaries b using (lod)
       where lod = 0 and a.zip = '35001' and b.zip = '35002'`,
    );
    expect(border).toEqual({ degrees: 1 });

    await counties('later');
    expect(await county()).toEqual([{ lat: expect.closeTo(26.5, 6), fips: '02001' }]);
    await states(25);
    expect(await boundaries()).toEqual([
      at('35001', 25, false),
      at('35002', 25, false),
      at('35003', 25.998, false),
    ]);
  });

  it('leaves a ZIP code whole if its land consists of islets, even if fewer details connect them', async () => {
    await withStaging(db, STAGED, async (staging) => {
      const islets = `st_union(array[
        st_makeenvelope(-87.5, 25, -87.4991, 25.0009, 4326), st_makeenvelope(-87.5, 25.1, -87.4991, 25.1009, 4326)])`;
      await db.query(
        `insert into ${staging.table('basemap_features')} (id, layer, kind, min_zoom, rank, max_lod, bbox, coast)
         overriding system value
         select 1, 'water', 'ocean', 0, 0, 3, st_makeenvelope(-88, 24, -87, 28, 4326), 'derived'`,
      );
      await db.query(
        `insert into ${staging.table('basemap_shapes')} (feature_id, lod, geom)
         select 1, lod, case lod when 0 then
             st_difference(st_makeenvelope(-87.9, 24, -87, 28, 4326), ${islets})
           else st_makeenvelope(-87.5, 24, -87, 28, 4326) end
         from generate_series(0, 3) lod`,
      );
      await db.query('delete from zip_boundaries where zip <> $1', ['35003']);
      await db.query(
        `update zip_boundaries set uncut = null, geom = st_multi(st_makeenvelope(-87.9, 24.5, -87, 26, 4326))`,
      );
      expect(await stageCutBoundaries(db, staging)).toBeNull();
    });
  });

  it.runIf(inject('testServer'))(
    'doesn’t cut boundaries that replace others meanwhile',
    async () => {
      const shapes = await readShapes([
        writeFile('zcta.geojson', collection([zip('35001', [-90, 24.5, -89, 27])])),
      ]);
      await states(26, 'later');
      const moments = new EventEmitter();
      const progress = (phase: string) => void moments.emit(phase);
      let work: Promise<unknown>[] = [];
      // The fitting waits here while the boundaries are replaced.
      await db.transaction(async (tx) => {
        await tx.query('lock table basemap_features in share row exclusive mode');
        work = [storeBasemap(db, [], { dryRun: false, progress })];
        await once(moments, 'Replacing the basemap');
        const inSwap = async () => {
          moments.emit('replaced');
          await once(moments, 'the fitting waits for the tables');
        };
        const source = { shapes, zips: new Map([[0, { zip: '35001', landAreaM2: null }]]) };
        work.push(
          storeBoundaries(
            db,
            { ...source, facts: { vintage: 'new', synthetic: false } },
            { dryRun: false, findings: new Findings(), progress: silent, inSwap },
          ),
        );
        await once(moments, 'replaced');
      });
      const waiting = `select count(*)::int from pg_locks
      where not granted and database = (select oid from pg_database where datname = current_database())`;
      await expect.poll(() => db.query(waiting)).toEqual([{ count: 1 }]);
      moments.emit('the fitting waits for the tables');
      await Promise.all(work);
      expect(
        await db.query('select distinct zip, st_ymin(geom) as south, uncut from zip_boundaries'),
      ).toEqual([{ zip: '35001', south: 24.5, uncut: null }]);
      expect(await hasCoast(db)).toBe(false);
    },
  );

  it('ends ZIP codes at the shore of a lake without an ocean', async () => {
    await states(25, 'later');
    await importLayer('ne_10m_lakes.geojson', [
      area([-89, 24, -87, 25.1], { featurecla: 'Lake', name: 'Lake', min_zoom: 0 }),
    ]);
    const file = writeFile('zcta.geojson', collection([zip('35005', [-88.5, 24.5, -87.5, 26])]));
    const { notes } = await importZcta(db, [file], { allowShrink: true, progress: silent });
    expect(notes).toContain('1 ZIP code that reaches far into the water ends at the shore');
  });
});
