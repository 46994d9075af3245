/** Plans and the solver in the workspace, in Chromium. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addMember } from '../../../src/account/members.ts';
import { startSession } from '../../../src/account/sessions.ts';
import { findPlan } from '../../../src/plans/plans.ts';
import { createBrand } from '../../../src/territory/brands.ts';
import { newOrganization } from '../../account/organizations.ts';
import { expectFit, seriousFaults } from '../../support/accessibility.ts';
import { browsing } from '../../support/browser.ts';
import { testDatabase } from '../../support/database.ts';
import { hasChromium } from '../../support/maplibre.ts';
import { hold } from '../../territory/holding.ts';

const { db, env } = await testDatabase('sample');
const site = browsing(env);

/** Patience for solves and maps on a busy machine */
const SLOWLY = { timeout: 30_000 };

const HELD = (
  await db.query<{ zip: string }>(`select zip from zips where state = 'RI' order by zip limit 6`)
).map(({ zip }) => zip);

/** Opens the workspace for the owner of a new organization with one brand. */
async function openWorkspace(query: string, held: readonly string[]) {
  const { organization, tenant } = await newOrganization(db);
  const brand = await createBrand(tenant, { name: 'Ocean Roofing' });
  if (held.length > 0) await hold(tenant, brand, [...held]);
  const owner = { email: `${organization.slug}@example.com`, name: 'Pat', role: 'owner' } as const;
  const { id } = await addMember(tenant, owner);
  const secret = await startSession(
    db,
    id,
    { userAgent: '', client: '' },
    { organizationId: organization.id },
  );
  const { page, context, complaints } = await site.profile();
  await context.addCookies([{ name: 'session', value: secret, url: site.url }]);
  await page.goto(`${site.url}/account/map?${query}`);
  return { page, complaints, tenant };
}

const press = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).click(SLOWLY);

describe.skipIf(!hasChromium)('the workspace', () => {
  it('divides a market, saves a part of the proposal as a plan, compares it, and applies it', async () => {
    const { page, complaints, tenant } = await openWorkspace('state=RI&color=territory', HELD);

    // By keyboard
    await page.getByRole('button', { name: 'Divide…' }).focus(SLOWLY);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Divide the market' });
    await dialog.getByRole('spinbutton', { name: 'Number of territories' }).fill('3');
    expect(await seriousFaults(page)).toEqual([]);
    // The first solve takes forever, and is canceled.
    await page.route('**/agent/design', () => {}, { times: 1 });
    await dialog.getByRole('button', { name: 'Propose' }).press('Enter');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.getByRole('button', { name: 'Propose' }).press('Enter');
    const proposal = page.getByRole('region', { name: 'Divide into 3' });
    await proposal.waitFor(SLOWLY);
    expect(await proposal.innerText()).toMatch(/3 territories, within [\d.]+% of their mean/);
    await expectFit(page, 'the proposal');

    // Declines an unassigned ZIP code.
    const added = proposal.locator('.differences > li').filter({ hasText: 'new' }).first();
    await added.locator('summary').click();
    const zip = added.locator('.zips .choice', { hasText: 'from no territory' }).first();
    const declined = (await zip.innerText()).slice(0, 5);
    await zip.getByRole('checkbox').uncheck();
    await proposal.getByText(/\d+ ZIP codes change hands, \d+ accepted\./).waitFor();

    await proposal.getByLabel('Name of the plan').fill('Ocean State');
    await press(page, 'Save as a plan');
    await page.getByText('nothing is live before it is applied').waitFor(SLOWLY);
    const plan = await findPlan(tenant, 'Ocean State');
    expect(plan.territories).toHaveLength(3);
    expect(plan.territories.filter(({ brand }) => brand !== null)).toMatchObject([
      { name: 'Ocean Roofing' },
    ]);
    const planned = plan.territories.flatMap(({ zips }) => zips);
    expect(planned).not.toContain(declined);
    expect(plan.zips.filter((one) => !planned.includes(one))).toEqual([declined]);

    await press(page, 'Compare…');
    await page.getByRole('button', { name: 'Compare', exact: true }).click(SLOWLY);
    const comparison = page.getByRole('region', { name: 'Ocean State compared with live' });
    await comparison.getByText(/ZIP codes change hands\. They are outlined/).waitFor(SLOWLY);
    expect(await comparison.locator('.differences > li').count()).toBe(3);
    await press(page, 'Close the comparison');

    await press(page, 'Apply…');
    const apply = page.getByRole('dialog', { name: 'Apply Ocean State' });
    await apply.getByText(/ would go to review, and /).waitFor(SLOWLY);
    await apply.getByRole('button', { name: 'Apply' }).click();
    await page.getByText(/ went to review, and /).waitFor(SLOWLY);
    const own = plan.territories.find(({ brand }) => brand !== null)!.zips;
    const rows = await tenant.query<{ zip: string }>(
      `select zip from brand_zips where organization_id = $1 and state = 'pending' order by zip`,
    );
    expect(rows.map((row) => row.zip)).toEqual(own.filter((one) => !HELD.includes(one)));
    expect(complaints).toEqual([]);
  }, 120_000);

  it('proposes the first territory around the home ZIP code, once', async () => {
    const { page, complaints } = await openWorkspace(
      'state=RI&color=score:roofing&proposal=first&home=02903',
      [],
    );
    const proposal = page.getByRole('region', { name: 'A first territory around 02903' });
    await proposal.getByText('Ocean Roofing').first().waitFor(SLOWLY);
    expect(new URL(page.url()).searchParams.get('proposal')).toBeNull();
    await press(page, 'Accept');
    await page
      .getByRole('button', { name: /Ocean Roofing/ })
      .getByText(/ZIP codes/)
      .waitFor();
    expect(complaints).toEqual([]);
  }, 60_000);
});
