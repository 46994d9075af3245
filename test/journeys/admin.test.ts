/** `territory-admin migrate`, `import`, and `sample`: reports and exit codes. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { migrationNames } from '../../src/base/db/migrate.ts';
import { readDatasets } from '../../src/base/db/datasets.ts';
import { hasCoast } from '../../src/data/ingest/coast/has-coast.ts';
import { collection, row, writeFile } from '../data/ingest/files.ts';
import { testDatabase } from '../support/database.ts';
import { runAdmin } from '../support/processes.ts';

const { db, env } = await testDatabase('blank');
const admin = (...args: string[]) => runAdmin(args, { ...env, SAMPLE_DATA: 'never' });

const GEO = 'zip code tabulation area';
const tenure = writeFile('acs5_2023_B25003.json', [
  ['B25003_001E', 'B25003_002E', GEO],
  ['100', '40', '75201'],
  ['100', '60', '75202'],
]);

describe('territory-admin', () => {
  it('updates a blank database to the current schema', async () => {
    const migrations = migrationNames();
    expect(await admin('migrate')).toMatchObject({
      code: 0,
      stdout: `Applied ${migrations.join(', ')}.\n`,
    });
    expect(await admin('migrate', '--json')).toMatchObject({ stdout: '{\n  "applied": []\n}\n' });
  });

  it('installs no states in a dry run, and fits their coast even if the import is refused', async () => {
    const dry = await admin('import', 'zcta', writeFile('z.json', collection(row(2))), '--dry-run');
    expect([dry.code, await db.query('select from datasets')]).toEqual([0, []]);
    const refused = await admin('import', 'zcta', writeFile('none.json', collection([])));
    expect(refused.code).toBe(1);
    expect([...(await readDatasets(db)).keys()].sort()).toEqual(['counties', 'states']);
    expect(await hasCoast(db)).toBe(true);
  });

  it('imports boundaries into a database without sample data, with a report', async () => {
    const file = writeFile('zcta.geojson', collection([...row(2), ...row(1)]));
    const result = await admin('import', 'zcta', file);
    expect(result.code).toBe(0);
    expect(result.stdout).toMatch(
      /Imported zcta\.[^]*Census 2020 ZCTAs[^]*rows read +3\n +kept +2\n +rejected +0\n[^]*1 ZIP code came in several features, which were united: 75201\n/,
    );
    // States and counties come from us-atlas.
    expect(await db.query('select county_fips as fips from zips')).toEqual([
      { fips: '48113' },
      { fips: '48113' },
    ]);
  });

  it('imports demographics and scores them; --json prints the report and nothing else', async () => {
    const result = await admin('import', 'acs', tenure, '--json');
    expect(JSON.parse(result.stdout)).toMatchObject({
      kind: 'acs',
      kept: 2,
      rejected: [],
      vintage: 'ACS 5-Year 2019-2023',
      scores: { zips: 2, verticals: expect.arrayContaining([]) },
    });
    expect(result.stderr).toContain('Scoring');
  });

  it('checks a file without changing anything', async () => {
    const file = writeFile('zcta.geojson', collection(row(5)));
    const result = await admin('import', 'zcta', file, '--dry-run');
    expect(result.stdout).toMatch(/Dry run of zcta: nothing was changed[^]*would keep +5/);
    expect(await db.query('select from zips')).toHaveLength(2);
  });

  it('downloads from the Census API that CENSUS_API_URL names', async () => {
    const census = createServer((req, res) => {
      const url = new URL(req.url!, 'http://census');
      const names = url.searchParams.get('get')!.split(',');
      res.end(
        JSON.stringify([
          [...names, GEO],
          [...names.map(() => '50'), '75201'],
        ]),
      );
    });
    await new Promise<void>((resolve) => census.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void census.close());
    const { port } = census.address() as AddressInfo;
    const result = await runAdmin(['import', 'acs', '--download', '--year', '2022', '--json'], {
      ...env,
      CENSUS_API_URL: `http://127.0.0.1:${port}/data`,
    });
    expect(JSON.parse(result.stdout)).toMatchObject({
      files: ['Census API 2022'],
      rowsRead: 8,
      vintage: 'ACS 5-Year 2018-2022 and 2019-2023',
    });
  });

  it.each([
    [
      'a missing file',
      ['import', 'zcta', 'none.zip'],
      /none\.zip can’t be read: there is no such file/,
    ],
    [
      'files and --download together',
      ['import', 'acs', tenure, '--download'],
      /name files to import, or use --download --year YEAR/,
    ],
    ['an invalid year', ['import', 'acs', tenure, '--year', '23'], /Expected a year such as 2023/],
    [
      'an unknown layer',
      ['import', 'basemap', 'x.geojson', '--layer', 'hills'],
      /Allowed choices are states, counties/,
    ],
    [
      'a picture of nothing',
      ['render', '--vertical', 'roofing', '-o', 'x.png'],
      /nothing to draw; use --metro, --state, --nation, --zips/,
    ],
    [
      'a metro and a state at once',
      ['render', '--metro', 'dallas-tx', '--state', 'TX', '-o', 'x.png'],
      /--metro <slug>' cannot be used with option '--state <code>'/,
    ],
    [
      'a status map with a vertical',
      ['render', '--live', '75201', '--vertical', 'hvac', '-o', 'x.png'],
      /cannot be combined with a market or --vertical/,
    ],
    [
      'an unknown picture format',
      ['render', '--zips', '75201', '-o', 'x.gif'],
      /"x\.gif" has no known extension; use one of \.png, \.webp, \.jpg/,
    ],
    [
      'a center without a zoom',
      ['render', '--zips', '75201', '--center', '-96.8,32.8', '-o', 'x.png'],
      /use --center and --zoom together/,
    ],
    [
      'an option for style files',
      ['render', '--zips', '75201', '--pitch', '30', '-o', 'x.png'],
      /--pitch works only with --style-file/,
    ],
    [
      'a size beyond the limits',
      ['render', '--zips', '75201', '--vertical', 'hvac', '--size', '9000x10', '-o', 'x.png'],
      /each 1 to 2048/,
    ],
    ['a sample in a database with data', ['sample'], /The database already contains data/],
  ])('ends with exit code 1 and the reason: %s', async (_name, args, why) => {
    const result = await admin(...args);
    expect(result.code).toBe(1);
    expect(result.stderr).toMatch(why);
    expect(result.stderr).not.toMatch(/\n +at /);
    expect(result.stdout).toBe('');
  });
});
