import { beforeEach, describe, expect, it } from 'vitest';
import { readDatasets } from '../../../src/base/db/datasets.ts';
import { ImportError } from '../../../src/errors.ts';
import { importAcs, type AcsOptions } from '../../../src/data/ingest/acs.ts';
import { readDemographics } from '../../../src/data/ingest/demographics-store.ts';
import { silent } from '../../../src/data/ingest/progress.ts';
import { testDatabase, testFolder } from '../../support/database.ts';
import { writeFile } from './files.ts';

const { db } = await testDatabase('empty');

const importFiles = (files: string[], options: Partial<AcsOptions> = {}) =>
  importAcs(db, files, { progress: silent, ...options });

const readZip = async (zip: string) => (await readDemographics(db, [zip]))[0];

const GEO = 'zip code tabulation area';
const medians = (year: number, rows: unknown[][]) =>
  writeFile(`acs5_${year}_medians.json`, [
    ['NAME', 'B01003_001E', 'B19013_001E', 'B25077_001E', GEO],
    ...rows,
  ]);
const tenure = (year: number, rows: unknown[][]) =>
  writeFile(`acs5_${year}_B25003.json`, [['B25003_001E', 'B25003_002E', GEO], ...rows]);

beforeEach(async () => {
  await db.query('truncate zip_demographics');
  await db.query('delete from datasets');
});

describe('importing ACS tables', () => {
  it('reads the Census API’s JSON', async () => {
    const report = await importFiles([
      medians(2021, [['ZCTA5 75201', '17491', '95907', '636300', '75201']]),
    ]);
    expect(report).toMatchObject({ kind: 'acs', rowsRead: 1, kept: 1, rejected: [] });
    expect(await readZip('75201')).toMatchObject({
      populationTotal: 17491,
      medianHouseholdIncome: 95907,
      medianHomeValue: 636300,
      householdsTotal: null,
      flags: {},
      sourceVintage: 'ACS 5-Year 2017-2021',
    });
    expect((await readDatasets(db)).get('demographics')).toMatchObject({ synthetic: false });
  });

  it('reads the text files of data.census.gov with their row of labels', async () => {
    const file = writeFile(
      'ACSDT5Y2023.B19013-Data.csv',
      '\uFEFFGEO_ID,NAME,B19013_001E,B19013_001M,\n' +
        'Geography,Geographic Area Name,Estimate!!Median,Margin of Error!!Median,\n' +
        '860Z200US75201,ZCTA5 75201,"95,907",8000,\n' +
        '860Z200US90210,ZCTA5 90210,"250,000+",***,\n' +
        '860Z200US10118,ZCTA5 10118,-,**,\n',
    );
    const report = await importFiles([file]);
    expect(report).toMatchObject({ rowsRead: 3, kept: 3, vintage: 'ACS 5-Year 2019-2023' });
    expect(report.rejected).toEqual([]);
    expect(await readZip('75201')).toMatchObject({ medianHouseholdIncome: 95907 });
    expect(await readZip('90210')).toMatchObject({
      medianHouseholdIncome: 250001,
      flags: { medianHouseholdIncome: 'top-coded' },
    });
    expect(await readZip('10118')).toMatchObject({
      medianHouseholdIncome: null,
      flags: { medianHouseholdIncome: 'suppressed' },
    });
  });

  it('keeps and flags medians at the lower end of the scale, as written by each source', async () => {
    await importFiles([
      writeFile(
        'ACSDT5Y2023.medians-Data.csv',
        'GEO_ID,B19013_001E,B25077_001E,B25035_001E\n' +
          '860Z200US75201,"2,500-","10,000-",1939-\n' +
          '860Z200US75202,"95,907","636,300","2,020+"\n',
      ),
      writeFile('acs5_2022_medians.json', [
        ['B19013_001E', 'B25077_001E', 'B25035_001E', 'B25035_001EA', GEO],
        ['2499', '9999', '1939', null, '75203'],
        ['95907', '636300', '1938', '1939-', '75204'],
      ]),
    ]);
    const ends = {
      medianHouseholdIncome: 2499,
      medianHomeValue: 9999,
      medianYearBuilt: 1939,
      flags: {
        medianHouseholdIncome: 'bottom-coded',
        medianHomeValue: 'bottom-coded',
        medianYearBuilt: 'bottom-coded',
      },
    };
    expect(await readZip('75201')).toMatchObject(ends);
    expect(await readZip('75203')).toMatchObject(ends);
    expect(await readZip('75202')).toMatchObject({
      medianYearBuilt: 2020,
      flags: { medianYearBuilt: 'top-coded' },
    });
    expect((await readZip('75204'))!.flags).toEqual({ medianYearBuilt: 'bottom-coded' });
  });

  it('takes no impossible year for a figure', async () => {
    const report = await importFiles([
      writeFile('acs5_2023_B25035.json', [
        ['B25035_001E', GEO],
        ...['0', '18', '2024', '-666666666', '1987'].map((year, i) => [year, `7520${i + 1}`]),
      ]),
    ]);
    expect(report).toMatchObject({ kept: 5, rejected: [] });
    expect(report.skipped).toMatchObject([{ reason: 'a median year is impossible', count: 2 }]);
    expect((await readDemographics(db)).map((row) => row.medianYearBuilt)).toEqual([
      null,
      null,
      null,
      null,
      1987,
    ]);
  });

  it.each(['json', 'csv'])('reads UTF-16, as PowerShell saves it, in %s', async (extension) => {
    const rows = [
      ['B19013_001E', GEO],
      ['95907', '75201'],
    ];
    const text = extension === 'json' ? JSON.stringify(rows) : rows.join('\n');
    const bytes = Buffer.from(`\u{FEFF}${text}`, 'utf16le');
    await importFiles([writeFile(`acs5_2022_B19013.${extension}`, bytes)]);
    expect((await readZip('75201'))!.medianHouseholdIncome).toBe(95907);
  });

  it('reads the tables of R’s tidycensus, long and wide, with missing values', async () => {
    const long = writeFile(
      'tidycensus.csv',
      '"","GEOID","NAME","variable","estimate","moe"\n' +
        '"1","75201","ZCTA5 75201","B19013_001",95907,8000\n' +
        '"2","75201","ZCTA5 75201","B25077_001",NA,NA\n' +
        '"3","02108","ZCTA5 02108","B19013_001",50000,50000\n' +
        '"4","02108","ZCTA5 02108","B08301_001",5,1\n' +
        '"5","02108","ZCTA5 02108","B19013_001",7,7\n',
    );
    const report = await importFiles([long], { year: 2023 });
    expect(report).toMatchObject({ rowsRead: 5, kept: 2, skipped: [] });
    expect(report.rejected.map(({ reason }) => reason)).toEqual([
      'the variable isn’t in a required table',
      'duplicate ZIP code; the first row was kept',
    ]);
    expect(await readZip('75201')).toMatchObject({
      medianHouseholdIncome: 95907,
      medianHomeValue: null,
      flags: { medianHomeValue: 'suppressed' },
    });
    expect(await readZip('02108')).toMatchObject({
      medianHouseholdIncome: 50000,
      flags: { medianHouseholdIncome: 'low-reliability' },
    });
    const wide = writeFile(
      'tidycensus_wide.csv',
      '"GEOID","NAME","B25003_001E","B25003_001M","B25003_002E","B25003_002M"\n' +
        '"02108","ZCTA5 02108",12039,500,NA,NA\n',
    );
    expect(await importFiles([wide], { year: 2023 })).toMatchObject({ rejected: [], skipped: [] });
    expect(await readZip('02108')).toMatchObject({
      householdsTotal: 12039,
      ownerOccupiedPct: null,
    });
  });

  it('reads ZIP codes in all forms', async () => {
    const forms = ['75201', ' 75202 ', '860Z200US75203', '8600000US75204', 'ZCTA5 75205', 2108];
    await importFiles([
      tenure(
        2023,
        forms.map((form) => [12039, 1201, form]),
      ),
    ]);
    expect((await readDemographics(db)).map(({ zip }) => zip)).toEqual([
      '02108',
      '75201',
      '75202',
      '75203',
      '75204',
      '75205',
    ]);
  });

  it('reads the table-based summary files', async () => {
    const file = writeFile(
      'acsdt5y2022-b25003.dat',
      'GEO_ID|B25003_E001|B25003_M001|B25003_E002|B25003_M002\n' +
        '860Z200US75201|12039|500|1201|200\n',
    );
    await importFiles([file]);
    expect(await readZip('75201')).toMatchObject({
      householdsTotal: 12039,
      ownerOccupiedHouseholds: 1201,
      ownerOccupiedPct: 10,
      sourceVintage: 'ACS 5-Year 2018-2022',
    });
  });

  it('stores sentinels as null, keeps top-codes, and flags both', async () => {
    await importFiles([
      medians(2021, [['', '0', '-666666666', '2000001', '90210']]),
      tenure(2021, [['-999999999', '5', '90210']]),
    ]);
    expect(await readZip('90210')).toMatchObject({
      populationTotal: 0,
      medianHouseholdIncome: null,
      medianHomeValue: 2000001,
      householdsTotal: null,
      ownerOccupiedPct: null,
      flags: {
        medianHouseholdIncome: 'suppressed',
        medianHomeValue: 'top-coded',
        householdsTotal: 'suppressed',
      },
    });
  });

  it('flags an estimate whose margin makes it unreliable', async () => {
    const file = writeFile('acs5_2022_B19013.json', [
      ['B19013_001E', 'B19013_001M', GEO],
      // coefficients of variation 0.61 and 0.06: margin / 1.645 / estimate
      ['50000', '50000', '75201'],
      ['50000', '5000', '75202'],
    ]);
    await importFiles([file]);
    expect((await readZip('75201'))!.flags).toEqual({ medianHouseholdIncome: 'low-reliability' });
    expect((await readZip('75202'))!.flags).toEqual({});
  });

  it('counts homes by decade built, with the bands of each vintage', async () => {
    const header = [
      ...Array.from({ length: 11 }, (_, i) => `B25034_${String(i + 1).padStart(3, '0')}E`),
      GEO,
    ];
    const counts = [100, 1, 2, 3, 4, 5, 6, 7, 8, 9, 55];
    await importFiles([writeFile('acs5_2023_B25034.json', [header, [...counts, '75201']])]);
    expect(await readZip('75201')).toMatchObject({
      homesByDecadeBuilt: [55, 9, 8, 7, 6, 5, 4, 3, 2, 1],
      homeAgePre1980Pct: 85,
      homeAge19801999Pct: 9,
      homeAge2000PlusPct: 6,
    });
    await importFiles([writeFile('acs5_2019_B25034.json', [header, [...counts, '75201']])], {
      replace: true,
    });
    // Until 2020, the first two bands were "2014 or later" and "2010 to 2013".
    expect((await readZip('75201'))!.homesByDecadeBuilt).toEqual([55, 9, 8, 7, 6, 5, 4, 3, 3, 0]);
  });
});

describe('several files', () => {
  it('are merged by ZIP code with the vintage of each part', async () => {
    const report = await importFiles([
      tenure(2023, [
        ['12039', '1201', '75201'],
        ['10', '5', '75299'],
      ]),
      medians(2021, [['', '17491', '95907', '636300', '75201']]),
    ]);
    expect(report.kept).toBe(2);
    expect(await readZip('75201')).toMatchObject({
      populationTotal: 17491,
      householdsTotal: 12039,
      sourceVintage: 'ACS 5-Year 2017-2021 (B01003, B19013, B25077); ACS 5-Year 2019-2023 (B25003)',
    });
    expect(await readZip('75299')).toMatchObject({
      populationTotal: null,
      householdsTotal: 10,
      sourceVintage: 'ACS 5-Year 2019-2023',
    });
  });

  it('with the same table use the newest vintage, in any order', async () => {
    const [older, younger] = [
      tenure(2019, [['100', '10', '75201']]),
      tenure(2023, [['200', '50', '75201']]),
    ];
    for (const files of [
      [older, younger],
      [younger, older],
    ]) {
      await importFiles(files as string[], { replace: true });
      expect(await readZip('75201')).toMatchObject({ householdsTotal: 200, ownerOccupiedPct: 25 });
    }
  });

  it('imported one after the other are merged, unless --replace is given', async () => {
    await importFiles([medians(2021, [['', '17491', '95907', '636300', '75201']])]);
    await importFiles([tenure(2021, [['12039', '1201', '75201']])]);
    expect(await readZip('75201')).toMatchObject({
      populationTotal: 17491,
      householdsTotal: 12039,
    });
    await importFiles([tenure(2021, [['12039', '1201', '75201']])], { replace: true });
    expect(await readZip('75201')).toMatchObject({ populationTotal: null, householdsTotal: 12039 });
  });

  it('never mix with sample data', async () => {
    await importFiles([medians(2021, [['', '1', '2', '3', '75201']])]);
    await db.query(`update datasets set synthetic = true where name = 'demographics'`);
    await importFiles([tenure(2021, [['12039', '1201', '75202']])]);
    expect(await readZip('75201')).toBeUndefined();
  });
});

describe('the first real figures', () => {
  it('replace most of the sample only with --replace', async () => {
    await importFiles([
      medians(
        2021,
        [1, 2, 3].map((n) => ['', '1', '2', '3', `7520${n}`]),
      ),
    ]);
    await db.query(`update datasets set synthetic = true where name = 'demographics'`);
    const file = tenure(2021, [['12039', '1201', '75204']]);
    for (const dryRun of [false, true]) {
      await expect(importFiles([file], { dryRun })).rejects.toThrow(
        /have 1 ZIP code and the database has 3.*--replace/,
      );
    }
    expect(await readDemographics(db)).toHaveLength(3);
    await importFiles([file], { replace: true });
    expect(await readZip('75204')).toMatchObject({ householdsTotal: 12039 });
  });
});

describe('rejected rows', () => {
  it('are counted with a reason and an example', async () => {
    const report = await importFiles([
      tenure(2023, [
        ['10', '5', '75201'],
        ['11', '6', '75201'],
        ['12', '7', '1001'],
        ['13', '8', 'United States'],
        ['many', '8', '75202'],
      ]),
    ]);
    expect(report).toMatchObject({ rowsRead: 5, kept: 2 });
    expect(report.rejected.map(({ reason, count }) => [reason, count])).toEqual([
      ['duplicate ZIP code; the first row was kept', 1],
      ['the ZIP code doesn’t have five digits (was a leading zero lost?)', 1],
      ['the row isn’t about a ZIP code', 1],
    ]);
    expect(report.skipped).toEqual([
      {
        reason: 'a value isn’t a number',
        count: 1,
        examples: ['acs5_2023_B25003.json, row 6, B25003_001E: "many"'],
      },
    ]);
    expect(await readZip('75201')).toMatchObject({ householdsTotal: 10 });
    expect(await readZip('75202')).toMatchObject({
      householdsTotal: null,
      ownerOccupiedHouseholds: 8,
    });
  });

  it('don’t include kept rows with values that the table can’t contain', async () => {
    const report = await importFiles([
      medians(2021, [
        ['', '12.5', '-5', '99999999999', '75201'],
        ['', '100', '50000', '300000', '75202'],
      ]),
    ]);
    expect(report).toMatchObject({ kept: 2, rejected: [] });
    expect(report.skipped.map(({ reason, examples }) => [reason, examples[0]])).toEqual([
      ['an estimate isn’t a whole number', 'acs5_2021_medians.json, row 2, B01003_001E: "12.5"'],
      ['an estimate is negative', 'acs5_2021_medians.json, row 2, B19013_001E: "-5"'],
      [
        'an estimate is impossibly large',
        'acs5_2021_medians.json, row 2, B25077_001E: "99999999999"',
      ],
    ]);
    expect(await readZip('75201')).toMatchObject({
      populationTotal: null,
      medianHouseholdIncome: null,
      medianHomeValue: null,
    });
    expect(await readZip('75202')).toMatchObject({ medianHouseholdIncome: 50000 });
  });

  it('have a part that is larger than its total', async () => {
    await importFiles([tenure(2023, [['10', '15', '75201']])]);
    expect(await readZip('75201')).toMatchObject({ householdsTotal: 10, ownerOccupiedPct: null });
  });

  it('signals with unknown values are noted', async () => {
    const { notes } = await importFiles([tenure(2023, [['10', '5', '75201']])]);
    expect(notes).toContain('medianHomeValue: known for 0 of 1 ZIP codes');
  });
});

describe('an ACS file is refused', () => {
  const refuses = async (file: string, why: RegExp) => {
    await importFiles([tenure(2021, [['12039', '1201', '75201']])]);
    const failure: unknown = await importFiles([file]).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ImportError);
    expect((failure as Error).message).toMatch(why);
    expect(await readZip('75201')).toMatchObject({ householdsTotal: 12039 });
  };

  it('if it does not exist', () => refuses('/nowhere/acs5_2021_x.json', /no such file/));
  it('if it is incomplete', () =>
    refuses(writeFile('acs5_2021_x.json', '[["B19013_001E","zip'), /damaged or incomplete/));
  it('if it is an error page of the API', () =>
    refuses(writeFile('acs5_2021_x.json', '{"error":"no"}'), /Census API’s format/));
  it('if it has only other columns, listing them', () =>
    refuses(
      writeFile('acs5_2021_x.json', [
        ['B08301_001E', GEO],
        ['1', '75201'],
      ]),
      /none of the required ACS tables \(B01003.*It has: B08301_001E/,
    ));
  it('if it has no ZIP code column, naming the expected ones', () =>
    refuses(
      writeFile('acs5_2021_x.json', [
        ['B19013_001E', 'county'],
        ['1', '75201'],
      ]),
      /no ZIP code column. Expected "zip code tabulation area" or GEO_ID/,
    ));
  it('if its vintage is unclear, asking for --year', () =>
    refuses(
      writeFile('income.json', [
        ['B19013_001E', GEO],
        ['1', '75201'],
      ]),
      /--year/,
    ));
  it('if it is empty', () => refuses(writeFile('acs5_2021_x.csv', ''), /is empty/));
  it('if a quotation mark is never closed', () =>
    refuses(
      writeFile('acs5_2021_x.csv', 'GEO_ID,B19013_001E\n"860Z200US75201,5\n'),
      /can’t be read: a quotation mark near line 2 is never closed or in the wrong place/,
    ));
  it('if a row has more columns than the header', () =>
    refuses(
      writeFile('acs5_2021_x.csv', 'GEO_ID,B19013_001E\n860Z200US75201,5\n860Z200US75202,5,6\n'),
      /a row near line 3 has more or fewer columns than the header/,
    ));
  it('if its columns are separated by semicolons', () =>
    refuses(
      writeFile('acs5_2021_x.csv', 'GEO_ID;B19013_001E\n860Z200US75201;12,5\n'),
      /separates its columns by semicolons. They must be separated by commas or \|/,
    ));
  it('if it is a folder', () => refuses(testFolder(), /is a folder/));
  it('if it is an archive, saying which file to extract', () =>
    refuses(writeFile('acs5_2021_x.csv', 'PK\u0003\u0004\u0000'), /is a ZIP archive.*-Data\.csv/));
  it('if it is a web page', () =>
    refuses(writeFile('acs5_2021_x.csv', '<!DOCTYPE html><html>'), /is a web page/));
});
