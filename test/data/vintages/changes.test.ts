import { beforeEach, describe, expect, it } from 'vitest';
import { importAcs, type AcsOptions } from '../../../src/data/ingest/acs.ts';
import { silent } from '../../../src/data/ingest/progress.ts';
import { importRelations } from '../../../src/data/ingest/vintages/relations.ts';
import { censusChanges } from '../../../src/data/vintages/changes.ts';
import { findComparison } from '../../../src/data/vintages/comparison.ts';
import { announceCensusChanges } from '../../../src/territories/brands/census/announce.ts';
import { createBrand } from '../../../src/territories/brands/brands.ts';
import { newSignedInOwner } from '../../people/account/organizations.ts';
import { testDatabase } from '../../support/database.ts';
import { storeZips } from '../../territories/brands/holding.ts';
import { writeFile } from '../ingest/files.ts';

const { db } = await testDatabase('empty');

const importFiles = (files: string[], options: Partial<AcsOptions> = {}) =>
  importAcs(db, files, { progress: silent, ...options });

const GEO = 'zip code tabulation area';
const households = (year: number, rows: [households: number, margin: number, zip: string][]) =>
  writeFile(`acs5_${year}_B25003.json`, [
    ['B25003_001E', 'B25003_001M', 'B25003_002E', 'B25003_002M', GEO],
    ...rows.map(([count, margin, zip]) => [count, margin, count / 2, margin, zip].map(String)),
  ]);
const population = (year: number) =>
  writeFile(`acs5_${year}_B01003.json`, [
    ['B01003_001E', 'B01003_001M', GEO],
    ['2000', '80', '75201'],
  ]);

beforeEach(async () => {
  await db.query('truncate zip_demographics, census_vintages, zcta_relations cascade');
  await db.query('delete from datasets');
});

describe('changes of ZIP codes together', () => {
  it('have the margin of the whole if they hold both parts of a divided area', async () => {
    await importFiles([
      households(2023, [
        [545, 20, '75201'],
        [545, 20, '75270'],
      ]),
    ]);
    await importFiles([households(2018, [[1_000, 100, '75201']])], { keepCurrent: true });
    const relations = writeFile(
      'tab20_zcta510_zcta520_natl.txt',
      [
        'GEOID_ZCTA5_10|AREALAND_ZCTA5_10|GEOID_ZCTA5_20|AREALAND_ZCTA5_20|AREALAND_PART',
        '75201|1000|75201|500|500',
        '75201|1000|75270|500|500',
      ].join('\n'),
    );
    await importRelations(db, relations, { progress: silent });
    const { total } = await censusChanges(db, ['75201', '75270'], { figures: ['householdsTotal'] });
    expect(total[0]).toMatchObject({ from: 1_000, to: 1_090, isClear: false });
    // Not 8.2, as if the two halves of one estimate were independent
    expect(total[0]!.margin).toBeCloseTo(Math.hypot(10 * 1.09, Math.hypot(2, 2)), 6);
  });

  it('are refused if the current figures were stored without margins, saying which to import', async () => {
    await importFiles([households(2023, [[1_200, 90, '75201']])]);
    await db.query('delete from census_vintages'); // as after an update from an earlier version
    await importFiles([households(2018, [[1_000, 80, '75201']])], { keepCurrent: true });
    await expect(findComparison(db)).rejects.toThrow(
      'The current figures of 2019-2023 are stored without their margins of error',
    );
  });

  it('start at the period with the most figures, and people are told once', async () => {
    const { tenant } = await newSignedInOwner(db);
    await storeZips(tenant, await createBrand(tenant, { name: 'Star' }), ['75201']);
    await importFiles([households(2010, [[1_000, 80, '75201']]), population(2010)]);
    await importFiles([households(2015, [[1_300, 90, '75201']])]);
    expect(await announceCensusChanges(db)).toBe(1);
    // Another table, of a later period
    await importFiles([population(2016)]);
    expect(await announceCensusChanges(db)).toBe(0);
    // The same file again, after events of long ago were removed
    await db.query("update census_vintages set imported_at = imported_at - interval '90 days'");
    await db.query('delete from events');
    await importFiles([households(2015, [[1_300, 90, '75201']])]);
    expect(await announceCensusChanges(db)).toBe(0);
    await importFiles([population(2011)], { keepCurrent: true });
    const { since, choices } = await findComparison(db);
    expect({ since, choices }).toEqual({ since: 2010, choices: [2011, 2010] });
  });
});
