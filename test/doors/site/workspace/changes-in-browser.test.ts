/** Changes in the census on the workspace's map and in its filter, in Chromium. */
import { expect, it } from 'vitest';
import { createBrand } from '../../../../src/territories/brands/brands.ts';
import { newSignedInOwner } from '../../../people/account/organizations.ts';
import { expectFit, seriousFaults } from '../../../support/accessibility.ts';
import { browsing } from '../../../support/browser.ts';
import { testDatabase } from '../../../support/database.ts';
import { hasChromium } from '../../../support/maplibre.ts';
import { hold } from '../../../territories/brands/holding.ts';

const { db, env } = await testDatabase('sample');
const site = browsing(env);

it.skipIf(!hasChromium).each(['light', 'dark'] as const)(
  'colors and filters ZIP codes by change, in %s',
  async (colorScheme) => {
    const { tenant, session } = await newSignedInOwner(db);
    const brand = await createBrand(tenant, { name: 'Ocean Roofing' });
    const zips = await db.query<{ zip: string }>(
      `select zip from zips where state = 'RI' order by zip limit 6`,
    );
    await hold(
      tenant,
      brand,
      zips.map(({ zip }) => zip),
    );
    const { page, complaints } = await site.profile({ session, colorScheme });
    await page.goto(`${site.url}/account/map?state=RI&color=change:households`);
    const legend = page.getByRole('list', { name: 'Legend: Change of households' });
    await legend.waitFor();
    expect(await legend.innerText()).toMatch(/Fell by \d.*\n[^]*No clear change[^]*Grew by \d/);
    await page.getByText('Between 2013-2017 and 2018-2022, at the 90% level.').waitFor();
    await page.locator('.map-frame[data-shown=map]').waitFor();
    const grid = page.getByRole('grid');
    await grid.getByRole('button', { name: 'Change of households', exact: true }).waitFor();
    expect(await grid.locator('.rows [role=row]').first().innerText()).toMatch(/[+−]?\d+\.\d%/);

    await page
      .getByRole('combobox', { name: 'Filter' })
      .fill('change of households >= -90% and not clear');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /\d+ ZIP codes? selected/ }).waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await expectFit(page);

    await page.goto(`${site.url}/account/brands/ocean-roofing`);
    const line = page.locator('.census-line');
    expect(await line.innerText()).toMatch(/^Since 2013–2017: households [+−]?\d+\.\d% \(±/);
    await line.getByRole('link', { name: 'What the census says' }).click();
    const table = page.locator('.census-changes');
    await expect.poll(() => table.innerText()).toMatch(/Households[^]*Owner share/);
    expect(await seriousFaults(page)).toEqual([]);
    expect(complaints).toEqual([]);
  },
);
