/** A reviewer selects on the map and in the list, approves, rejects, and meets another reviewer. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { addMember } from '../../src/people/account/members.ts';
import type { Actor } from '../../src/people/account/caller.ts';
import { changeSubscription } from '../../src/people/account/subscription.ts';
import { signUp } from '../../src/people/account/sign-up.ts';
import { tenantOf } from '../../src/people/account/tenant.ts';
import { applyZips } from '../../src/territories/brands/apply.ts';
import { createBrand } from '../../src/territories/brands/brands.ts';
import { heldZipStatuses } from '../../src/territories/brands/brand-zips.ts';
import { removeZips } from '../../src/territories/brands/remove.ts';
import { expectFit } from '../support/accessibility.ts';
import { browsing, type Profile } from '../support/browser.ts';
import { testDatabase } from '../support/database.ts';
import { hasChromium } from '../support/maplibre.ts';
import { stillPicture } from '../support/still-picture.ts';
import { PASSWORD } from '../support/visitor.ts';
import { agent, DALLAS } from '../territories/brands/organization.ts';

const { db, env } = await testDatabase('sample');
const newPerson = (name: string) => ({ name, email: `${name.toLowerCase()}@example.com` });
const { organization, personId } = await signUp(db, {
  ...newPerson('Olga'),
  organization: 'Roofs',
  password: PASSWORD,
});
const tenant = tenantOf(db, organization.id);
await changeSubscription(tenant, { status: 'active', seats: 9 });
const olga: Actor = { kind: 'person', id: personId, name: 'Olga' };
await addMember(tenant, { ...newPerson('Rob'), role: 'reviewer' });
// Rob chose the same password.
await db.query(
  `update people set password_hash = (select password_hash from people where name = 'Olga')`,
);
const star = await createBrand(tenant, { name: 'Star' });
const moon = await createBrand(tenant, { name: 'Moon' });

const request = (actor: Actor, brand: typeof star, zips: readonly string[], note?: string) =>
  tenant.transaction((tx) => applyZips(tx, actor, brand, { zips, note }));
// More than one page of the queue
const FAR = (
  await db.query<{ zip: string }>(`select zip from zips where state = 'AZ' order by zip limit 120`)
).map(({ zip }) => zip);
await request(agent, star, DALLAS, 'Calls come in from here');
await request(olga, moon, FAR);
const states = async (brand: typeof star) =>
  Object.fromEntries(await heldZipStatuses(tenant, brand));

const site = browsing(env);

async function signIn(name: string): Promise<Profile> {
  const profile = await site.profile();
  const { page } = profile;
  await page.goto(`${site.url}/login`);
  await page.getByLabel('Email address').fill(newPerson(name).email);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/account');
  return profile;
}

const openQueue = async (page: Page, query = '') => {
  await page.goto(`${site.url}/account/reviews${query}`);
  await page.waitForSelector('.territory-map[data-shown="map"]');
};
const chosenText = (page: Page) => page.locator('.chosen').innerText();

describe.skipIf(!hasChromium)('a reviewer', () => {
  let page: Page;
  let rob: Page;
  let complaints: string[];
  beforeAll(async () => {
    const [olgas, robs] = await Promise.all([signIn('Olga'), signIn('Rob')]);
    ({ page, complaints } = olgas);
    rob = robs.page;
  });
  afterAll(async () => {
    await page.context().close();
    await rob.context().close();
  });

  it('sees the number of pending reviews on every account page', async () => {
    const link = page
      .getByRole('navigation', { name: 'Account' })
      .getByRole('link', { name: 'Review' });
    expect((await link.innerText()).replaceAll(/\s+/g, ' ')).toContain('128 pending');
    await link.click();
    expect(await page.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual(['Star', 'Moon']);
  });

  it('finds the buttons where they were before the page was ready', async () => {
    const approve = page.getByRole('button', { name: 'Approve…' });
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    // Also if the test fails: the pages of later tests would wait for their scripts, too.
    onTestFinished(async () => {
      release();
      await page.unroute('**');
    });
    await page.route('**', async (route) => {
      if (route.request().resourceType() === 'script') await released;
      await route.continue();
    });
    await page.goto(`${site.url}/account/reviews`, { waitUntil: 'commit' });
    await approve.waitFor();
    // After its first try, waitForFunction calls eval, which pages forbid.
    const isStyled =
      '[...document.querySelectorAll("link[rel=stylesheet]")].every(({ sheet }) => sheet)';
    await expect.poll(() => page.evaluate(isStyled)).toBe(true);
    await page.evaluate('document.fonts.ready.then(() => {})');
    const before = await approve.boundingBox();
    release();
    await expect.poll(() => chosenText(page)).toBe('None selected');
    expect(await approve.boundingBox()).toEqual(before);
  });

  it('selects on the map and in the list, in sync', async () => {
    await openQueue(page, `?brand=${star.id}`);
    await page.getByRole('button', { name: 'Show on the map' }).click();
    const map = page.locator('.territory-map');
    const box = (await map.boundingBox())!;
    const middle = [box.x + box.width / 2, box.y + box.height / 2] as const;
    const card = page.locator('.zip-card');
    const pointed = async () => {
      await page.mouse.move(box.x + 5, box.y - 5);
      await page.mouse.move(...middle);
      return (await card.count()) > 0 ? card.innerText() : '';
    };
    await expect.poll(pointed).toContain('Star, requested by API key “Agent”');
    const [zip] = (await card.innerText()).split('\n');
    expect(DALLAS).toContain(zip);
    await page.mouse.click(...middle);
    expect(await page.getByRole('checkbox', { name: zip }).isChecked()).toBe(true);
    expect(await chosenText(page)).toBe('1 ZIP code selected');
    expect(await card.innerText()).toContain('Selected');
    const inList = page.getByRole('checkbox', { name: zip });
    await inList.uncheck();
    expect(await chosenText(page)).toBe('None selected');
    expect(await pointed()).not.toContain('Selected');
    await page.mouse.move(box.x + 5, box.y - 5);
    const free = await stillPicture(map);
    await inList.check();
    expect((await stillPicture(map)).equals(free)).toBe(false);
    await inList.uncheck();
    expect((await stillPicture(map)).equals(free)).toBe(true);
  });

  it('selects while the map waits for a frame in another color scheme', async () => {
    await openQueue(page, `?brand=${star.id}`);
    // As in a hidden page: the new style loads, but is never drawn.
    await page.evaluate('window.requestAnimationFrame = () => 0');
    const styled = page.waitForResponse(/dark\.json/);
    await page.emulateMedia({ colorScheme: 'dark' });
    await (await styled).finished();
    const zip = page.getByRole('checkbox', { name: DALLAS[0]! });
    for (let i = 0; i < 10; i++) {
      await zip.check();
      expect(await chosenText(page)).toBe('1 ZIP code selected');
      await zip.uncheck();
    }
    expect(complaints).toEqual([]);
    await page.emulateMedia({ colorScheme: 'light' });
  });

  it('selects a whole request except one, then clears the selection', async () => {
    await openQueue(page);
    await page
      .getByRole('checkbox', { name: /The whole request, including 28 on other pages/ })
      .check();
    expect(await chosenText(page)).toBe('120 ZIP codes selected');
    await page.getByRole('checkbox', { name: FAR[0] }).uncheck();
    expect(await chosenText(page)).toBe('119 ZIP codes selected');
    await page.getByRole('checkbox', { name: /All 128 pending ZIP codes/ }).check();
    await page.getByRole('checkbox', { name: DALLAS[0] }).uncheck();
    expect(await chosenText(page)).toBe('127 ZIP codes selected');
    await page.getByRole('button', { name: 'Clear selection' }).click();
    await expect.poll(() => chosenText(page)).toBe('None selected');
    expect(await page.getByRole('button', { name: 'Approve…' }).isDisabled()).toBe(true);
  });

  it('approves with the keyboard after a preview', async () => {
    await openQueue(page);
    await page.getByRole('checkbox', { name: DALLAS[0] }).focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Approve…' }).press('Enter');
    await page.getByRole('heading', { name: 'Approve 2 ZIP codes' }).waitFor();
    expect(await states(star)).toMatchObject({ [DALLAS[0]!]: 'pending' });
    await page.getByRole('button', { name: 'Approve 2 ZIP codes' }).click();
    const notice = page.getByRole('status').first();
    expect(await notice.innerText()).toContain(
      `Approved 2 ZIP codes of Star: ${DALLAS[0]}, ${DALLAS[1]}.`,
    );
    const map = await notice
      .getByRole('link', { name: 'See them on the map' })
      .getAttribute('href');
    expect(map).toContain(`brand=star&zips=${DALLAS[0]}+${DALLAS[1]}`);
    expect(await states(star)).toMatchObject({ [DALLAS[0]!]: 'live', [DALLAS[2]!]: 'pending' });
  });

  it('rejects a request on two pages, except one ZIP code, with a reason', async () => {
    await openQueue(page);
    await page.getByRole('checkbox', { name: /The whole request, including 26 on/ }).check();
    await page.getByRole('checkbox', { name: FAR[0] }).uncheck();
    await page.getByRole('button', { name: 'Reject…' }).click();
    await page.getByRole('button', { name: 'Reject 119 ZIP codes' }).click();
    await page.getByText('Choose a reason').waitFor();
    await page.getByRole('radio', { name: 'Too far from our crews' }).check();
    await page.getByLabel('Remark').fill('Not before summer');
    await page.getByRole('button', { name: 'Reject 119 ZIP codes' }).click();
    expect(await page.getByRole('status').first().innerText()).toContain(
      'Reason: Too far from our crews: Not before summer',
    );
    expect(await states(moon)).toEqual({ [FAR[0]!]: 'pending' });
  });

  it('sees what another reviewer already decided', async () => {
    await openQueue(page);
    for (const zip of DALLAS.slice(2, 5)) await page.getByRole('checkbox', { name: zip }).check();
    await page.getByRole('button', { name: 'Approve…' }).click();
    await openQueue(rob);
    await rob.getByRole('checkbox', { name: DALLAS[2] }).check();
    await rob.getByRole('button', { name: 'Reject…' }).click();
    await rob.getByRole('radio', { name: 'Too little demand' }).check();
    await rob.getByRole('button', { name: 'Reject one ZIP code' }).click();
    await page.getByRole('button', { name: 'Approve 3 ZIP codes' }).click();
    const main = page.getByRole('main');
    await main.getByRole('heading', { name: 'Already decided' }).waitFor();
    expect(await main.innerText()).toContain(
      `Approved 2 ZIP codes of Star: ${DALLAS[3]}, ${DALLAS[4]}.`,
    );
    expect(await main.getByRole('row').last().innerText()).toMatch(
      /75203\s+Star\s+Rejected: Too little demand\s+Rob/,
    );
    expect(await states(star)).not.toHaveProperty(DALLAS[2]!);
    await page.getByRole('link', { name: 'Decided' }).click();
    expect(await main.innerText()).toMatch(/Rob ·[^]*Rejected 119 ZIP codes of Moon/);
  });

  it('undoes a removal from the activity log and downloads it', async () => {
    const zips = [DALLAS[0]!, DALLAS[5]!];
    await tenant.transaction((tx) => removeZips(tx, olga, star, { zips }));
    await page.getByRole('link', { name: 'Activity' }).click();
    await page.getByRole('button', { name: /Undo/ }).click();
    const notice = await page.getByRole('status').innerText();
    expect(notice).toContain('One ZIP code is live again: 75201.');
    expect(notice).toContain('One ZIP code is pending review again: 75206.');
    expect(await page.getByRole('button', { name: /Undo/ }).count()).toBe(0);
    expect(await states(star)).toMatchObject({ 75201: 'live', 75206: 'pending' });
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download as CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('activity.csv');
    // The form without a reason got status 400.
    expect(complaints.filter((text) => !text.includes('400'))).toEqual([]);
  });

  it('finds pages that fit small and large screens and pass axe, light and dark', async () => {
    const storageState = await page.context().storageState();
    const { page: look, context } = await site.profile({ storageState });
    for (const path of [
      '/reviews',
      '/reviews/decided',
      '/activity',
      '/activity?kind=x&to=2020-01-01',
    ]) {
      await look.goto(`${site.url}/account${path}`);
      await expectFit(look);
    }
    await openQueue(look);
    await look.getByRole('checkbox', { name: /^All/ }).check();
    await expectFit(look, 'a selection');
    await look.getByRole('button', { name: 'Reject…' }).click();
    await look.getByRole('button', { name: /^Reject/ }).click();
    await expectFit(look, 'a rejection without a reason');
    await context.close();
  });
});
