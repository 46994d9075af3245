import { beforeEach, describe, expect, it } from 'vitest';
import { ImportError } from '../../../src/errors.ts';
import { importAcs, type AcsOptions } from '../../../src/data/ingest/acs.ts';
import { readDemographics } from '../../../src/data/ingest/demographics-store.ts';
import { silent } from '../../../src/data/ingest/progress.ts';
import { listVintages, readVintage } from '../../../src/data/ingest/vintages/store.ts';
import { testDatabase } from '../../support/database.ts';
import { writeFile } from './files.ts';

const { db } = await testDatabase('empty');

const importFiles = (files: string[], options: Partial<AcsOptions> = {}) =>
  importAcs(db, files, { progress: silent, ...options });

const GEO = 'zip code tabulation area';
const tenure = (year: number, rows: unknown[][]) =>
  writeFile(`acs5_${year}_B25003.json`, [
    ['B25003_001E', 'B25003_001M', 'B25003_002E', 'B25003_002M', GEO],
    ...rows,
  ]);
const income = (year: number, rows: unknown[][]) =>
  writeFile(`acs5_${year}_B19013.json`, [['B19013_001E', 'B19013_001M', GEO], ...rows]);

const linesOf = async (year: number, zip: string) => (await readVintage(db, year, [zip]))[0]?.lines;

beforeEach(async () => {
  await db.query('truncate zip_demographics, census_vintages cascade');
  await db.query('delete from datasets');
});

describe('vintages side by side', () => {
  it('are kept when a newer one becomes current', async () => {
    await importFiles([tenure(2018, [['1000', '80', '600', '60', '75201']])]);
    const report = await importFiles([tenure(2023, [['1200', '90', '640', '70', '75201']])]);
    expect(await listVintages(db)).toEqual([
      { year: 2018, synthetic: false, tables: ['B25003'] },
      { year: 2023, synthetic: false, tables: ['B25003'] },
    ]);
    expect(await linesOf(2018, '75201')).toMatchObject({
      households: { value: 1000, margin: 80 },
      owners: { value: 600, margin: 60 },
      population: { value: null, margin: null },
    });
    expect((await readDemographics(db))[0]).toMatchObject({ householdsTotal: 1200 });
    expect(report.notes).toContain('These periods can be compared: 2014-2018 and 2019-2023.');
  });

  it('can be imported beside the current one, which stays as it is', async () => {
    await importFiles([tenure(2023, [['1200', '90', '640', '70', '75201']])]);
    const before = await readDemographics(db);
    const report = await importFiles([tenure(2021, [['1100', '90', '640', '70', '75201']])], {
      keepCurrent: true,
    });
    expect(await readDemographics(db)).toEqual(before);
    expect(await linesOf(2021, '75201')).toMatchObject({ households: { value: 1100, margin: 90 } });
    expect(report).toMatchObject({ vintage: 'ACS 5-Year 2017-2021', kept: 1 });
    expect(report.notes).toContain(
      'These periods overlap, so they aren’t compared: 2017-2021 and 2019-2023 (both have 2019, 2020, and 2021).',
    );
  });

  it('stay beside the current one if they are earlier, also without --keep-current', async () => {
    await importFiles([tenure(2023, [['1200', '90', '640', '70', '75201']])]);
    const earlier = tenure(2018, [['1000', '80', '600', '60', '75201']]);
    const report = await importFiles([earlier, income(2018, [['52000', '4000', '75201']])]);
    // No later figures have the table.
    expect((await readDemographics(db))[0]).toMatchObject({
      householdsTotal: 1200,
      medianHouseholdIncome: 52000,
      tableYears: { B25003: 2023, B19013: 2018 },
    });
    expect(report.notes).toContainEqual(
      expect.stringContaining('B25003 of 2014-2018: the current figures are later and stay.'),
    );
    expect(await listVintages(db)).toMatchObject([{ year: 2018 }, { year: 2023 }]);
    await importFiles([earlier], { replace: true });
    expect((await readDemographics(db))[0]).toMatchObject({ householdsTotal: 1000 });
  });

  it('gain tables that are imported later, and replace those that are imported again', async () => {
    await importFiles([
      tenure(2018, [
        ['1000', '80', '600', '60', '75201'],
        ['500', '40', '300', '30', '75202'],
      ]),
    ]);
    await importFiles([income(2018, [['52000', '4000', '75201']])]);
    await importFiles([tenure(2018, [['1010', '80', '600', '60', '75201']])]);
    expect(await listVintages(db)).toMatchObject([{ tables: ['B19013', 'B25003'] }]);
    expect(await linesOf(2018, '75201')).toMatchObject({
      households: { value: 1010 },
      medianIncome: { value: 52000, margin: 4000 },
    });
    expect(await linesOf(2018, '75202')).toMatchObject({ households: { value: 500 } });
  });

  it('tell controlled, missing, and coded estimates apart', async () => {
    const report = await importFiles([
      tenure(2018, [
        ['1000', '-555555555', '600', '-222222222', '75201'],
        ['1000', '80', '-666666666', '-222222222', '75202'],
      ]),
      income(2018, [['250001', '-333333333', '75201']]),
    ]);
    expect(await linesOf(2018, '75201')).toMatchObject({
      households: { value: 1000, margin: 0 },
      owners: { value: 600, margin: null },
      medianIncome: { value: null, margin: null },
    });
    expect(await linesOf(2018, '75202')).toMatchObject({ owners: { value: null, margin: null } });
    expect(report.notes).toContainEqual(
      expect.stringContaining(
        '2014-2018: 1 of 2 ZIP codes have estimates without a margin of error.',
      ),
    );
  });

  it('add the margins of the decades that one line or two lines of B25034 count', async () => {
    const lines = Array.from({ length: 11 }, (_, i) => [
      `B25034_${String(i + 1).padStart(3, '0')}E`,
      `B25034_${String(i + 1).padStart(3, '0')}M`,
    ]).flat();
    const file = writeFile('acs5_2018_B25034.json', [
      [...lines, GEO],
      [
        '100',
        '9',
        '3',
        '3',
        '4',
        '4',
        ...Array.from({ length: 14 }, () => '5'),
        '53',
        '8',
        '75201',
      ],
    ]);
    await importFiles([file]);
    const read = await linesOf(2018, '75201');
    expect(read).toMatchObject({
      homesBuilt: { value: 100, margin: 9 },
      // "2014 or later" and "2010 to 2013"
      built8: { value: 7, margin: 5 },
      built9: { value: 0, margin: 0 },
      built0: { value: 53, margin: 8 },
    });
  });

  it('need current figures that are real', async () => {
    const file = tenure(2018, [['1000', '80', '600', '60', '75201']]);
    await expect(importFiles([file], { keepCurrent: true })).rejects.toThrow(
      new ImportError(
        'There are no current figures. Import the current vintage first, without --keep-current.',
      ),
    );
    await expect(importFiles([file], { keepCurrent: true, replace: true })).rejects.toThrow(
      /Choose one of them/,
    );
    expect(await listVintages(db)).toEqual([]);
  });

  it('change nothing in a dry run', async () => {
    await importFiles([tenure(2023, [['1200', '90', '640', '70', '75201']])]);
    await importFiles([tenure(2018, [['1000', '80', '600', '60', '75201']])], {
      keepCurrent: true,
      dryRun: true,
    });
    await importFiles([tenure(2018, [['1000', '80', '600', '60', '75201']])], { dryRun: true });
    expect(await listVintages(db)).toMatchObject([{ year: 2023 }]);
  });
});
