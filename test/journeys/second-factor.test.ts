/** Passkeys and authenticator apps in a browser, with a virtual authenticator. */
import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seriousFaults } from '../support/accessibility.ts';
import { openAccountMenu } from '../support/account-menu.ts';
import { browsing, type Profile } from '../support/browser.ts';
import { testDatabase } from '../support/database.ts';
import { hasChromium } from '../support/maplibre.ts';
import { oneTimeCode } from '../support/one-time-code.ts';

const { db, env } = await testDatabase('empty');
const site = browsing({ ...env, SAMPLE_DATA: 'never' }, { stops: true });
const PASSWORD = 'four words make one';
const EMAIL = 'pat@example.com';

/** Passkeys don't work on IP addresses. */
const url = (path: string) => `http://localhost:${new URL(site.url).port}${path}`;

/** An authenticator in the device that verifies its user. */
async function addAuthenticator(page: Page): Promise<CDPSession> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return cdp;
}

const pathOf = (page: Page) => new URL(page.url()).pathname;

async function signOut(page: Page) {
  await page.goto(url('/account/second-factor'));
  await openAccountMenu(page);
  await page.getByRole('button', { name: 'Sign out' }).click();
  expect(pathOf(page)).toBe('/login');
}

async function enterPassword(page: Page) {
  await page.goto(url('/login'));
  await page.getByLabel('Email address').fill(EMAIL);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

describe.skipIf(!hasChromium)('a second factor', () => {
  let profile: Profile;
  let page: Page;
  let secret = '';
  let codes: string[] = [];

  beforeAll(async () => {
    profile = await site.profile({ viewport: { width: 375, height: 800 }, colorScheme: 'dark' });
    page = profile.page;
    await addAuthenticator(page);
    await page.goto(url('/signup'));
    await page.getByLabel('Organization').fill('Bright Roofs');
    await page.getByLabel('Your name').fill('Pat Miller');
    await page.getByLabel('Email address').fill(EMAIL);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Start trial' }).click();
    await page.waitForURL('**/account?*');
  });
  afterAll(() => profile.context.close());

  it('is turned on with a passkey, and recovery codes are shown once', async () => {
    await page.goto(url('/account/second-factor'));
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByRole('link', { name: 'Add a passkey' }).click();
    await page.getByLabel('Name').fill('Work laptop');
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create the passkey' }).click();
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    codes = (await page.locator('#recovery-codes').innerText()).trim().split('\n');
    expect(codes).toHaveLength(10);
    await page.getByRole('link', { name: 'I saved them' }).click();
    expect(await page.locator('main').textContent()).toContain('Work laptop');
  });

  it('is asked for after the password: the passkey signs in', async () => {
    await signOut(page);
    await enterPassword(page);
    expect(pathOf(page)).toBe('/login/second-factor');
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.waitForURL('**/account');
  });

  it('replaces the password: the passkey alone signs in', async () => {
    await signOut(page);
    await page.getByRole('link', { name: 'Sign in with a passkey' }).click();
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.waitForURL('**/account');
    await page.goto(url('/account/second-factor'));
    expect(await page.locator('main').textContent()).not.toContain('Never');
  });

  it('confirms who is there before access is given to others', async () => {
    await db.query(`update sessions set confirmed_at = '-infinity'`);
    await page.goto(url('/account/keys'));
    await page.getByLabel('Name').fill('CRM');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('heading', { name: 'Confirm that it’s you' }).waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByRole('heading', { name: 'API key “CRM”' }).waitFor();

    // Each challenge works once.
    await db.query(`update sessions set confirmed_at = '-infinity'`);
    await page.goto(url('/account/keys'));
    await page.getByLabel('Name').fill('Again');
    await page.getByRole('button', { name: 'Create key' }).click();
    await db.query('delete from passkey_challenges');
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByText('This passkey couldn’t be verified').waitFor();
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'API key “Again”' }).waitFor();
  });

  it('can’t be used in a browser without the passkey, but with a recovery code', async () => {
    const { page: other, context } = await site.profile();
    await addAuthenticator(other);
    await other.goto(url('/login/passkey'));
    await other.getByRole('button', { name: 'Use a passkey' }).click();
    await other.getByText('No passkey was used').waitFor();
    await enterPassword(other);
    await other.getByLabel('Code', { exact: true }).fill(codes[0]!);
    await other.getByRole('button', { name: 'Sign in' }).click();
    expect(pathOf(other)).toBe('/account');
    await context.close();
  });

  it('can be an authenticator app as well', async () => {
    await page.goto(url('/account/second-factor/app'));
    expect(await seriousFaults(page)).toEqual([]);
    expect(await page.getByRole('img', { name: 'QR code' }).isVisible()).toBe(true);
    await page.getByText('Can’t scan it?').click();
    secret = await page.locator('#app-secret').inputValue();
    await page.getByLabel('Code from the app').fill(oneTimeCode(secret));
    await page.getByRole('button', { name: 'Turn on' }).click();
    expect(await page.getByRole('status').first().textContent()).toContain('Second factor added');
    await signOut(page);
    await enterPassword(page);
    await page.getByLabel('Code', { exact: true }).fill(oneTimeCode(secret, 1));
    await page.getByRole('button', { name: 'Sign in' }).click();
    expect(pathOf(page)).toBe('/account');
  });

  it('works without scripts, with a code', async () => {
    const { page: plain, context } = await site.profile({ javaScriptEnabled: false });
    await enterPassword(plain);
    expect(await plain.getByText('Passkeys need a browser').isVisible()).toBe(true);
    await plain.getByLabel('Code', { exact: true }).fill(codes[1]!);
    await plain.getByRole('button', { name: 'Sign in' }).click();
    expect(pathOf(plain)).toBe('/account');
    await context.close();
  });

  it('is removed after the others', async () => {
    await page.goto(url('/account/second-factor'));
    await page.getByRole('button', { name: 'Remove the passkey Work laptop' }).click();
    await page.getByRole('button', { name: 'Remove the app' }).click();
    expect(await page.locator('main').textContent()).toContain('Yours is off');
    await signOut(page);
    await enterPassword(page);
    expect(pathOf(page)).toBe('/account');
  });

  it('has pages that fit the screen and load nothing from other sites', async () => {
    for (const path of ['', '/app', '/passkey']) {
      await page.goto(url(`/account/second-factor${path}`));
      expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([
        path,
        375,
      ]);
    }
    // The service is opened by another name than the one that the profile expects.
    const own = new URL(url('/')).origin;
    // Chromium reports the status of the page that asks who is there.
    const isExpected = (one: string) => one.startsWith(own) || one.includes('status of 403');
    expect(profile.complaints.filter((one) => !isExpected(one))).toEqual([]);
  });
});
