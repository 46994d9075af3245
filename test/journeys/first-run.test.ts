/** The first minutes of a new organization in a browser, up to a territory that waits for review. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { expectFit } from '../support/accessibility.ts';
import { browsing } from '../support/browser.ts';
import { testDatabase } from '../support/database.ts';
import { hasChromium } from '../support/maplibre.ts';
import { PASSWORD } from '../support/visitor.ts';

const { db, env } = await testDatabase('sample');
const site = browsing(env);

/** Patience for a map that software draws and a solver on a busy machine */
const SLOWLY = { timeout: 60_000 };

async function signUp(page: Page, home: string): Promise<void> {
  await page.goto(`${site.url}/signup`);
  await page.getByLabel('Organization').fill('Best Roofs');
  await page.getByLabel('Your name').fill('Pat');
  await page.getByLabel('Email address').fill('pat@example.com');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByLabel('Your trade').selectOption('Roofing');
  await page.getByLabel('ZIP code of your business').fill(home);
  await page.getByRole('button', { name: 'Start trial' }).click();
}

const unitsUsed = async () => {
  const [row] = await db.query<{ units: number }>(
    `select coalesce(sum(units), 0)::int as units from usage_days where tool = 'design'`,
  );
  return row!.units;
};

it.skipIf(!hasChromium)(
  'sign-up leads to a proposed territory, which is accepted in part and sent to review',
  async () => {
    const { page, complaints } = await site.profile();
    await page.setViewportSize({ width: 375, height: 800 });
    await signUp(page, '75201');
    // The sheet shows the proposal without a tap.
    await page.getByRole('heading', { name: 'A first territory around 75201' }).waitFor(SLOWLY);
    await expectFit(page);
    expect(await unitsUsed()).toBe(10);
    expect(new URL(page.url()).searchParams.has('proposal')).toBe(false);

    // Discarding doesn't pay for another one.
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByText('0 ZIP codes').waitFor(SLOWLY);
    expect(await page.locator('.first-proposal').count()).toBe(0);

    // The overview offers it again.
    await page.goto(`${site.url}/account`);
    await expectFit(page);
    await page.getByLabel('ZIP code of your business').fill('75201');
    await page.getByRole('button', { name: 'Propose a territory' }).click();
    await page.getByRole('button', { name: 'Accept', exact: true }).waitFor(SLOWLY);
    await page.locator('.differences summary').click();
    const changes = page.locator('.differences .zips').getByRole('checkbox');
    const proposed = await changes.count();
    expect(proposed).toBeGreaterThan(1);
    await changes.last().uncheck();
    await page.getByRole('button', { name: 'Accept', exact: true }).click();
    await page.getByRole('button', { name: 'Review changes' }).click();
    const send = page.getByRole('button', { name: /^Send \d+ to review$/ });
    await send.click(SLOWLY);
    await page.locator('dialog[open]').waitFor({ ...SLOWLY, state: 'hidden' });

    const pending = await db.query<{ zip: string }>(
      `select zip from brand_zips where state = 'pending'`,
    );
    expect(pending).toHaveLength(proposed - 1);
    expect(pending).toContainEqual({ zip: '75201' });
    expect(await unitsUsed()).toBe(20);
    expect(complaints).toEqual([]);
  },
  180_000,
);
