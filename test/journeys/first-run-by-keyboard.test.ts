/**
 * The first hour of a new organization by keyboard alone: sign-up, a proposal, a selection on the map and by distance,
 * review, a division into three, its comparison, application, approval, and a link, which a stranger opens. The
 * other journey of a first hour (`first-run.test.ts`) is by touch and mouse.
 */
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { TenantDatabase } from '../../src/people/account/tenant.ts';
import { findPlan } from '../../src/territories/plans/plans.ts';
import { browsing } from '../support/browser.ts';
import { testDatabase } from '../support/database.ts';
import { goTo, onKeyboard } from '../support/hands.ts';
import { hasChromium } from '../support/maplibre.ts';
import { PASSWORD } from '../support/visitor.ts';
import { tenantOfOnly, zipsIn } from './only-organization.ts';

const { db, env } = await testDatabase('sample');
const site = browsing(env);

/** A small state: its map and its solves cost little. */
const HOME = '02903';
const NAME = 'Rhode Island in three';
const BRAND = 'Best Roofs';
/** A small map costs less. Narrower screens have a sheet instead of a panel. */
const SCREEN = { width: 1000, height: 700 };

it.skipIf(!hasChromium)(
  'every step from sign-up to a shared plan works without a mouse',
  async () => {
    const { page, context, complaints } = await site.profile({ viewport: SCREEN });
    await signUp(page);
    const proposed = await acceptPart(page);
    const tenant = await tenantOfOnly(db);
    const requested = await adjust(page, proposed);
    expect(await zipsIn(tenant, 'pending')).toHaveLength(requested);

    const plan = await divideIntoThree(page, tenant);
    const own = plan.territories.find(({ brand }) => brand !== null)!;
    await compareWithLive(page);
    await apply(page);
    expect(await zipsIn(tenant, 'pending')).toEqual([...own.zips].sort());
    await approveAll(page);
    expect(await zipsIn(tenant, 'live')).toEqual([...own.zips].sort());

    await page.goto(`${site.url}/account/map?plan=${plan.id}`);
    const link = await share(page);
    expect(complaints).toEqual([]);
    await context.close();
    // A name that is a brand's isn't shown to strangers.
    await openAsStranger(link, own.zips[0]!, `Territory ${own.number}`);
  },
);

async function press(page: Page, control: Locator, key = 'Enter'): Promise<void> {
  await goTo(page, control);
  await page.keyboard.press(key);
}

const pressButton = (page: Page, name: string | RegExp) =>
  press(page, page.getByRole('button', { name, exact: true }));

const enter = (page: Page, field: Locator, text: string) => onKeyboard(page).enter(field, text);

async function signUp(page: Page): Promise<void> {
  await page.goto(`${site.url}/signup`);
  await enter(page, page.getByLabel('Organization'), BRAND);
  await enter(page, page.getByLabel('Your name'), 'Pat');
  await enter(page, page.getByLabel('Email address'), 'pat@example.com');
  await enter(page, page.getByLabel('Password'), PASSWORD);
  await enter(page, page.getByLabel('Your trade'), 'Roofing');
  await enter(page, page.getByLabel('ZIP code of your business'), HOME);
  await page.keyboard.press('Enter');
}

/** Accepts the first proposal but for one ZIP code. @returns the number of accepted ZIP codes */
async function acceptPart(page: Page): Promise<number> {
  const title = page.getByRole('heading', { name: `A first territory around ${HOME}` });
  await title.waitFor();
  // The focus follows the content.
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('proposal-title');
  await press(page, page.locator('.differences summary'));
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  const said = await page.getByText(/ZIP codes change territories, \d+ accepted\./).innerText();
  await goTo(page, page.getByRole('button', { name: 'Accept', exact: true }), 'Shift+Tab');
  await page.keyboard.press('Enter');
  return Number(/(\d+) accepted/.exec(said)![1]);
}

/** @returns the number of selected ZIP codes */
const selected = async (page: Page) =>
  Number.parseInt((await page.textContent('#selection-title'))!, 10);

/**
 * Adds a neighborhood that arrow keys find on the map, and ZIP codes by distance, then sends the territory to
 * review. @returns its number of ZIP codes
 */
async function adjust(page: Page, accepted: number): Promise<number> {
  expect(await sizeOfOwn(page)).toBe(accepted);
  await goTo(page, page.locator('.workspace-map canvas').first());
  for (const key of ['ArrowRight', 'ArrowUp', 'Space', 'n', 'n']) await page.keyboard.press(key);
  await expect.poll(() => selected(page)).toBeGreaterThan(1);
  const neighborhood = await selected(page);
  await pressButton(page, 'Add to the selection');
  await page.keyboard.press('/');
  await page.keyboard.type(`miles from "${BRAND}" <= 2`);
  await page.keyboard.press('Enter');
  await expect.poll(() => selected(page)).toBeGreaterThan(neighborhood);
  await enter(page, page.locator('#target'), BRAND);
  await pressButton(page, `Move to ${BRAND}`);
  const adjusted = await sizeOfOwn(page);
  expect(adjusted).toBeGreaterThan(accepted);
  await page.keyboard.press('Control+s');
  await pressButton(page, `Send ${adjusted} to review`);
  await page.locator('dialog[open]').waitFor({ state: 'hidden' });
  return adjusted;
}

async function sizeOfOwn(page: Page): Promise<number> {
  const own = page.locator('.territories li', { hasText: BRAND });
  return Number.parseInt((await own.locator('.quiet').textContent())!, 10);
}

/** @returns the plan */
async function divideIntoThree(page: Page, tenant: TenantDatabase) {
  await pressButton(page, 'Divide…');
  const dialog = page.getByRole('dialog', { name: 'Divide the market' });
  await enter(page, dialog.getByRole('spinbutton', { name: 'Number of territories' }), '3');
  await page.keyboard.press('Enter');
  const proposal = page.getByRole('region', { name: 'Divide into 3' });
  await enter(page, proposal.getByLabel('Name of the plan'), NAME);
  await page.keyboard.press('Enter');
  await page.getByText('Nothing goes live until you apply it').waitFor();
  const plan = await findPlan(tenant, NAME);
  expect(plan.territories).toHaveLength(3);
  return plan;
}

async function compareWithLive(page: Page): Promise<void> {
  await pressButton(page, 'More');
  await pressButton(page, 'Compare…');
  await pressButton(page, 'Compare');
  const comparison = page.getByRole('region', { name: `${NAME} compared with live` });
  await comparison.getByText(/ZIP codes? changes? territories\. They are outlined/).waitFor();
  await pressButton(page, 'Close the comparison');
}

async function apply(page: Page): Promise<void> {
  await pressButton(page, 'Apply…');
  const dialog = page.getByRole('dialog', { name: `Apply ${NAME}` });
  await dialog.getByText(/ would go to review, and /).waitFor();
  await press(page, dialog.getByRole('button', { name: 'Apply' }));
  await page.getByText(/ went to review, and /).waitFor();
  await pressButton(page, 'Done');
}

async function approveAll(page: Page): Promise<void> {
  await press(page, page.getByRole('link', { name: 'Review' }));
  await press(page, page.getByRole('checkbox', { name: /^All \d+ pending/ }), 'Space');
  await pressButton(page, 'Approve…');
  await pressButton(page, /^Approve \d+ ZIP codes$/);
  await page
    .getByText(/^Approved \d+ ZIP codes of Best Roofs/)
    .first()
    .waitFor();
}

/** @returns the path of a link to the plan */
async function share(page: Page): Promise<string> {
  await pressButton(page, 'More');
  await pressButton(page, 'Share…');
  const dialog = page.getByRole('dialog', { name: `Share ${NAME}` });
  await press(page, dialog.getByRole('button', { name: 'Create a link' }));
  const link = await dialog.getByRole('textbox', { name: /^Link / }).inputValue();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  return new URL(link).pathname;
}

async function openAsStranger(path: string, zip: string, territory: string): Promise<void> {
  const { page, context, complaints } = await site.profile({ viewport: SCREEN });
  await page.goto(site.url + path);
  await enter(page, page.getByLabel('Which territory is my ZIP code in?'), zip);
  await page.keyboard.press('Enter');
  await page.getByText(`${zip} is in ${territory}.`).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
}
