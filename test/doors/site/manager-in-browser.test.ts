/** The pages of a franchise manager’s day in Chromium: the overview, a brand, and the review of a request. */
import { expect, it } from 'vitest';
import { addMember } from '../../../src/people/account/members.ts';
import { startSession } from '../../../src/people/account/sessions.ts';
import { changeSubscription } from '../../../src/people/account/subscription.ts';
import { applyZips } from '../../../src/territories/brands/apply.ts';
import { createBrand } from '../../../src/territories/brands/brands.ts';
import { newOrganization } from '../../people/account/organizations.ts';
import { expectFit } from '../../support/accessibility.ts';
import { browsing } from '../../support/browser.ts';
import { testDatabase } from '../../support/database.ts';
import { hasChromium } from '../../support/maplibre.ts';
import { hold } from '../../territories/brands/holding.ts';
import { agent, DALLAS } from '../../territories/brands/organization.ts';

const { db, env } = await testDatabase('sample');
const { organization, tenant } = await newOrganization(db);
await changeSubscription(tenant, { status: 'active' });
const star = await createBrand(tenant, { name: 'Star' });
const moon = await createBrand(tenant, { name: 'Moon' });
await hold(tenant, star, DALLAS);
await hold(tenant, moon, DALLAS.slice(0, 2));
await tenant.transaction((tx) =>
  applyZips(tx, agent, moon, { zips: DALLAS.slice(2, 4), note: 'We get calls from here' }),
);
const { id } = await addMember(tenant, { email: 'pat@example.com', name: 'Pat', role: 'owner' });
const place = { userAgent: '', client: '' };
const session = await startSession(db, id, place, { organizationId: organization.id });

const site = browsing(env);

it.skipIf(!hasChromium)(
  'lead from what waits to its map and effect, and from the approval to the map',
  async () => {
    const { page, complaints } = await site.profile({ session });
    await page.goto(`${site.url}/account`);
    await page.getByRole('img', { name: /Map of your territories/ }).waitFor();
    await expectFit(page);
    await page.getByRole('link', { name: '2 ZIP codes for Moon' }).click();
    await page.getByRole('heading', { name: 'Approve 2 ZIP codes' }).waitFor();
    await page.locator('.territory-map canvas').waitFor();
    await page.getByRole('columnheader', { name: 'If approved' }).waitFor();
    await expectFit(page);
    await page.getByRole('button', { name: 'Approve 2 ZIP codes' }).click();
    await page.getByRole('link', { name: 'See them on the map' }).click();
    await page.waitForURL(/\/account\/map\?/);
    expect(complaints).toEqual([]);
  },
);

it.skipIf(!hasChromium)('fit phones and desktops, light and dark, and pass axe', async () => {
  const { page, complaints } = await site.profile({ session });
  for (const path of ['/usage', '/reviews/settings', '/brands/star', '/brands/star/analysis']) {
    await page.goto(`${site.url}/account${path}`);
    await expectFit(page);
  }
  await page.goto(`${site.url}/account/brands/star`);
  await page.getByRole('link', { name: 'Households' }).click();
  await page.getByRole('columnheader', { name: /Households/ }).waitFor();
  expect(new URL(page.url()).searchParams.get('sort')).toBe('households');
  await page.getByRole('checkbox', { name: `Select ${DALLAS[0]}` }).check();
  await page.getByRole('button', { name: 'Remove selected…' }).click();
  await page.getByText('1 ZIP code will be removed from Star.').waitFor();
  expect(complaints).toEqual([]);
});
