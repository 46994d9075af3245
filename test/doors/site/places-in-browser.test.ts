/** Places in Chromium: a click on the map adds one, and a messy file is previewed and imported. */
import { expect, it } from 'vitest';
import { createBrand } from '../../../src/territories/brands/brands.ts';
import { listPlaces } from '../../../src/territories/places/places.ts';
import { newSignedInOwner } from '../../people/account/organizations.ts';
import { expectFit } from '../../support/accessibility.ts';
import { browsing } from '../../support/browser.ts';
import { testDatabase } from '../../support/database.ts';
import { hasChromium } from '../../support/maplibre.ts';

const { db, env } = await testDatabase('sample');
const site = browsing(env);

const FILE = [
  'Our locations;;;;',
  'Name;Type;Brand;Zip;Phone',
  'Uptown;Shop;North;75204;(214) 555-0100',
  'Depot;warehouse;;75207;call us',
  'Mystery;shack;;75201;',
  'Rapid;;;75203;',
].join('\n');

it.skipIf(!hasChromium)(
  'a click on the map sets the coordinates of a new place, which appears on the map',
  async () => {
    const { session, tenant } = await newSignedInOwner(db);
    const { page, complaints } = await site.profile({ session });
    await page.goto(`${site.url}/account/places`);
    await page.locator('.places-map[data-shown=map]').waitFor();
    await page.locator('.places-map canvas').click({ position: { x: 400, y: 200 } });
    await page.getByLabel('Longitude').and(page.locator(':not([value=""])')).waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Field office');
    await page.getByLabel('Kind', { exact: true }).first().selectOption('office');
    await page.getByRole('button', { name: 'Add place' }).click();
    await page.getByText('Place added.').waitFor();
    await page.locator('.places-map[data-shown=map]').waitFor();
    await expectFit(page);
    const [place] = await listPlaces(tenant);
    expect(place).toMatchObject({ name: 'Field office', locatedBy: 'coordinates' });
    await page.getByRole('link', { name: 'Field office' }).click();
    await page.locator('.places-map[data-shown=map]').waitFor();
    await expectFit(page);
    await page.getByText('Delete this place…').click();
    await page.getByRole('button', { name: 'Delete place' }).click();
    await page.getByText('Place deleted.').waitFor();
    expect(await listPlaces(tenant)).toEqual([]);
    expect(complaints).toEqual([]);
  },
);

it.skipIf(!hasChromium)('a messy file is previewed, and then imported', async () => {
  const { session, tenant } = await newSignedInOwner(db);
  await createBrand(tenant, { name: 'North' });
  const { page, complaints } = await site.profile({ session });
  await page.goto(`${site.url}/account/places`);
  const upload = { name: 'Locations.csv', mimeType: '', buffer: Buffer.from(FILE) };
  await page.getByLabel('File', { exact: true }).setInputFiles(upload);
  await page.getByRole('button', { name: 'Add 2 places' }).waitFor();
  await page.getByText('"shack" is not a kind of place').waitFor();
  await page.getByText('"call us" is not a phone number').waitFor();
  expect(await listPlaces(tenant)).toEqual([]);
  await page.getByLabel('Kind of rows that don’t name one').selectOption('competitor');
  await page.getByRole('button', { name: 'Add 3 places' }).waitFor();
  await expectFit(page);
  await page.getByRole('button', { name: 'Add 3 places' }).click();
  await page.getByText('Places imported.').waitFor();
  const places = await listPlaces(tenant);
  expect(places.map(({ name, kind, brand }) => [name, kind, brand?.name])).toEqual([
    ['Depot', 'depot', undefined],
    ['Rapid', 'competitor', undefined],
    ['Uptown', 'store', 'North'],
  ]);
  expect(complaints).toEqual([]);
});
