/**
 * Imports the real national files, which are not part of the project, into PostGIS. The tests are
 * skipped unless the files are in `../shared/geo` and TEST_DATABASE_URL names a server.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, inject, it } from 'vitest';
import { readDatasets } from '../../src/db/datasets.ts';
import { compiledModule, projectFile } from '../../src/paths.ts';
import { readDemographics } from '../../src/ingest/demographics-store.ts';
import { testDatabase } from '../support/database.ts';
import { runAdmin } from '../support/processes.ts';

const folder = projectFile('../shared/geo');
const isSkipped = !existsSync(folder) || !inject('testServer');
const { db, env } = await testDatabase('empty', { own: !isSkipped });

const importFiles = async (kind: string, ...files: string[]) => {
  const paths = files.map((file) => `${folder}/${file}`);
  const result = await runAdmin(['import', kind, ...paths, '--json'], env);
  if (result.code !== 0) throw new Error(result.stderr);
  return JSON.parse(result.stdout);
};

describe.skipIf(isSkipped)('the real national files', { timeout: 300_000 }, () => {
  it('of the basemap import completely', async () => {
    const naturalEarth = [
      ...['lakes', 'lakes_north_america', 'rivers_lake_centerlines', 'rivers_north_america'],
      ...['ocean', 'populated_places_simple'],
    ].map((name) => `natural_earth/ne_10m_${name}.geojson`);
    const roads = ['us_interstates', 'us_highways'].map((n) => `roads/${n}_hi_gempak.geojson`);
    expect(await importFiles('basemap', ...naturalEarth, ...roads)).toMatchObject({
      rowsRead: 21171,
      kept: 20894,
      rejected: [{ reason: 'the geometry is missing or empty', count: 277 }],
    });
  });

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

  it('change nothing when their import is killed halfway', async () => {
    const file = `${folder}/zcta/cb_us_zcta510_500k.zip`;
    const child = spawn(
      process.execPath,
      [compiledModule('cli/admin.ts'), 'import', 'zcta', file, '--vintage', 'Never finished'],
      { env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    for await (const chunk of child.stderr) if (/Checking/.test(String(chunk))) break;
    child.kill('SIGKILL');
    expect(await db.query('select count(*) as zips from zips')).toEqual([{ zips: 32989 }]);
    expect((await readDatasets(db)).get('boundaries')).toMatchObject({
      vintage: 'Census 2010 ZCTAs',
    });
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
