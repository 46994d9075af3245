/** The workspace's map, card, and table follow one state, in Chromium. */
import { expect, it } from 'vitest';
import { changeSubscription } from '../../../../src/people/account/subscription.ts';
import { figuresMeterOf } from '../../../../src/people/metering/figures.ts';
import { createBrand } from '../../../../src/territories/brands/brands.ts';
import { newSignedInOwner } from '../../../people/account/organizations.ts';
import { expectFit } from '../../../support/accessibility.ts';
import { browsing } from '../../../support/browser.ts';
import { testDatabase } from '../../../support/database.ts';
import { hasChromium } from '../../../support/maplibre.ts';
import { saveData } from '../../../territories/own-data/saved.ts';
import { hold } from '../../../territories/brands/holding.ts';

const { db, env } = await testDatabase('sample');
const site = browsing(env);

/** Few ZIP codes: a small map costs less. */
const MARKET = await db.query<{ zip: string; score: number | null }>(
  `select zip, score from zips left join zip_scores using (zip)
   where state = 'RI' and vertical = 'hvac' order by zip`,
);

it.skipIf(!hasChromium)('shows, sorts, and selects ZIP codes in step', async () => {
  const { tenant, session } = await newSignedInOwner(db);
  const brand = await createBrand(tenant, { name: 'Ocean Roofing' });
  const held = MARKET.slice(0, 4).map(({ zip }) => zip);
  await hold(tenant, brand, held);
  const { page, complaints } = await site.profile({ session });
  // A busy service doesn't draw the first tile.
  const tiles: string[] = [];
  page.on('request', (request) => tiles.push(request.url()));
  await page.route('**/account/zips/**', (route) => route.fulfill({ status: 503 }), { times: 1 });
  await page.goto(`${site.url}/account/map?brand=ocean-roofing&color=score:hvac`);

  // The table, best first
  const grid = page.getByRole('grid');
  await grid.getByRole('button', { name: 'HVAC', exact: true }).click();
  const rows = grid.locator('.rows [role=row]');
  const best = MARKET.reduce((a, b) => ((b.score ?? -1) > (a.score ?? -1) ? b : a));
  expect(await rows.first().locator('b').innerText()).toBe(best.zip);
  expect(await grid.getAttribute('aria-rowcount')).toBe(String(MARKET.length + 1));
  expect(await rows.count()).toBeLessThan(MARKET.length);

  // By keyboard: the second row's card, and its selection
  await grid.focus();
  await page.keyboard.press('ArrowDown');
  const second = await rows.nth(1).locator('b').innerText();
  const card = page.locator('#card');
  await card.getByText(second).waitFor();
  await card
    .getByText(/than in \d+% of ZIP codes/)
    .first()
    .waitFor();
  await page.keyboard.press(' ');
  expect(await rows.nth(1).getAttribute('aria-selected')).toBe('true');

  // The last row is made when it is reached.
  await page.keyboard.press('End');
  const lastIndex = String(MARKET.length + 1);
  await grid.locator(`[role=row][aria-rowindex="${lastIndex}"]`).waitFor();

  // Other colors, other address
  await page.getByLabel('Color by').selectOption('households');
  await expect.poll(() => new URL(page.url()).searchParams.get('color')).toBe('households');
  expect(await page.getByRole('list', { name: 'Legend: Households' }).innerText()).toMatch(/under/);
  expect(new URL(page.url()).searchParams.get('state')).toBe('RI');

  // The map draws the market and the brand.
  await page.locator('.map-frame[data-shown=map]').waitFor();
  const failed = tiles.find((url) => url.includes('/account/zips/'))!;
  await expect.poll(() => tiles.filter((url) => url === failed).length).toBe(2);

  // Tooltips have the names and keys of tools.
  const tip = () =>
    page.evaluate<string>(
      `getComputedStyle(document.querySelector('[data-tip^=Lasso]'), '::after').content`,
    );
  expect(await tip()).toBe('none');
  await page.getByRole('button', { name: 'Lasso' }).hover();
  expect(await tip()).toContain('Lasso (L)');
  await expectFit(page);
  await page.setViewportSize({ width: 375, height: 800 });
  await page.getByRole('button', { name: 'Open the panel' }).press('Enter');
  await page.getByLabel('Color by').waitFor();
  expect(complaints).toEqual([]);
});

it.skipIf(!hasChromium)('loads its ZIP codes once a busy service has time', async () => {
  const { session } = await newSignedInOwner(db);
  const { page, complaints } = await site.profile({ session });
  const market = /market\.json/;
  await page.route(market, (route) => route.fulfill({ status: 503 }), { times: 2 });
  await page.goto(`${site.url}/account/map?state=RI`);
  await page.getByRole('grid').waitFor();

  const error = 'The ZIP codes can’t be read.';
  await page.route(market, (route) => route.fulfill({ status: 500, json: { error } }), {
    times: 1,
  });
  const zip = MARKET[0]!.zip;
  await page.goto(`${site.url}/account/map?state=RI&zips=${zip}`);
  await page.getByText(error).waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('1 ZIP code selected').waitFor();
  expect(complaints.filter((text) => !/50[03]/.test(text))).toEqual([]);
});

const NAME = 'Ocean Roofing of the Narragansett Bay';

it.skipIf(!hasChromium)(
  'shows a ZIP code beside the map, and the selection in the table',
  async () => {
    const { tenant, session } = await newSignedInOwner(db);
    const brand = await createBrand(tenant, { name: NAME });
    const held = MARKET.slice(0, 4).map(({ zip }) => zip);
    await hold(tenant, brand, held);
    await saveData({ tenant }, 'Jobs', { [held[0]!]: 40 });
    const { page, complaints } = await site.profile({ session });
    await page.goto(`${site.url}/account/map`);
    await page.locator('.map-frame[data-shown=map]').waitFor();
    const grid = page.getByRole('grid');
    const rows = grid.locator('.rows [role=row]');
    const title = () => page.textContent('#selection-title');

    // One’s own ZIP codes come first.
    await rows.first().waitFor();
    expect((await rows.locator('b').allInnerTexts()).slice(0, 4)).toEqual(held);

    // A click with Shift adds on the map. The table shows what is selected.
    const canvas = page.locator('.workspace-map canvas').first();
    const { width, height, ...at } = (await canvas.boundingBox())!;
    await grid.press('End');
    const points = [
      [0.5, 0.5],
      [0.3, 0.5],
      [0.5, 0.75],
    ] as const;
    await page.mouse.click(at.x + width / 2, at.y + height / 2);
    await expect.poll(title).toBe('1 ZIP code selected');
    const selected = grid.locator('[aria-selected=true]');
    await selected.first().waitFor();
    await page.keyboard.down('Shift');
    for (const [x, y] of points.slice(1)) {
      await page.mouse.click(at.x + x * width, at.y + y * height);
    }
    await page.keyboard.up('Shift');
    await expect.poll(title).toMatch(/^[23] ZIP codes selected$/);
    await page.getByRole('button', { name: /^Selected: [23]$/ }).click();
    await expect.poll(() => grid.getAttribute('aria-rowcount')).toMatch(/^[34]$/);
    expect(await selected.count()).toBe(await rows.count());

    // The card covers neither the map nor a dialog, and keys close it.
    const card = page.locator('#card');
    const text = () => card.innerText();
    await grid.focus();
    await page.keyboard.press('End');
    await expect.poll(text).toMatch(/^\d{5}/);
    const box = (await card.boundingBox())!;
    expect(Math.ceil(box.x)).toBeGreaterThanOrEqual(at.x + width);
    await page.keyboard.press('Escape');
    await expect.poll(text).toMatch(/^Point at a ZIP code/);
    expect(await title()).toMatch(/selected$/);
    await page.keyboard.press('Home');
    await expect.poll(text).toMatch(/^\d{5}/);
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('Shift+Click').first().waitFor();
    expect(await text()).toMatch(/^Point at a ZIP code/);
    await page.keyboard.press('Escape');

    // Short names and names that are cut off are shown in full, also to the keyboard.
    const fullName = page.locator('.full-name');
    await grid.getByRole('button', { name: 'Jobs per 1,000' }).focus();
    await expect.poll(() => fullName.innerText()).toBe('Jobs per 1,000 owner households');
    await page.getByRole('button', { name: 'All', exact: true }).click();
    await rows.first().locator('.territory').hover();
    await expect.poll(() => fullName.innerText()).toBe(NAME);

    // More columns are to the right.
    await page.getByRole('button', { name: /^\d+ more columns/ }).press('Enter');
    const scrolled = () => page.evaluate<number>(`document.querySelector('.grid').scrollLeft`);
    await expect.poll(scrolled).toBeGreaterThan(0);
    expect(complaints).toEqual([]);
  },
);

it.skipIf(!hasChromium)('asks before a first proposal uses up much of a trial', async () => {
  const { tenant, session } = await newSignedInOwner(db);
  await createBrand(tenant, { name: 'Bay Roofing' });
  const subscription = await changeSubscription(tenant, { monthlyZips: 2 * MARKET.length });
  const seen = async () => (await figuresMeterOf({ tenant, subscription })).zipsSeen;
  const { page, complaints } = await site.profile({ session });
  const home = MARKET[0]!.zip;
  await page.goto(`${site.url}/account/map?state=RI&proposal=first&home=${home}`);
  await page.getByText('Show the figures to get a proposal').waitFor();
  expect(await seen()).toBe(0);
  await page.getByRole('button', { name: 'Show the figures' }).click();
  const proposal = page.getByRole('region', { name: `A first territory around ${home}` });
  await proposal.getByText(/ZIP codes? .* with [\d,]+ households, of which/).waitFor();
  expect(await seen()).toBe(MARKET.length);

  // With an overdue payment, the page shows the reason instead of the figures and the solver.
  await changeSubscription(tenant, { status: 'past_due' });
  await page.goto(`${site.url}/account/map?state=RI`);
  const reason = page.getByText(/past due because a payment is missing/);
  await reason.first().waitFor();
  expect(await page.getByRole('button', { name: 'Divide…' }).count()).toBe(0);
  expect(complaints).toEqual([]);
});
