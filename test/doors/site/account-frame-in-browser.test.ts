/** The frame of the account area in Chromium: its bar, times, and fields for passwords. */
import { expect, it } from 'vitest';
import { addMember } from '../../../src/people/account/members.ts';
import { createOrganization } from '../../../src/people/account/organizations.ts';
import { startSession } from '../../../src/people/account/sessions.ts';
import { tenantOf } from '../../../src/people/account/tenant.ts';
import { addBrand } from '../../../src/territories/brands/brands.ts';
import { expectFit } from '../../support/accessibility.ts';
import { browsing } from '../../support/browser.ts';
import { testDatabase } from '../../support/database.ts';
import { hasChromium } from '../../support/maplibre.ts';

const { db, env } = await testDatabase('sample');
const site = browsing(env);

/** The session of a member of two organizations, whose names are as long as names get in practice */
const session = await signIn();

async function signIn(): Promise<string> {
  const email = 'jo@example.com';
  const name = 'Wilhelmina Featherstonehaugh-Montgomery';
  const join = async (organizationName: string) => {
    const { id } = await createOrganization(db, { name: organizationName });
    const tenant = tenantOf(db, id);
    const member = await addMember(tenant, { email, name, role: 'owner' });
    await addBrand(tenant, { kind: 'person', id: member.id, name }, { name: 'Lone Star Roofing' });
    return { personId: member.id, organizationId: id };
  };
  await join('Consolidated Franchise Holdings of the Southern States');
  const { personId, organizationId } = await join('Lone Star Home Services Franchise Group');
  return startSession(db, personId, { userAgent: '', client: '' }, { organizationId });
}

it.skipIf(!hasChromium)(
  'takes two rows at 1440 pixels and one line on a phone, where a button opens it',
  async () => {
    const { page, complaints } = await site.profile({ session });
    await page.goto(`${site.url}/account/members`);
    const bar = page.locator('.account-bar');
    const heightPx = () => bar.evaluate((element) => element.clientHeight);
    const tops = (selector: string) =>
      bar
        .locator(selector)
        .evaluateAll((links) => [
          ...new Set(
            links
              .filter((one) => one.checkVisibility())
              .map((one) => Math.round(one.getBoundingClientRect().top)),
          ),
        ]);
    for (const width of [1440, 1200]) {
      await page.setViewportSize({ width, height: 900 });
      expect([width, (await tops('nav a')).length]).toEqual([width, 2]);
      expect(await heightPx()).toBeLessThan(110);
    }
    await page.setViewportSize({ width: 375, height: 740 });
    expect(await heightPx()).toBeLessThan(60);
    expect(await tops('nav a')).toEqual([]);

    await page.getByRole('button', { name: 'Menu. You are at Settings · Members' }).press('Enter');
    await page.getByRole('link', { name: 'Webhooks' }).waitFor();
    await page.keyboard.press('Escape');
    expect(await tops('nav a')).toEqual([]);
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor();
    await expectFit(page);
    expect(complaints).toEqual([]);
  },
);

it.skipIf(!hasChromium)('shows times in the time zone of the browser', async () => {
  const { page } = await site.profile({ session, timezoneId: 'Pacific/Honolulu' });
  await page.goto(`${site.url}/account/activity`);
  const time = page.locator('.trail time').first();
  const at = new Date((await time.getAttribute('datetime'))!);
  await expect
    .poll(() => time.textContent())
    .toBe(
      at.toLocaleString('en-US', {
        dateStyle: 'medium',
        timeStyle: 'short',
        timeZone: 'Pacific/Honolulu',
      }),
    );
  const plain = await site.profile({ session, javaScriptEnabled: false });
  await plain.page.goto(`${site.url}/account/activity`);
  expect(await plain.page.locator('.trail time').first().textContent()).toMatch(/ UTC$/);
});

it.skipIf(!hasChromium)('shows a password while one types it, on every page with one', async () => {
  const signedIn = await site.profile({ session });
  const visitor = await site.profile();
  for (const [{ page, complaints }, path] of [
    [visitor, '/login?with=password'],
    [visitor, '/signup'],
    [signedIn, '/account/password'],
    [signedIn, '/account/company-sign-in'],
  ] as const) {
    await page.goto(site.url + path);
    const fields = page.locator('.password');
    await fields.first().waitFor();
    expect([path, await page.locator('input[type=password]').count()]).toEqual([
      path,
      await fields.count(),
    ]);
    for (const field of await fields.all()) {
      const [input, button] = [field.locator('input'), field.getByRole('button')];
      await input.fill('four words make one');
      await button.click();
      expect(await input.getAttribute('type')).toBe('text');
      expect(await button.textContent()).toMatch(/^\s*Hide /);
      await button.press('Enter');
      expect(await input.getAttribute('type')).toBe('password');
    }
    await expectFit(page);
    expect(complaints).toEqual([]);
  }
  const plain = await site.profile({ javaScriptEnabled: false });
  await plain.page.goto(`${site.url}/signup`);
  await plain.page.getByLabel('Password').waitFor();
  expect(await plain.page.getByRole('button', { name: 'Show' }).count()).toBe(0);
});
