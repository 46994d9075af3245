import { expect, it } from 'vitest';
import { importAcs } from '../../../src/data/ingest/acs.ts';
import { importZcta } from '../../../src/data/ingest/zcta.ts';
import { silent } from '../../../src/data/ingest/progress.ts';
import { announceBoundaryChanges } from '../../../src/territories/brands/boundaries/announce.ts';
import { brandLossText, lossesOfBrand } from '../../../src/territories/brands/boundaries/losses.ts';
import { createBrand } from '../../../src/territories/brands/brands.ts';
import { collection, writeFile, zipFeature } from '../../data/ingest/files.ts';
import { newSignedInOwner } from '../../people/account/organizations.ts';
import { testDatabase } from '../../support/database.ts';
import { storeZips } from './holding.ts';

const { db } = await testDatabase('empty', { own: true });

/** Imports ZIP codes from a longitude to another, with the same land area. */
const importBoxes = (boxes: Record<string, [west: number, east: number]>) =>
  importZcta(
    db,
    [
      writeFile(
        'zcta.geojson',
        collection(
          Object.entries(boxes).map(([zip, [west, east]]) =>
            zipFeature(
              zip,
              [
                [west, 32.7],
                [west, 32.8],
                [east, 32.8],
                [east, 32.7],
                [west, 32.7],
              ],
              { ALAND20: 70_000_000 },
            ),
          ),
        ),
      ),
    ],
    { progress: silent, allowShrink: true },
  );

it('losses are of land, name what is left, and are told after a crash', async () => {
  const { tenant } = await newSignedInOwner(db);
  const brand = await createBrand(tenant, { name: 'Star' });
  await importBoxes({ 75201: [-97, -96.9], 75202: [-96.9, -96.8] });
  await storeZips(tenant, brand, ['75201', '75202']);
  await db.query("update holdings set held_from = held_from - interval '1 hour'");

  // The same areas without a lake, as in a cartographic file
  const withoutLake = await importBoxes({ 75201: [-96.98, -96.9], 75202: [-96.9, -96.8] });
  expect(withoutLake.notes).toContain('No ZIP code lost area, compared with Census 2020 ZCTAs.');
  expect(await lossesOfBrand(tenant, brand)).toBeNull();

  // Almost all is elsewhere, but the ZIP code still exists.
  const boxes: Parameters<typeof importBoxes>[0] = {
    75201: [-96.9005, -96.9],
    75202: [-96.9, -96.8],
    75203: [-96.98, -96.9005],
  };
  await importBoxes(boxes);
  const losses = (await lossesOfBrand(tenant, brand))!.losses;
  expect(losses).toMatchObject([{ zip: '75201', ended: false }]);
  expect(brandLossText(losses[0]!)).toBe('75201 lost 99% of its area to 75203, which nobody holds');

  // The process was killed before it told people, and the operator imports again.
  await importBoxes(boxes);
  expect(await announceBoundaryChanges(db)).toBe(1);
  expect(await announceBoundaryChanges(db)).toBe(0);

  // What a later import moves within the brand doesn't hide what is still missing.
  await importBoxes({ ...boxes, 75201: [-96.9005, -96.897], 75202: [-96.897, -96.8] });
  expect((await lossesOfBrand(tenant, brand))!.losses).toMatchObject([{ zip: '75201' }]);

  // The operator had imported the wrong file.
  await importBoxes({ 75201: [-96.98, -96.9], 75202: [-96.9, -96.8] });
  expect(await lossesOfBrand(tenant, brand)).toBeNull();
});

it('households of lost land are those of figures for the same boundaries', async () => {
  const { tenant } = await newSignedInOwner(db);
  const brand = await createBrand(tenant, { name: 'Star' });
  await importBoxes({ 75301: [-97, -96.9], 75302: [-96.9, -96.8] });
  await storeZips(tenant, brand, ['75301']);
  await db.query("update holdings set held_from = held_from - interval '1 hour'");
  const importHouseholds = (year: number, count: string, keepCurrent: boolean) => {
    const rows = [
      ['B25003_001E', 'B25003_001M', 'B25003_002E', 'B25003_002M', 'zip code tabulation area'],
      [count, '10', count, '10', '75301'],
    ];
    return importAcs(db, [writeFile(`acs5_${year}_B25003.json`, rows)], {
      progress: silent,
      keepCurrent,
    });
  };
  const lostText = async () => {
    await importBoxes({ 75301: [-97, -96.925], 75302: [-96.925, -96.8] });
    const text = brandLossText((await lossesOfBrand(tenant, brand))!.losses[0]!);
    await importBoxes({ 75301: [-97, -96.9], 75302: [-96.9, -96.8] });
    return text;
  };
  // The boundaries are those of 2020, and these figures count other areas.
  await importHouseholds(2018, '900', false);
  expect(await lostText()).toBe('75301 lost 25% of its area to 75302, which nobody holds');
  await importHouseholds(2023, '1000', true);
  expect(await lostText()).toBe(
    '75301 lost 25% of its area (about 250 households) to 75302, which nobody holds',
  );
});
