/** The pages of groups and of blocked requests in Chromium: two franchisees on one map. */
import { expect, it } from 'vitest';
import { changeSubscription } from '../../../src/people/account/subscription.ts';
import { applyZips } from '../../../src/territories/brands/apply.ts';
import { createBrand } from '../../../src/territories/brands/brands.ts';
import { removeZips } from '../../../src/territories/brands/remove.ts';
import { newSignedInOwner } from '../../people/account/organizations.ts';
import { expectFit } from '../../support/accessibility.ts';
import { browsing } from '../../support/browser.ts';
import { testDatabase } from '../../support/database.ts';
import { hasChromium } from '../../support/maplibre.ts';
import { hold } from '../../territories/brands/holding.ts';
import { agent } from '../../territories/brands/organization.ts';

const { db, env } = await testDatabase('sample');
const site = browsing(env);

const dallas = (
  await db.query<{ zip: string }>(
    `select zip from zips where zip like '752%' and bbox is not null order by zip limit 24`,
  )
).map(({ zip }) => zip);

it.skipIf(!hasChromium)(
  'An owner groups two brands, sees their overlaps on a map, and what the rule blocks',
  async () => {
    const { tenant, session } = await newSignedInOwner(db);
    await changeSubscription(tenant, { status: 'active' });
    const north = await createBrand(tenant, { name: 'Lone Star North' });
    const south = await createBrand(tenant, { name: 'Lone Star South' });
    await hold(tenant, north, dallas.slice(0, 12));
    await hold(tenant, south, dallas.slice(9, 20));
    const { page, complaints } = await site.profile({ session });

    await page.goto(`${site.url}/account/groups`);
    await page.getByLabel('Name').fill('Franchisees of Lone Star');
    await page.getByLabel('Lone Star North').check();
    await page.getByLabel('Lone Star South').check();
    await expectFit(page);
    await page.getByRole('button', { name: 'Create group' }).click();
    await page.getByRole('heading', { name: 'Franchisees of Lone Star' }).waitFor();
    expect(await page.getByText('which got it last').count()).toBe(3);
    const pictureWidth = () =>
      page.evaluate("document.querySelector('.group-picture img').naturalWidth");
    await expect.poll(pictureWidth).toBe(1920);

    await page.getByLabel('ZIP codes', { exact: true }).fill(`${dallas[21]} ${dallas[22]}`);
    await page.getByLabel('Reason').fill('Sale in progress');
    await page.getByLabel('Last day').fill('2999-03-31');
    await page.getByRole('button', { name: 'Reserve', exact: true }).click();
    await page.getByText('No brand of the group can request these ZIP codes.').waitFor();
    await expectFit(page);
    await page.goto(`${site.url}/account/groups`);
    await expectFit(page);

    // A request that waited when another brand got the ZIP codes
    await tenant.query(`update brand_groups set rule = 'warn' where organization_id = $1`);
    await tenant.transaction((tx) =>
      applyZips(tx, agent, south, { zips: [...dallas.slice(0, 3), dallas[23]!] }),
    );
    await tenant.query(`update brand_groups set rule = 'block' where organization_id = $1`);
    await page.goto(`${site.url}/account/reviews`);
    expect(await page.getByText('Can’t be approved:').count()).toBe(3);
    await expectFit(page);
    await page.getByLabel(/All 4 pending ZIP codes/).check();
    await page.getByRole('button', { name: 'Approve…' }).click();
    await page.getByRole('heading', { name: 'Approve one ZIP code' }).waitFor();
    await expectFit(page);

    await tenant.transaction((tx) => removeZips(tx, agent, south, { zips: dallas.slice(9, 14) }));
    await page.goto(`${site.url}/account/brands/lone-star-south/history`);
    await page.getByText('Can’t be restored now').waitFor();
    await expectFit(page);
    expect(complaints).toEqual([]);
  },
);
