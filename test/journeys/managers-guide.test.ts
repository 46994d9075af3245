/**
 * The guide for managers, done as written: from a sign-up to the PDF of an exhibit. Each button that it presses must be
 * in the guide. `UPDATE=1` makes the pictures of the guide.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { projectFile } from '../../src/base/geodata/project-files.ts';
import { tenantOf } from '../../src/people/account/tenant.ts';
import { PICTURE_SIZE, pictureNames, PICTURES } from '../../src/doors/site/docs/pictures.ts';
import { browsing } from '../support/browser.ts';
import { testDatabase } from '../support/database.ts';
import { hasChromium } from '../support/maplibre.ts';
import { PASSWORD } from '../support/visitor.ts';
import { zipsIn } from './only-organization.ts';

const { db, env } = await testDatabase('sample');
const site = browsing(env);

const GUIDE = readFileSync(projectFile('src/doors/site/docs/guides/managers.md'), 'utf8');
const taken: string[] = [];

/** Takes a picture for the guide, or checks that the guide has it. */
async function picture(page: Page, name: string): Promise<void> {
  taken.push(`${name}.webp`);
  expect(GUIDE).toContain(`(pictures/${name}.webp)`);
  if (!process.env['UPDATE']) return;
  await page.waitForLoadState('networkidle');
  const png = await page.screenshot();
  const { width, height } = PICTURE_SIZE;
  const webp = await sharp(png).resize(width, height).webp({ quality: 60, effort: 6 }).toBuffer();
  mkdirSync(projectFile(PICTURES), { recursive: true });
  writeFileSync(projectFile(`${PICTURES}/${name}.webp`), webp);
}

/** Presses a control that the guide names. */
async function press(control: Locator, name: string): Promise<void> {
  expect(GUIDE).toContain(`_${name}_`);
  await control.click();
}

it.skipIf(!hasChromium)(
  'The guide for managers leads from a sign-up to an exhibit, and has a picture of each step',
  async () => {
    const { page, complaints } = await site.profile({
      viewport: PICTURE_SIZE,
      deviceScaleFactor: 1,
    });
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    await page.goto(`${site.url}/signup`);
    await page.getByLabel('Organization').fill('Best Roofs');
    await page.getByLabel('Your name').fill('Pat Miller');
    await page.getByLabel('Email address').fill('pat@bestroofs.example');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByLabel('Your trade').selectOption('Roofing');
    await page.getByLabel('ZIP code of your business').fill('75201');
    await picture(page, 'sign-up');
    await press(button('Start trial'), 'Start trial');

    await page.getByRole('heading', { name: /around 75201/ }).waitFor();
    await page.waitForSelector('.map-frame[data-shown="map"]');
    await picture(page, 'proposal');
    await press(button('Accept'), 'Accept');

    await press(button('Review changes'), 'Review changes');
    const send = page.getByRole('button', { name: /^Send \d+ to review$/ });
    await send.waitFor();
    await picture(page, 'send');
    await send.click();
    await page.locator('dialog[open]').waitFor({ state: 'hidden' });
    const [organization] = await db.query<{ id: string }>(
      `select id from organizations where name = 'Best Roofs'`,
    );
    const tenant = tenantOf(db, organization!.id);
    const requested = await zipsIn(tenant, 'pending');
    expect(requested.length).toBeGreaterThan(0);

    await page.goto(`${site.url}/account/reviews`);
    await page.getByRole('checkbox', { name: /whole request/ }).check();
    await page.waitForSelector('.map-frame[data-shown="map"]');
    await picture(page, 'review');
    await press(button('Approve…'), 'Approve…');
    await page.getByRole('button', { name: /^Approve \d+ ZIP codes$/ }).click();
    await page
      .getByText(/^Approved \d+ ZIP codes of Best Roofs/)
      .first()
      .waitFor();
    expect(await zipsIn(tenant, 'live')).toEqual(requested);

    await page.goto(`${site.url}/account/brands`);
    await page.getByRole('link', { name: 'Best Roofs', exact: true }).first().click();
    const exhibit = 'Exhibit for an agreement (PDF)';
    await press(page.getByRole('link', { name: exhibit }), exhibit);
    await page.getByRole('radio', { name: /^Exhibit for agreements/ }).scrollIntoViewIfNeeded();
    await picture(page, 'exhibit');
    const downloading = page.waitForEvent('download');
    await press(button('Download'), 'Download');
    const file = readFileSync((await (await downloading).path())!);
    expect(file.subarray(0, 5).toString()).toBe('%PDF-');

    expect(pictureNames().sort()).toEqual(taken.sort());
    expect(complaints).toEqual([]);
  },
);
