/** Changing a territory on the map and with the keyboard, and undoing it. */
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tenantOf, type TenantDatabase } from '../../src/account/tenant.ts';
import { statusLegend } from '../../src/cartography/legends.ts';
import { loadStyle } from '../../src/basemap/styles.ts';
import { findBrand, type Brand } from '../../src/territory/brands.ts';
import { heldZipStatuses } from '../../src/territory/brand-zips.ts';
import { listReviews } from '../../src/territory/review.ts';
import { seriousFaults } from '../support/accessibility.ts';
import { browsing, type Profile } from '../support/browser.ts';
import { testDatabase } from '../support/database.ts';
import { hasChromium } from '../support/maplibre.ts';
import { PASSWORD } from '../support/visitor.ts';

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
  });
  afterAll(() => profile.context.close());

  const statuses = () => heldZipStatuses(tenant, brand);
  const mapShown = () => page.waitForSelector('[data-shown="map"]');

  /** The share of the map’s pixels, 0 to 1, in the color of a status. */
  async function shareOfMap(status: 'live' | 'pending'): Promise<number> {
    const png = await page.locator('.territory-map').screenshot();
    const { data, info } = await sharp(png)
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const [shown] = statusLegend(loadStyle('light'), '', new Set([status]))!.classes;
    const color = shown!.color.match(/\d+/g)!.map(Number);
    let pixels = 0;
    for (let i = 0; i < data.length; i += 3) {
      if (color.every((value, at) => Math.abs(data[i + at]! - value) <= 2)) pixels++;
    }
    return pixels / (info.width * info.height);
  }

  /** Moves over the map until the card at the pointer has this line. @returns the ZIP code */
  async function pointAtZipWith(line: string): Promise<string> {
    const box = (await page.locator('.territory-map').boundingBox())!;
    for (let row = 2; row < 9; row++) {
      for (let column = 3; column < 9; column++) {
        await page.mouse.move(box.x + (box.width * column) / 10, box.y + (box.height * row) / 10);
        await page.waitForTimeout(40);
        const card = await page.locator('.maplibregl-popup .zip-card').allInnerTexts();
        if (card[0]?.split('\n').includes(line)) return card[0].slice(0, 5);
      }
    }
    throw new Error(`No ZIP code on the map has a card with “${line}”`);
  }

  it('creates it and sees the country', async () => {
    await page.getByRole('link', { name: 'Territories' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Bright Roofs North');
    await page.getByRole('button', { name: 'Create brand' }).click();
    expect(await page.locator('.notice').textContent()).toContain('Brand created.');
    await mapShown();
    brand = await findBrand(tenant, 'all', 'bright-roofs-north');
  });

  it('selects ZIP codes by radius and by clicks on the map', async () => {
    await page.getByText('Select by radius').click();
    await page.getByLabel('Within', { exact: true }).fill('3');
    await page.getByLabel('miles of ZIP code').fill('75201');
    await page.getByRole('button', { name: 'Select on the map' }).click();
    const bar = page.locator('.selection [role=status]');
    await bar.getByText('selected').waitFor();
    const selected = Number.parseInt(await bar.innerText());
    expect(selected).toBeGreaterThan(2);
    await page.locator('.territory-map').scrollIntoViewIfNeeded();

    const more = await pointAtZipWith('Not held');
    await page.mouse.down();
    await page.mouse.up();
    const now = Number.parseInt(await bar.innerText());
    expect(Math.abs(now - selected)).toBe(1);
    expect(await page.locator('.zip-details').innerText()).toContain(more);
    await expect.poll(() => page.locator('.zip-details').innerText()).toContain('households');

    await page.getByRole('button', { name: 'or pick a point on the map' }).click();
    const box = (await page.locator('.territory-map').boundingBox())!;
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await page.getByText(/found within 3 miles/).waitFor();
    expect(await page.locator('.map-pin').count()).toBe(1);
    expect(Number.parseInt(await bar.innerText())).toBeGreaterThanOrEqual(now);
  });

  it('previews the effect and sends it to review with a note', async () => {
    await page.getByRole('button', { name: /^Add \d+ …$/ }).click();
    await mapShown();
    expect(await page.locator('.lead').innerText()).toContain('Nothing has been sent yet');
    expect(await pointAtZipWith('To be added')).toMatch(/^75/);
    expect(await seriousFaults(page)).toEqual([]);
    expect((await statuses()).size).toBe(0);
    await page.getByLabel('Note').fill('Crews live there');
    await page.getByRole('button', { name: /^Send \d+ ZIP codes to review$/ }).click();
    expect(await page.locator('.notice').textContent()).toContain('Sent to review');
    const { rows } = await listReviews(tenant, 'all', { brandId: brand.id });
    expect(rows.length).toBeGreaterThan(2);
    expect(rows.every(({ note }) => note === 'Crews live there')).toBe(true);
    await mapShown();
    await pointAtZipWith('Pending review');
    expect(await shareOfMap('pending')).toBeGreaterThan(0.03);
    expect(await shareOfMap('live')).toBe(0);
  });

  it('approves the request as its reviewer', async () => {
    await page.getByRole('link', { name: /^Review/ }).click();
    await page.getByRole('checkbox', { name: /^All/ }).check();
    await page.getByRole('button', { name: 'Approve…' }).click();
    await page.getByRole('button', { name: /^Approve/ }).click();
    await page.getByText(/^Approved \d+ ZIP codes of Bright Roofs North/).waitFor();
    expect(new Set((await statuses()).values())).toEqual(new Set(['live']));
  });

  it('removes one by a click on the map and undoes it from the toast', async () => {
    await page.goto(site.url + AT);
    await mapShown();
    expect(await shareOfMap('live')).toBeGreaterThan(0.05);
    const zip = await pointAtZipWith('Live');
    await page.mouse.down();
    await page.mouse.up();
    await page.getByRole('button', { name: 'Remove 1 …' }).click();
    await mapShown();
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByLabel('Reason').fill('Too far');
    await page.getByRole('button', { name: 'Remove 1 ZIP code' }).click();
    const toast = page.locator('.toast');
    await toast.getByText(`Removed 1 ZIP code: ${zip}.`).waitFor();
    expect((await statuses()).has(zip)).toBe(false);
    expect(page.url()).not.toContain('removed=');
    await toast.getByRole('button', { name: 'Undo' }).click();
    await page.getByText(`1 ZIP code restored: ${zip}.`).waitFor();
    expect((await statuses()).get(zip)).toBe('live');
  });

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
      for (const path of [
        '/account/brands',
        AT,
        `${AT}/add`,
        `${AT}/suggestions`,
        `${AT}/history`,
      ]) {
        await other.page.goto(site.url + path);
        if (path === AT) await other.page.waitForSelector('[data-shown="map"]');
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
