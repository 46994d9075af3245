/**
 * Imports the real national files, which are not part of the project, into PostGIS. The tests are
 * skipped unless the files are in `../shared/geo` and TEST_DATABASE_URL names a server.
 */
import { existsSync } from 'node:fs';
import type { MultiPolygon } from 'geojson';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { projectFile } from '../../src/base/geodata/project-files.ts';
import { readDemographics } from '../../src/data/ingest/demographics-store.ts';
import { loadStyle } from '../../src/data/basemap/styles.ts';
import { geoJsonShapes } from '../../src/data/market/geojson-shapes.ts';
import { boundariesJson } from '../../src/territories/share/boundaries.ts';
import { DETAIL_LEVELS } from '../../src/base/spatial/detail.ts';
import { subdivide } from '../../src/base/spatial/subdivide.ts';
import { readWkb } from '../../src/base/spatial/wkb.ts';
import { testDatabase } from '../support/database.ts';
import { runAdmin } from '../support/processes.ts';
import { casesOf } from '../support/thorough.ts';

const folder = projectFile('../shared/geo');
const isSkipped = !existsSync(folder) || !inject('testServer');
const { db, env } = await testDatabase('empty', { own: !isSkipped });

const importFiles = async (kind: string, ...files: string[]) => {
  const paths = files.map((file) => `${folder}/${file}`);
  const result = await runAdmin(['import', kind, ...paths, '--json'], env);
  if (result.code !== 0) throw new Error(result.stderr);
  return JSON.parse(result.stdout);
};

describe.skipIf(isSkipped)('the real national files', { timeout: 1_800_000 }, () => {
  it('of boundaries import completely, with neighbors', async () => {
    const report = await importFiles('zcta', 'zcta/cb_us_zcta510_500k.zip');
    expect(report).toMatchObject({ rowsRead: 32989, kept: 32989, rejected: [] });
    expect(report.vintage).toBe('Census 2010 ZCTAs');
    const [{ pairs }] = (await db.query('select count(*) / 2 as pairs from zip_neighbors')) as [
      { pairs: number },
    ];
    // 90,836 pairs touch, some only in points.
    expect(pairs).toBeGreaterThan(80_000);
    expect(pairs).toBeLessThan(90_836);
  });

  it('of the basemap import completely', async () => {
    const naturalEarth = [
      'lakes',
      'lakes_north_america',
      'rivers_lake_centerlines',
      'rivers_north_america',
      'ocean',
      'populated_places_simple',
    ].map((name) => `natural_earth/ne_10m_${name}.geojson`);
    const roads = ['us_interstates', 'us_highways'].map((n) => `roads/${n}_hi_gempak.geojson`);
    const areas = ['state_500k', 'county_5m'].map((name) => `tiger/cb_2018_us_${name}.zip`);
    expect(await importFiles('basemap', ...naturalEarth, ...roads, ...areas)).toMatchObject({
      rowsRead: 24460,
      kept: 15071,
      rejected: [{ reason: 'the geometry is missing or empty', count: 277 }],
    });
  });

  describe('agree about land and water', () => {
    beforeAll(splitWater, 1_800_000);

    it('so that no picture hides more than 1% of a ZIP code', async () => {
      const { layers } = loadStyle('light');
      const above = layers.slice(layers.findIndex(({ id }) => id === 'zip-fill') + 1);
      const hiding = above
        .filter(({ type }) => type === 'fill')
        .filter(({ id }) => !id.startsWith('zip'));
      const kinds = hiding.flatMap((layer) =>
        ['ocean', 'lake', 'river'].filter((kind) => JSON.stringify(layer).includes(`"${kind}"`)),
      );
      expect(await coveredZips(kinds)).toEqual([]);
      // The ocean above the ZIP codes would hide those that reach into it, for example around Tampa.
      expect((await coveredZips(['ocean'], '33')).length).toBeGreaterThan(20);
    });

    it('at every level of detail, with valid shapes', async () => {
      const invalid = await db.query(
        `select kind, lod from basemap_shapes join basemap_features on id = feature_id
         where coast = 'derived' and not st_isvalid(geom)`,
      );
      expect(invalid).toEqual([]);
      // Tidal rivers and lagoons are within states, but in no ZIP code.
      const rows = await db.query<{ lod: number; drowned: number; afloat: number }>(
        `with land as materialized (
           select lod, kind, st_subdivide(geom, 200) as geom
           from basemap_shapes join basemap_features f on f.id = feature_id
           where kind in ('state', 'border')
         )
         select lod,
           sum(st_area(st_intersection(land.geom, water.geom))) filter (where land.kind = 'state') as drowned,
           sum(st_length(st_intersection(land.geom, water.geom))) filter (where land.kind = 'border') as afloat
         from land join pieces_of_water water using (lod)
         where coast = 'derived' and st_intersects(land.geom, water.geom)
         group by lod order by lod`,
      );
      expect(rows.map(({ lod }) => lod)).toEqual([0, 1, 2, 3]);
      for (const { drowned, afloat } of rows) {
        // Rounding errors: at most 4 of about 1,000 square degrees, and 0.1 of 1,500 degrees of borders
        expect(drowned).toBeGreaterThan(2);
        expect(drowned).toBeLessThan(4);
        expect(afloat).toBeLessThan(0.1);
      }
    });
  });

  it('end ZIP codes at the shore that continue far into the sea', async () => {
    const [{ cut, invalid, swimming }] = (await db.query(
      `select count(distinct zip)::int as cut, count(*) filter (where not st_isvalid(geom))::int as invalid,
         array_agg(zip) filter (where lod = 0
           and st_contains(geom, st_setsrid(st_point(-82.8, 28.19), 4326))) as swimming
       from zip_boundaries where uncut is not null`,
    )) as [{ cut: number; invalid: number; swimming: string[] | null }];
    expect(cut).toBeGreaterThan(600);
    expect(cut).toBeLessThan(900);
    expect({ invalid, swimming }).toEqual({ invalid: 0, swimming: null });
    // Half of 34691 is in the Gulf of Mexico.
    const [holiday] = await db.query(
      `select land_area_m2 / uncut_land_area_m2 as land from zips where zip = '34691'`,
    );
    expect(holiday!['land']).toBeCloseTo(0.504, 2);
  });

  it('have rivers and lagoons between ZIP codes, and parks and barrier islands', async () => {
    const water = {
      hudson: [-73.979, 40.8],
      eastRiver: [-73.905, 40.8],
      jamaicaBay: [-73.84, 40.62],
    };
    const bays = {
      greatSouth: [-73.2, 40.68],
      santaRosa: [-87.0836, 30.3678],
      york: [-76.628, 37.3367],
    };
    const land = {
      centralPark: [-73.966, 40.782],
      barrierIsland: [-75.7364, 37.3398],
      lake: [-99, 40],
    };
    const places: Record<string, number[]> = { ...water, ...bays, ...land };
    const wet = await db.query<{ name: string }>(
      `select name from unnest($1::text[], $2::float8[], $3::float8[]) as p (name, lng, lat)
       where exists (select from basemap_shapes s join basemap_features f on f.id = s.feature_id
         where lod = 0 and f.coast = 'derived' and f.kind = 'ocean'
           and st_contains(geom, st_setsrid(st_point(lng, lat), 4326)))`,
      [
        Object.keys(places),
        ...[0, 1].map((axis) => Object.values(places).map((place) => place[axis])),
      ],
    );
    expect(wet.map(({ name }) => name)).toEqual(Object.keys({ ...water, ...bays }));
  });

  it('are served as valid shapes with an area, at every level of detail', async () => {
    const all = await db.query<{ zip: string }>('select zip from zips order by zip');
    // Each landing reads others: all of them would take 50 s of CPU.
    const zips = casesOf(all, 1 / 4).map(({ zip }) => zip);
    expect(zips.length).toBeGreaterThan(1_000);
    for (const lod of DETAIL_LEVELS.keys()) {
      const shapes = await geoJsonShapes(db, zips, lod);
      expect(shapes.size).toBe(zips.length);
      expect(await brokenShapes(shapes)).toEqual([]);
    }
    // The smallest ones also one by one, as in a shared map with a single ZIP code
    const smallest = await db.query<{ zip: string }>(
      'select zip from zips order by st_area(bbox) limit 200',
    );
    const alone = new Map<string, string>();
    for (const { zip } of smallest) {
      const { features } = JSON.parse(await boundariesJson(db, [{ zip, status: 'live' }], 3));
      alone.set(zip, JSON.stringify(features[0].geometry));
    }
    expect(await brokenShapes(alone)).toEqual([]);
  });

  it('of demographics are joined across vintages and keep known values exactly', async () => {
    const report = await importFiles(
      'acs',
      'acs/acs5_2021_B01003_B01002_B19013_B25077.json',
      'acs/acs5_2023_B25003.json',
    );
    expect(report).toMatchObject({ rowsRead: 67546, kept: 33774, rejected: [] });
    const known = [
      ['30309', 27469, 95296, 364600, 8619, 18865],
      ['60614', 72119, 123610, 665800, 15614, 34603],
      ['75201', 17491, 95907, 636300, 1201, 12039],
      ['80202', 16952, 97230, 642100, 2612, 11749],
      ['90210', 19627, 154740, 2000001, 5748, 8025],
    ] as const;
    const rows = await readDemographics(
      db,
      known.map(([zip]) => zip),
    );
    expect(
      rows.map((r) => [
        r.zip,
        r.populationTotal,
        r.medianHouseholdIncome,
        r.medianHomeValue,
        r.ownerOccupiedHouseholds,
        r.householdsTotal,
      ]),
    ).toEqual(known);
    expect(rows[4]!.flags).toMatchObject({ medianHomeValue: 'top-coded' });
  });

  it('are scored although they lack some signals', async () => {
    const [facts] = await db.query(
      `select count(single_family_detached_pct) as detached, count(homes_by_decade_built) as built,
         (select count(*) from zip_scores where vertical = 'roofing' and score is not null) as scored,
         (select max(coverage) from zip_scores where vertical = 'roofing')::float as coverage
       from zip_demographics`,
    );
    expect(facts).toMatchObject({ detached: 0, built: 0 });
    expect(facts!['scored']).toBeGreaterThan(30_000);
    expect(facts!['coverage']).toBeLessThan(0.8);
  });
});

/** Returns the ZIP codes with this prefix that water covers to more than 1%. */
function coveredZips(kinds: readonly string[], prefix = '') {
  return db.query<{ zip: string; share: number }>(
    `select zip, sum(st_area(st_intersection(b.geom, water.geom))) / max(st_area(b.geom)) as share
     from zip_boundaries b join pieces_of_water water using (lod)
     where lod = 0 and kind = any($1) and zip like $2 and st_intersects(b.geom, water.geom) group by zip
     having sum(st_area(st_intersection(b.geom, water.geom))) > 0.01 * max(st_area(b.geom))`,
    [kinds, `${prefix}%`],
  );
}

interface Water {
  lod: number;
  kind: string;
  coast: string;
  area: number;
  wkb: Buffer;
}

/** Stores the water on maps in pieces, with an index, since comparing whole oceans would take hours. */
async function splitWater(): Promise<void> {
  await db.query('create table pieces_of_water (lod int, kind text, coast text, geom geometry)');
  const waters = await db.query<Water>(
    `select lod, kind, coast, st_area(geom) as area, st_asbinary(geom, 'NDR') as wkb
     from basemap_shapes join basemap_features f on f.id = feature_id
     where layer = 'water' and coast is distinct from 'replaced' and st_dimension(geom) = 2
       and (lod = 0 or coast = 'derived')`,
  );
  const pieces = waters.flatMap(({ lod, kind, coast, wkb }) =>
    [...subdivide(readWkb(wkb) as MultiPolygon, 200)].map((shape) => ({ lod, kind, coast, shape })),
  );
  for (let from = 0; from < pieces.length; from += 1_000) {
    await db.query(
      `insert into pieces_of_water
       select lod, kind, coast, st_makevalid(st_setsrid(st_geomfromgeojson(shape), 4326))
       from jsonb_to_recordset($1) as t (lod int, kind text, coast text, shape jsonb)`,
      [JSON.stringify(pieces.slice(from, from + 1_000))],
    );
  }
  await db.query('create index on pieces_of_water using gist (geom)');
  await db.query('analyze pieces_of_water');
  // If water were lost, less would cover ZIP codes and states.
  const areas = new Map<number, number>();
  for (const { lod, area } of waters) areas.set(lod, (areas.get(lod) ?? 0) + area);
  const split = await db.query<{ lod: number; area: number }>(
    'select lod, sum(st_area(geom)) as area from pieces_of_water group by lod order by lod',
  );
  expect(split.map(({ lod }) => lod)).toEqual([0, 1, 2, 3]);
  for (const { lod, area } of split) {
    expect(area / areas.get(lod)!, `level ${lod}`).toBeCloseTo(1, 6);
  }
}

/** The ZIP codes whose GeoJSON is missing, invalid, or flat */
async function brokenShapes(shapes: ReadonlyMap<string, string>): Promise<string[]> {
  const rows = await db.query<{ zip: string }>(
    `select zip from unnest($1::text[], $2::text[]) as t (zip, geojson),
       lateral (select st_geomfromgeojson(nullif(geojson, 'null')) as shape offset 0) s
     where shape is null or st_isempty(shape) or not st_isvalid(shape) or st_area(shape) = 0`,
    [[...shapes.keys()], [...shapes.values()]],
  );
  return rows.map(({ zip }) => zip);
}
