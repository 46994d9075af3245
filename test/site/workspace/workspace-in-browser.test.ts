/** The workspace's map, card, and table follow one state, in Chromium. */
import { expect, it } from 'vitest';
import { setPlan } from '../../../src/account/plans.ts';
import { figuresMeterOf } from '../../../src/metering/figures.ts';
import { createBrand } from '../../../src/territory/brands.ts';
import { newSignedInOwner } from '../../account/organizations.ts';
import { expectFit } from '../../support/accessibility.ts';
import { browsing } from '../../support/browser.ts';
import { testDatabase } from '../../support/database.ts';
import { hasChromium } from '../../support/maplibre.ts';
import { hold } from '../../territory/holding.ts';

const { db, env } = await testDatabase('sample');
const site = browsing(env);

/** Few ZIP codes: a small map costs less. */
const MARKET = await db.query<{ zip: string; score: number | null }>(
  `select zip, score from zips left join zip_scores using (zip)
   where state = 'RI' and vertical = 'hvac' order by zip`,
);

it.skipIf(!hasChromium)(
  'shows, sorts, and selects ZIP codes in step',
  async () => {
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
    expect(await page.getByRole('list', { name: 'Legend: Households' }).innerText()).toMatch(
      /under/,
    );
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
    expect(complaints.filter((text) => !text.includes('503'))).toEqual([]);
  },
  180_000,
);

it.skipIf(!hasChromium)('asks before a first proposal uses up much of a trial', async () => {
  const { tenant, session } = await newSignedInOwner(db);
  await createBrand(tenant, { name: 'Bay Roofing' });
  const plan = await setPlan(tenant, { monthlyZips: 2 * MARKET.length });
  const seen = async () => (await figuresMeterOf({ tenant, plan })).zipsSeen;
  const { page, complaints } = await site.profile({ session });
  const home = MARKET[0]!.zip;
  await page.goto(`${site.url}/account/map?state=RI&proposal=first&home=${home}`);
  await page.getByText('Show the figures to get a proposal').waitFor();
  expect(await seen()).toBe(0);
  await page.getByRole('button', { name: 'Show the figures' }).click();
  const proposal = page.getByRole('region', { name: `A first territory around ${home}` });
  await proposal.getByText(/ZIP codes with [\d,]+ households\./).waitFor();
  expect(await seen()).toBe(MARKET.length);

  // With an overdue payment, the page shows the reason instead of the figures and the solver.
  await setPlan(tenant, { status: 'past_due' });
  await page.goto(`${site.url}/account/map?state=RI`);
  const reason = page.getByText(/past due because a payment is missing/);
  await reason.first().waitFor();
  expect(await page.getByRole('button', { name: 'Divide…' }).count()).toBe(0);
  expect(complaints).toEqual([]);
});
