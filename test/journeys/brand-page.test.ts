/** Removing ZIP codes on a brand's pages with the keyboard, and undoing it. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tenantOf, type TenantDatabase } from '../../src/people/account/tenant.ts';
import { createBrand, type Brand } from '../../src/territories/brands/brands.ts';
import { heldZipStatuses } from '../../src/territories/brands/brand-zips.ts';
import { seriousFaults } from '../support/accessibility.ts';
import { browsing, type Profile } from '../support/browser.ts';
import { testDatabase } from '../support/database.ts';
import { hasChromium } from '../support/maplibre.ts';
import { PASSWORD } from '../support/visitor.ts';
import { hold } from '../territories/brands/holding.ts';
import { DALLAS } from '../territories/brands/organization.ts';

const { db, env } = await testDatabase('sample');
const site = browsing(env);

const EMAIL = 'pat.brand@example.com';
const AT = '/account/brands/bright-roofs-north';

describe.skipIf(!hasChromium)('a person with a brand', () => {
  let profile: Profile;
  let page: Page;
  let tenant: TenantDatabase;
  let brand: Brand;
  beforeAll(async () => {
    profile = await site.profile({ deviceScaleFactor: 1 });
    page = profile.page;
    await page.goto(`${site.url}/signup`);
    await page.getByLabel('Organization').fill('Bright Roofs');
    await page.getByLabel('Your name').fill('Pat Miller');
    await page.getByLabel('Email address').fill(EMAIL);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Start trial' }).click();
    const [row] = await db.query<{ id: string }>(
      `select organization_id as id from memberships join people on people.id = person_id
       where email = $1`,
      [EMAIL],
    );
    tenant = tenantOf(db, row!.id);
    brand = await createBrand(tenant, { name: 'Bright Roofs North' });
    await hold(tenant, brand, DALLAS);
  });
  afterAll(() => profile.context.close());

  const statuses = () => heldZipStatuses(tenant, brand);

  it('removes and undoes with the keyboard only', async () => {
    const storageState = await profile.context.storageState();
    const { page, context, complaints } = await site.profile({ storageState });
    await page.goto(`${site.url}${AT}?status=live`);
    const [first, second] = [...(await statuses()).keys()];
    await tabTo(page, `Select ${first}`);
    await page.keyboard.press('Space');
    await tabTo(page, `Select ${second}`);
    await page.keyboard.press('Space');
    await tabTo(page, 'Remove selected…');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/remove');
    await tabTo(page, 'Remove 2 ZIP codes');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.toast');
    expect((await statuses()).has(first!)).toBe(false);
    await tabTo(page, 'Undo');
    await page.keyboard.press('Enter');
    await page.getByText(`2 ZIP codes restored: ${first}, ${second}.`).waitFor();
    expect((await statuses()).has(second!)).toBe(true);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('fits and passes axe on every page, wide or narrow, light or dark', async () => {
    const { context, complaints } = profile;
    const storageState = await context.storageState();
    for (const { width, colorScheme } of [
      { width: 375, colorScheme: 'dark' as const },
      { width: 1440, colorScheme: 'light' as const },
    ]) {
      const viewport = { width, height: 800 };
      const other = await site.profile({ viewport, colorScheme, storageState });
      for (const path of ['/account/brands', AT, `${AT}/remove?status=live`, `${AT}/history`]) {
        await other.page.goto(site.url + path);
        const shown = await other.page.evaluate('document.documentElement.scrollWidth');
        expect([path, width, shown]).toEqual([path, width, width]);
        expect([path, await seriousFaults(other.page)]).toEqual([path, []]);
      }
      expect(other.complaints).toEqual([]);
      await other.context.close();
    }
    expect(complaints).toEqual([]);
  });
});

/** Presses Tab until the element with this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 150; presses++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate<string>(
      `(document.activeElement.closest('label') ?? document.activeElement).innerText ?? ''`,
    );
    if (focused.replaceAll(/\s+/g, ' ').trim().startsWith(name)) return;
  }
  throw new Error(`The Tab key doesn’t reach “${name}”`);
}
