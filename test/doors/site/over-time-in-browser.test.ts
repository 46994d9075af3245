/** Territories over time, in Chromium: the comparison of two days, a brand's page of a day, and the slider on the map. */
import { expect, it } from 'vitest';
import { changeSubscription } from '../../../src/people/account/subscription.ts';
import { createBrand } from '../../../src/territories/brands/brands.ts';
import { newSignedInOwner } from '../../people/account/organizations.ts';
import { expectFit } from '../../support/accessibility.ts';
import { browsing } from '../../support/browser.ts';
import { testDatabase } from '../../support/database.ts';
import { hasChromium } from '../../support/maplibre.ts';
import { foundedAt, giveUpAt, takeAt } from '../../territories/record/past.ts';

const { db, env } = await testDatabase('sample');
const site = browsing(env);

/** Few ZIP codes: a small map costs less. */
const zips = await db.query<{ zip: string }>(
  `select zip from zips where state = 'RI' and bbox is not null order by zip limit 5`,
);
const [A, B, C, D, E] = zips.map(({ zip }) => zip) as [string, string, string, string, string];

async function setting() {
  const { session, tenant } = await newSignedInOwner(db);
  await changeSubscription(tenant, { status: 'active' });
  await foundedAt(db, tenant, '2025-01-02T17:00:00Z');
  const north = await createBrand(tenant, { name: 'North' });
  const south = await createBrand(tenant, { name: 'South' });
  await takeAt(tenant, '2025-02-10T15:00:00Z', north, [A, B, C, D]);
  await giveUpAt(tenant, '2025-06-30T15:00:00Z', north, [B, C]);
  await takeAt(tenant, '2025-06-30T15:00:00Z', south, [B]);
  await takeAt(tenant, '2025-10-01T15:00:00Z', south, [E]);
  return { session };
}

it.skipIf(!hasChromium)('two days are compared, and a brand shows an earlier one', async () => {
  const { session } = await setting();
  const { page, complaints } = await site.profile({ session });
  await page.goto(`${site.url}/account/over-time?from=2025-03-31&to=2025-12-31`);
  const table = page.getByRole('table').first();
  expect(await table.locator('tbody tr').allInnerTexts()).toEqual([
    expect.stringMatching(new RegExp(`^${B}.*Moved\\s+North\\s+South`, 's')),
    expect.stringMatching(new RegExp(`^${C}.*Given up\\s+North`, 's')),
    expect.stringMatching(new RegExp(`^${E}.*Taken\\s+–\\s+South`, 's')),
  ]);
  const picture = page.getByRole('img', { name: /3 ZIP codes that changed after March 31, 2025/ });
  await expect
    .poll(() => picture.evaluate((img) => (img as { naturalWidth?: number }).naturalWidth ?? 0))
    .toBeGreaterThan(300);
  await expectFit(page);
  await page.getByRole('textbox', { name: 'ZIP code' }).fill(B);
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  const held = page.locator('section[aria-labelledby=held] tbody tr');
  await expect
    .poll(() => held.allInnerTexts())
    .toEqual([
      expect.stringMatching(/^South.*Rita.*Now/s),
      expect.stringMatching(/^North.*Rita.*Agent/s),
    ]);
  await page.getByRole('link', { name: 'June 30, 2025' }).click();
  await page.getByText('Nothing changed').waitFor({ state: 'hidden' });
  await page.goto(`${site.url}/account/over-time?from=2024-03-31`);
  await page.getByText('The record of your territories begins on January 2, 2025.').waitFor();

  await page.goto(`${site.url}/account/brands/north`);
  await page.getByLabel('Territory at the end of').fill('2025-03-31');
  await page.getByRole('button', { name: 'Show', exact: true }).first().click();
  await page.getByText('As of March 31, 2025.').waitFor();
  await expect.poll(() => page.locator('.zip-table tbody tr').count()).toBe(4);
  expect(await page.getByRole('button', { name: 'Remove selected…' }).count()).toBe(0);
  const exports = page.getByRole('link', { name: 'Export', exact: true });
  expect(await exports.getAttribute('href')).toContain('asOf=2025-03-31#export');
  await expectFit(page);
  await page.getByRole('link', { name: 'Show today' }).click();
  await expect.poll(() => page.locator('.zip-table tbody tr').count()).toBe(2);
  expect(complaints.filter((one) => !one.includes('400'))).toEqual([]);
});

it.skipIf(!hasChromium)('a brand’s page has the terms of its ZIP codes', async () => {
  const { session } = await setting();
  const { page, complaints } = await site.profile({ session });
  await page.goto(`${site.url}/account/brands/north/terms`);
  await page.getByText('No ZIP code of North has terms.').waitFor();
  await page.getByLabel('Kind of grant').selectOption('exclusive');
  await page.getByLabel('Last day').fill('2099-03-31');
  await page.getByLabel('The holding ends').check();
  await page.getByRole('button', { name: 'Set terms' }).click();
  await page.getByText('Terms set.').waitFor();
  const rows = page.locator('table tbody tr');
  await expect
    .poll(() => rows.allInnerTexts())
    .toEqual(
      [A, D].map((zip) =>
        expect.stringMatching(new RegExp(`^${zip}\\s+Exclusive\\s+March 31, 2099\\s+It ends, in`)),
      ),
    );
  await expectFit(page);
  await page.getByLabel('ZIP codes', { exact: true }).fill(B);
  await page.getByRole('button', { name: 'Set terms' }).click();
  await page.getByText(`North doesn’t hold ${B} live`).waitFor();
  await page.goto(`${site.url}/account/brands/north/transfer?asOf=2025-03-31`);
  await page.getByText('North holds 4 live').waitFor();
  await expectFit(page);
  expect(complaints.filter((one) => !one.includes('409'))).toEqual([]);
});

it.skipIf(!hasChromium)(
  'a slider shows earlier days on the map, and a ZIP code its holders',
  async () => {
    const { session } = await setting();
    const { page, complaints } = await site.profile({ session });
    await page.goto(`${site.url}/account/map?state=RI&zips=${B}`);
    const card = page.locator('#card');
    await card.getByText('Who held it, and when').click();
    await expect
      .poll(() => card.locator('.zip-history li').allInnerTexts())
      .toEqual([
        'South from Jun 30, 2025 by Rita',
        'North from Feb 10, 2025 by Rita, until Jun 30, 2025 by Agent',
      ]);

    await page.getByRole('button', { name: 'Earlier days' }).click();
    const slider = page.getByLabel('Days on which your territories changed');
    await slider.waitFor();
    await page.getByText('At its end, this map was as it is today.').waitFor();
    await slider.press('ArrowLeft');
    await page
      .getByText('At its end, 1 ZIP code of this map differed from today, and is marked.')
      .waitFor();
    await slider.press('ArrowLeft');
    await page.getByText('February 10, 2025').waitFor();
    await page.getByText('At its end, 3 ZIP codes of this map differed from today').waitFor();
    await expectFit(page);
    const compare = page.getByRole('link', { name: 'Compare with today' });
    expect(await compare.getAttribute('href')).toContain('/account/over-time?from=2025-02-10');
    await page.getByRole('button', { name: 'Back to today' }).click();
    await page.getByLabel('Color by').waitFor();
    expect(complaints).toEqual([]);
  },
);
