/** Sharing, targeting, and importing in Chromium. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { addMember } from '../../../src/people/account/members.ts';
import { startSession } from '../../../src/people/account/sessions.ts';
import { createBrand } from '../../../src/territories/brands/brands.ts';
import { heldZipStatuses } from '../../../src/territories/brands/brand-zips.ts';
import { readProfile } from '../../../src/territories/brands/targeting/profile.ts';
import { newOrganization } from '../../people/account/organizations.ts';
import { expectFit } from '../../support/accessibility.ts';
import { browsing } from '../../support/browser.ts';
import { testDatabase } from '../../support/database.ts';
import { hasChromium } from '../../support/maplibre.ts';

const { db, env } = await testDatabase('sample');
const { organization, tenant } = await newOrganization(db);
const brand = await createBrand(tenant, { name: 'Lone Star Roofing' });
await tenant.query(
  `insert into brand_zips (organization_id, brand_id, zip, state)
   select $1, $2, zip, 'live' from zips where county_fips = '48113' and zip::int % 2 = 0`,
  [brand.id],
);
const { id } = await addMember(tenant, { email: 'pat@example.com', name: 'Pat', role: 'owner' });
const place = { userAgent: '', client: '' };
const secret = await startSession(db, id, place, { organizationId: organization.id });

const site = browsing(env);

async function openSignedIn() {
  const profile = await site.profile();
  await profile.context.addCookies([{ name: 'session', value: secret, url: site.url }]);
  return profile;
}

it.skipIf(!hasChromium)(
  'shares a map, which a visitor opens until the link is revoked',
  async () => {
    const { page, complaints } = await openSignedIn();
    await page.goto(`${site.url}/account/shares`);
    await page.getByRole('textbox', { name: 'Title' }).fill('Where we roof');
    await page.getByLabel('Hide the brand’s name and mine').check();
    await expectFit(page);
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByRole('status').filter({ hasText: 'Share link created.' }).waitFor();
    await expectFit(page);
    const pictureWidth = () => page.evaluate("document.querySelector('.map img').naturalWidth");
    await expect.poll(pictureWidth).toBe(600);
    const link = await page.getByLabel('Link', { exact: true }).inputValue();
    const { pathname } = new URL(link);
    expect(pathname).toMatch(/^\/s\/[0-9a-z]{10}$/);
    await page.getByRole('button', { name: 'Copy Link' }).click();
    await page.getByText('Copied.').or(page.getByText('Selected.')).waitFor();

    const guest = await site.profile();
    expect((await guest.page.goto(site.url + pathname))!.status()).toBe(200);
    await guest.page.getByRole('heading', { name: 'Where we roof' }).waitFor();
    expect(await guest.page.locator('body').innerText()).not.toContain('Lone Star');

    await page.getByText('Revoke this link…').click();
    await page.getByRole('button', { name: 'Revoke link' }).click();
    await page.getByText('Share link revoked.').waitFor();
    expect((await guest.page.reload())!.status()).toBe(404);
    await page.getByRole('link', { name: 'All share links' }).click();
    await page.getByText('No active links.').waitFor();
    await page.getByRole('link', { name: 'Revoked' }).click();
    await page.getByRole('link', { name: 'Where we roof' }).waitFor();
    expect(complaints).toEqual([]);
  },
);

it.skipIf(!hasChromium)(
  'previews weights while they change, saves them, and resets them',
  async () => {
    const { page, complaints } = await openSignedIn();
    await page.goto(`${site.url}/account/targeting/roofing`);
    const first = page.locator('tbody th').first();
    const before = await first.innerText();
    await page.getByLabel('Area', { exact: true }).selectOption('Dallas, TX');
    await page
      .getByText('of 270 ZIP codes')
      .or(page.getByText(/Top 15 of \d{3} ZIP codes/))
      .first()
      .waitFor();

    const slider = page.getByLabel('Owner households, as a slider');
    await slider.focus();
    for (let n = 0; n < 60; n++) await page.keyboard.press('ArrowLeft');
    expect(await page.getByLabel('Owner households', { exact: true }).inputValue()).toBe('-30');
    await page
      .getByRole('status')
      .filter({ hasText: /Top ZIP codes: \d{5}, \d{5}, \d{5}\./ })
      .waitFor();
    expect(await first.innerText()).not.toBe(before);
    // While a preview loads, the last one is dimmed.
    await page.locator('[data-table]:not([aria-busy]) .moved.rise').first().waitFor();
    await expectFit(page);
    expect((await readProfile(tenant, 'roofing')).own).toBe(false);

    await page.getByRole('button', { name: 'Save weights' }).click();
    await page.getByText('Weights saved.').waitFor();
    expect((await readProfile(tenant, 'roofing')).weights.ownerOccupiedHouseholds).toBeLessThan(0);
    await page.getByText('Reset to the public weights…').click();
    await page.getByRole('button', { name: 'Reset weights' }).click();
    await page.getByText('Weights reset.').waitFor();
    expect(complaints).toEqual([]);
  },
);

it.skipIf(!hasChromium)(
  'exports a territory and imports a list after showing a report',
  async () => {
    const { page, complaints } = await openSignedIn();
    await page.goto(`${site.url}/account/brands/${brand.slug}/transfer`);
    await expectFit(page);
    const files = new Map<string, string>();
    for (const [format, ending] of [
      ['Excel', 'xlsx'],
      ['CSV', 'csv'],
      ['GeoJSON', 'geojson'],
      ['Google Earth', 'kml'],
      ['Shapefile', 'zip'],
      ['Picture', 'png'],
    ]) {
      const download = page.waitForEvent('download');
      await page.getByRole('radio', { name: new RegExp(`^${format}`) }).check();
      await page.getByRole('button', { name: 'Download', exact: true }).click();
      const file = await download;
      expect(file.suggestedFilename()).toMatch(new RegExp(`^lone-star-roofing-.*\\.${ending}$`));
      files.set(ending!, await file.path());
    }

    for (const ending of ['xlsx', 'kml', 'zip']) {
      await page
        .getByLabel('File', { exact: true })
        .setInputFiles({
          name: `territory.${ending}`,
          mimeType: 'application/octet-stream',
          buffer: readFileSync(files.get(ending)!),
        });
      await page.getByRole('button', { name: 'Check' }).click();
      await page.getByRole('heading', { name: 'Import report' }).waitFor();
      await expectFit(page);
      await page.getByText('Nothing to send: Lone Star Roofing already holds').waitFor();
      await page.getByRole('link', { name: 'Check another file' }).click();
    }

    const large = Buffer.alloc(10.5 * 1024 * 1024, '75201\n');
    await page
      .getByLabel('File', { exact: true })
      .setInputFiles({ name: 'all.csv', mimeType: 'text/csv', buffer: large });
    await page.getByText('all.csv is 10.5 MB; the limit is 10 MB').waitFor();
    const list = 'zip,city\n76102,Fort Worth\n2134,Boston\n75221,PO box\nnope,x\n';
    await page
      .getByLabel('File', { exact: true })
      .setInputFiles({ name: 'few.csv', mimeType: 'text/csv', buffer: Buffer.from(list) });
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByRole('heading', { name: 'Import report' }).waitFor();
    await expectFit(page);
    const rows = await page.locator('tbody tr').allInnerTexts();
    expect(rows.map((row) => row.split(/\s*\t\s*/).slice(0, 4))).toEqual([
      ['5', 'nope', '–', 'Not understood'],
      ['4', '75221', '75221', 'Can’t be added'],
      ['3', '2134', '02134', 'Guessed'],
    ]);
    const report = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download full report' }).click();
    expect((await report).suggestedFilename()).toBe('lone-star-roofing-import-report.csv');
    await page.getByLabel('Include 1 guessed ZIP code').check();
    await page.getByLabel('Note').fill('From the CRM');
    await page.getByRole('button', { name: 'Send to review' }).click();
    await page.getByText('Sent to review. The ZIP codes are pending').waitFor();
    const held = await heldZipStatuses(tenant, brand);
    expect([held.get('76102'), held.get('02134'), held.has('75221')]).toEqual([
      'pending',
      'pending',
      false,
    ]);
    for (const path of ['plan', 'signed-urls', `brands/${brand.slug}/look`]) {
      await page.goto(`${site.url}/account/${path}`);
      await expectFit(page);
    }
    expect(complaints).toEqual([]);
  },
);
