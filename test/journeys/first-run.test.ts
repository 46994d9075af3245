/**
 * The first hour of a new organization in Chromium: a proposed territory, adjusted on a phone by touch; a market
 * divided on a laptop by mouse; its review by keyboard; and the shared plan, which a stranger opens.
 */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { TenantDatabase } from '../../src/people/account/tenant.ts';
import { findPlan } from '../../src/territories/plans/plans.ts';
import { expectFit, seriousFaults } from '../support/accessibility.ts';
import { browsing } from '../support/browser.ts';
import { testDatabase } from '../support/database.ts';
import { hasChromium } from '../support/maplibre.ts';
import { PASSWORD } from '../support/visitor.ts';
import { tenantOfOnly, zipsIn } from './only-organization.ts';

const { db, env } = await testDatabase('sample');
const site = browsing(env);

const PHONE = { width: 375, height: 812 };
const LAPTOP = { width: 1440, height: 900 };

it.skipIf(!hasChromium)(
  'sign-up leads from a proposed territory to approved ZIP codes and a plan that a stranger sees',
  async () => {
    const { page, context, complaints } = await site.profile({ viewport: PHONE, hasTouch: true });
    await signUp(page, '75201');
    await decideOnProposal(page);
    const requested = await adjustByLasso(page);
    const tenant = await tenantOfOnly(db);
    const before = await zipsIn(tenant, 'pending');
    expect(before).toHaveLength(requested);
    expect(await unitsUsed()).toBe(0);

    await page.setViewportSize(LAPTOP);
    const plan = await divideIntoThree(page, tenant);
    const central = await renameOwn(page, tenant, plan);
    await compareWithLive(page);
    const toReview = await apply(page);
    expect(await zipsIn(tenant, 'pending')).toEqual(central);
    expect(toReview).toBe(central.filter((zip) => !before.includes(zip)).length);

    await approveAll(page);
    expect(await zipsIn(tenant, 'live')).toEqual(central);
    expect(await zipsIn(tenant, 'pending')).toEqual([]);

    await page.goto(`${site.url}/account/map?plan=${plan}`);
    const link = await share(page, tenant);
    expect(complaints).toEqual([]);
    await context.close();
    await openAsStranger(link, central[0]!);
  },
);

async function signUp(page: Page, home: string): Promise<void> {
  await page.goto(`${site.url}/signup`);
  await page.getByLabel('Organization').fill('Best Roofs');
  await page.getByLabel('Your name').fill('Pat');
  await page.getByLabel('Email address').fill('pat@example.com');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByLabel('Your trade').selectOption('Roofing');
  await page.getByLabel('ZIP code of your business').fill(home);
  await page.getByRole('button', { name: 'Start trial' }).tap();
}

async function unitsUsed(): Promise<number> {
  const [row] = await db.query<{ units: number }>(
    `select coalesce(sum(units), 0)::int as units from usage_days where tool = 'design'`,
  );
  return row!.units;
}

/** Discards the first proposal, asks for another one, and accepts it but for one ZIP code. */
async function decideOnProposal(page: Page): Promise<void> {
  // The sheet shows the proposal without a tap.
  await page.getByRole('heading', { name: 'A first territory around 75201' }).waitFor();
  await expectFit(page);
  expect(await unitsUsed()).toBe(0);
  expect(new URL(page.url()).searchParams.has('proposal')).toBe(false);
  await page.setViewportSize(PHONE);

  // Its size can be changed, also after it was discarded.
  await page.getByLabel('Unit of the size').selectOption('ZIP codes');
  await page.getByText(/^6 ZIP codes up to/).waitFor();
  await page.getByRole('button', { name: 'Discard' }).tap();
  await page.getByText('0 ZIP codes').waitFor();
  await page.getByRole('spinbutton', { name: /^Size around 75201/ }).fill('4');
  await page.getByRole('button', { name: 'Propose again' }).tap();
  await page.getByText(/^4 ZIP codes up to/).waitFor();

  // The overview offers it again.
  await page.goto(`${site.url}/account`);
  await expectFit(page);
  await page.setViewportSize(PHONE);
  await page.getByLabel('ZIP code of your business').fill('75201');
  await page.getByRole('button', { name: 'Propose a territory' }).tap();
  await page.getByRole('button', { name: 'Accept', exact: true }).waitFor();
  await page.locator('.differences summary').tap();
  const changes = page.locator('.differences .zips').getByRole('checkbox');
  expect(await changes.count()).toBeGreaterThan(1);
  await changes.last().uncheck();
  await page.getByRole('button', { name: 'Accept', exact: true }).tap();
}

/** Adds ZIP codes by drawing around them, and sends the territory to review. @returns its number of ZIP codes */
async function adjustByLasso(page: Page): Promise<number> {
  const review = page.getByRole('button', { name: 'Review changes' });
  await review.waitFor();
  const accepted = await sizeOfOwn(page);
  await page.getByRole('button', { name: 'Close the panel' }).tap();
  await page.getByRole('button', { name: 'Lasso' }).tap();
  await page.waitForSelector('[data-drawing="ready"]');
  await drawWithFinger(page);
  const selected = Number.parseInt((await page.textContent('#selection-title'))!, 10);
  expect(selected).toBeGreaterThan(1);
  // On a busy machine, a tap may take so long that Chromium sees a long press instead.
  const target = page.locator('#target');
  await expect
    .poll(async () => {
      await page.getByRole('button', { name: 'Map', exact: true }).tap();
      return target.isVisible();
    })
    .toBe(true);
  await target.selectOption({ label: 'Best Roofs' });
  await page.getByRole('button', { name: 'Move to Best Roofs' }).tap();
  const adjusted = await sizeOfOwn(page);
  expect(adjusted).toBeGreaterThan(accepted);
  expect(adjusted).toBeLessThanOrEqual(accepted + selected);
  await review.tap();
  await page.getByRole('button', { name: `Send ${adjusted} to review` }).tap();
  await page.locator('dialog[open]').waitFor({ state: 'hidden' });
  return adjusted;
}

async function sizeOfOwn(page: Page): Promise<number> {
  const own = page.locator('.territories li', { hasText: 'Best Roofs' });
  return Number.parseInt((await own.locator('.quiet').textContent())!, 10);
}

/** Draws a circle over the right half of the map. */
async function drawWithFinger(page: Page): Promise<void> {
  const box = (await page.locator('.workspace-map canvas').first().boundingBox())!;
  const radius = box.width / 4;
  const points = Array.from({ length: 16 }, (_, i) => {
    const angle = (2 * Math.PI * i) / 16;
    const x = box.x + 0.7 * box.width + radius * Math.cos(angle);
    return { x, y: box.y + box.height / 2 + radius * Math.sin(angle) };
  });
  const touches = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: typeof points) =>
    touches.send('Input.dispatchTouchEvent', { type, touchPoints });
  await touch('touchStart', [points[0]!]);
  for (const point of points.slice(1)) await touch('touchMove', [point]);
  await touch('touchEnd', []);
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** Divides the market after a canceled try, and saves it as a plan but for one ZIP code. @returns the plan's id */
async function divideIntoThree(page: Page, tenant: TenantDatabase): Promise<string> {
  await press(page, 'Divide…');
  const dialog = page.getByRole('dialog', { name: 'Divide the market' });
  await dialog.getByRole('spinbutton', { name: 'Number of territories' }).fill('3');
  await dialog.locator('.constraints summary').click();
  await dialog.getByLabel('Time').selectOption('Quick: up to 3 seconds');
  expect(await seriousFaults(page)).toEqual([]);
  // The first solve takes forever, and is canceled.
  await page.route('**/agent/design', () => {}, { times: 1 });
  await dialog.getByRole('button', { name: 'Propose' }).click();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.getByRole('button', { name: 'Propose' }).click();
  const proposal = page.getByRole('region', { name: 'Divide into 3' });
  await proposal.waitFor();
  expect(await proposal.innerText()).toMatch(/3 territories, within [\d.]+% of their mean/);
  await expectFit(page, 'the proposal');

  const added = proposal.locator('.differences > li').filter({ hasText: 'new' }).first();
  await added.locator('summary').click();
  const zip = added.locator('.zips .choice', { hasText: 'was unassigned' }).first();
  const declined = (await zip.innerText()).slice(0, 5);
  await zip.getByRole('checkbox').uncheck();
  await proposal.getByText(/\d+ ZIP codes change territories, \d+ accepted\./).waitFor();
  await proposal.getByLabel('Name of the plan').fill('Dallas in three');
  await press(page, 'Save as a plan');
  await page.getByText('Nothing goes live until you apply it').waitFor();

  const { id, zips, territories } = await findPlan(tenant, 'Dallas in three');
  expect(territories).toHaveLength(3);
  const planned = territories.flatMap((territory) => territory.zips);
  expect(zips.filter((one) => !planned.includes(one))).toEqual([declined]);
  return id;
}

/** Renames the territory of the brand. @returns its ZIP codes */
async function renameOwn(page: Page, tenant: TenantDatabase, plan: string): Promise<string[]> {
  const before = await findPlan(tenant, plan);
  const own = before.territories.find(({ brand }) => brand !== null)!;
  expect(own.name).toBe('Best Roofs');
  await press(page, 'Rename Best Roofs');
  await page.getByLabel('Name', { exact: true }).fill('Central');
  await press(page, 'Rename');
  await press(page, 'Save');
  await page.getByText('Plan saved.').waitFor();
  const after = await findPlan(tenant, plan);
  expect(after.territories.find(({ brand }) => brand !== null)).toEqual({
    ...own,
    name: 'Central',
  });
  return [...own.zips].sort();
}

async function compareWithLive(page: Page): Promise<void> {
  await press(page, 'More');
  await press(page, 'Compare…');
  await press(page, 'Compare');
  const comparison = page.getByRole('region', { name: 'Dallas in three compared with live' });
  await comparison.getByText(/ZIP codes change territories\. They are outlined/).waitFor();
  expect(await comparison.locator('.differences > li').count()).toBe(3);
  await press(page, 'Close the comparison');
}

/** @returns how many ZIP codes went to review */
async function apply(page: Page): Promise<number> {
  await press(page, 'Apply…');
  const dialog = page.getByRole('dialog', { name: 'Apply Dallas in three' });
  await dialog.getByText(/ would go to review, and /).waitFor();
  await dialog.getByRole('button', { name: 'Apply' }).click();
  const said = await page.getByText(/ went to review, and /).innerText();
  await press(page, 'Done');
  return Number.parseInt(said, 10);
}

/** Approves the whole queue by keyboard. */
async function approveAll(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Review' }).press('Enter');
  await page.getByRole('checkbox', { name: /^All \d+ pending/ }).press('Space');
  await page.getByRole('button', { name: 'Approve…' }).press('Enter');
  await page.getByRole('button', { name: /^Approve \d+ ZIP codes$/ }).press('Enter');
  await page
    .getByText(/^Approved \d+ ZIP codes of Best Roofs/)
    .first()
    .waitFor();
}

/** @returns the path of a link to the plan */
async function share(page: Page, tenant: TenantDatabase): Promise<string> {
  await press(page, 'More');
  await press(page, 'Share…');
  const dialog = page.getByRole('dialog', { name: 'Share Dallas in three' });
  expect(await dialog.getByLabel('New link expires after').inputValue()).toBe('30');
  await dialog.getByRole('button', { name: 'Create a link' }).click();
  const link = await dialog.getByRole('textbox', { name: /^Link / }).inputValue();
  expect(await seriousFaults(page)).toEqual([]);
  const [row] = await tenant.query<{ days: number }>(
    `select extract(day from expires_at - created_at)::int as days from plan_shares
     where organization_id = $1`,
  );
  expect(row).toEqual({ days: 30 });
  return new URL(link).pathname;
}

async function openAsStranger(path: string, zip: string): Promise<void> {
  const { page, context, complaints } = await site.profile({ viewport: PHONE });
  expect((await page.goto(site.url + path))!.status()).toBe(200);
  await page.getByRole('heading', { name: 'Dallas in three' }).waitFor();
  expect(await page.locator('body').innerText()).not.toContain('Best Roofs');
  await page.getByLabel('Which territory is my ZIP code in?').fill(zip);
  await page.keyboard.press('Enter');
  await page.getByText(`${zip} is in Central.`).waitFor();
  await page.waitForSelector('.map-frame[data-shown="map"]');
  await expectFit(page);
  expect(complaints).toEqual([]);
  await context.close();
}
