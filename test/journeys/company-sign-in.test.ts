/** Company sign-in in Chromium: set up by an owner, used by employees, and ended at the provider. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { vouchForDomains } from '../../src/people/account/company-sign-in/domain-ownership.ts';
import { callbackPath, logoutPath } from '../../src/people/account/company-sign-in/addresses.ts';
import { seriousFaults } from '../support/accessibility.ts';
import { browsing, type Profile } from '../support/browser.ts';
import { testDatabase } from '../support/database.ts';
import { hasChromium } from '../support/maplibre.ts';
import { startCompanyProvider } from '../support/servers/company-provider.ts';

const { db, env } = await testDatabase('empty');
const site = browsing(
  { ...env, SAMPLE_DATA: 'never', ISSUER_NETWORKS: '127.0.0.1' },
  { stops: true },
);
const PASSWORD = 'four words make one';
const OWNER = 'olive@bright.example';
const EMPLOYEE = 'alex@bright.example';
const COLLEAGUE = 'casey@bright.example';
/** The service looks for due checks about every ten seconds. */
const CHECK_MS = 30_000;

/** The provider sends browsers to the service's own name for itself. */
const home = () => `http://localhost:${new URL(site.url).port}`;

const pathOf = (page: Page) => new URL(page.url()).pathname;
const textOf = (page: Page) => page.locator('main').innerText();

/** From a page of the account to the provider and back */
async function signIn(page: Page, email: string) {
  await page.goto(`${home()}/account/activity`);
  expect(pathOf(page)).toBe('/login');
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Company sign-in' }).waitFor();
  expect(await page.getByLabel('Email').inputValue()).toBe(email);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/account/activity*');
}

describe.skipIf(!hasChromium)('company sign-in', async () => {
  const provider = await startCompanyProvider();
  await provider.employ({ email: OWNER, name: 'Olive Owner' });
  const account = await provider.employ({ email: EMPLOYEE, name: EMPLOYEE });
  const colleagueAccount = await provider.employ({ email: COLLEAGUE, name: COLLEAGUE });
  let owner: Profile;
  let employee: Profile;
  let colleague: Profile;

  beforeAll(async () => {
    owner = await site.profile();
    const phone = { viewport: { width: 375, height: 800 }, colorScheme: 'dark' } as const;
    employee = await site.profile(phone);
    colleague = await site.profile({ javaScriptEnabled: false });
    const { page } = owner;
    await page.goto(`${home()}/signup`);
    await page.getByLabel('Organization').fill('Bright Roofs');
    await page.getByLabel('Your name').fill('Olive Owner');
    await page.getByLabel('Email address').fill(OWNER);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Start trial' }).click();
    await page.waitForURL('**/account?*');
    const [organization] = await db.query<{ id: string }>('select id from organizations');
    await provider.register({
      redirectUri: home() + callbackPath(organization!.id),
      logoutUri: home() + logoutPath(organization!.id),
    });
  });
  afterAll(async () => {
    for (const { context } of [owner, employee, colleague]) await context.close();
  });

  it('is set up by an owner, who sees that the connection works', async () => {
    const { page } = owner;
    await page.goto(`${home()}/account/company-sign-in`);
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByLabel('Issuer').fill(provider.issuer);
    await page.getByLabel('Client ID').fill(provider.clientId);
    await page.getByLabel('Client secret').fill('wrong');
    await page.getByLabel('Email domains').fill('bright.example');
    await page.getByLabel('New people').selectOption('member');
    await page.getByRole('button', { name: 'Test and save' }).click();
    expect(await page.getByRole('alert').innerText()).toContain('Nothing was saved');
    await page.getByLabel('Client secret').fill(provider.clientSecret);
    await page.getByRole('button', { name: 'Test and save' }).click();
    expect(await page.getByRole('status').first().innerText()).toContain('The connection works');
    expect(await seriousFaults(page)).toEqual([]);
  });

  it('leads people to the provider once an operator vouches for the domain', async () => {
    const { page } = owner;
    const name = page.getByLabel('Name of the TXT record');
    expect(await name.inputValue()).toBe('_territory-sign-in.bright.example');
    const [organization] = await db.query<{ id: string }>('select id from organizations');
    await vouchForDomains(db, organization!.id, ['bright.example']);
    await page.goto(`${home()}/account/company-sign-in`);
    expect(await textOf(page)).toContain('The operator of this service vouches for it');
    expect(await seriousFaults(page)).toEqual([]);
  });

  it('is required once the owner has signed in with it', async () => {
    const { page } = owner;
    await page.getByRole('link', { name: 'Sign in with your company account' }).click();
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Continue to' }).click();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/account/company-sign-in');
    expect(await textOf(page)).toContain('Last sign-in: Olive Owner');
    await page.getByLabel('All', { exact: true }).check();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    expect(await page.getByRole('status').first().innerText()).toContain('is now required');
  });

  it('signs employees in, on a phone and without scripts', async () => {
    await signIn(employee.page, EMPLOYEE);
    expect(await seriousFaults(employee.page)).toEqual([]);
    await signIn(colleague.page, COLLEAGUE);
    await employee.page.goto(`${home()}/account/reviews/confirm`);
    expect(await textOf(employee.page)).not.toContain('Approve');
  });

  it('leaves roles to the owner', async () => {
    const { page } = owner;
    await page.goto(`${home()}/account/members`);
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByLabel(`Role of ${EMPLOYEE}`).selectOption('admin');
    await page.getByRole('button', { name: `Change the role of ${EMPLOYEE}` }).click();
    expect(await page.getByRole('status').first().innerText()).toContain('Role changed');
    await employee.page.goto(`${home()}/account/keys`);
    expect(await textOf(employee.page)).toContain('Create');
  });

  it('ends at once when the provider signs an account out', async () => {
    await colleague.page.goto(`${home()}/account`);
    expect(pathOf(colleague.page)).toBe('/account');
    expect(await provider.signOut(colleagueAccount)).toBe(1);
    await colleague.page.reload();
    expect(pathOf(colleague.page)).toBe('/login');
  });

  it('ends by itself when the account is removed at the provider', async () => {
    await provider.remove(account);
    await db.query('update company_grants set check_at = now()');
    const openAccount = async () => {
      await employee.page.goto(`${home()}/account`);
      return pathOf(employee.page);
    };
    await expect.poll(openAccount, { timeout: CHECK_MS, interval: 500 }).toBe('/login');
    await employee.page.getByRole('link', { name: 'Sign in with a password' }).click();
    await employee.page.getByLabel('Email address').fill(EMPLOYEE);
    await employee.page.getByLabel('Password').fill(PASSWORD);
    await employee.page.getByRole('button', { name: 'Sign in' }).click();
    expect(await employee.page.getByRole('alert').innerText()).toContain('is wrong');
    await owner.page.goto(`${home()}/account/members`);
    expect(await textOf(owner.page)).toContain('Ended by the provider');
  });
});
