/** From signing up to the first API call, in a browser. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seriousFaults } from '../support/accessibility.ts';
import { openAccountMenu } from '../support/account-menu.ts';
import { browsing, type Profile } from '../support/browser.ts';
import { testDatabase } from '../support/database.ts';
import { hasChromium } from '../support/maplibre.ts';

const { env } = await testDatabase('empty');
const site = browsing({ ...env, SAMPLE_DATA: 'never' }, { stops: true });
const PASSWORD = 'four words make one';

const screens = [
  { width: 375, scripts: true, colorScheme: 'dark' as const },
  { width: 1440, scripts: true, colorScheme: 'light' as const },
  { width: 375, scripts: false, colorScheme: 'light' as const },
];

describe.skipIf(!hasChromium).each(screens)(
  'at $width pixels, $colorScheme, scripts: $scripts',
  ({ width, scripts, colorScheme }) => {
    const email = `pat${width}${scripts}@example.com`;
    let profile: Profile;
    let page: Profile['page'];
    beforeAll(async () => {
      const viewport = { width, height: 800 };
      profile = await site.profile({ viewport, colorScheme, javaScriptEnabled: scripts });
      page = profile.page;
    });
    afterAll(() => profile.context.close());

    it('a person signs up', async () => {
      await page.goto(`${site.url}/account`);
      expect(new URL(page.url()).pathname).toBe('/login');
      await page.getByRole('link', { name: 'Start a trial' }).click();
      expect(scripts ? await seriousFaults(page) : []).toEqual([]);
      await page.getByLabel('Organization').fill('Bright Roofs');
      await page.getByLabel('Your name').fill('Pat Miller');
      await page.getByLabel('Email address').fill(email);
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Start trial' }).click();
      expect(new URL(page.url()).pathname).toBe('/account');
      expect(await page.getByRole('status').textContent()).toContain('Your trial has started');
    });

    it('creates a key, shown once, and calls the API with it', async () => {
      await openAccountMenu(page);
      await page.getByRole('link', { name: 'Developers' }).click();
      await page.getByLabel('Name').fill('First key');
      await page.getByRole('radio', { name: /Read and write/ }).check();
      await page.getByRole('button', { name: 'Create key' }).click();
      const key = await page.getByLabel('API key', { exact: true }).inputValue();
      expect(await page.getByRole('button', { name: 'Copy' }).isVisible()).toBe(scripts);
      const answer = await fetch(`${site.url}/agent/capabilities`, {
        headers: { Authorization: `Bearer ${key}` },
      });
      expect(await answer.json()).toMatchObject({
        accessEnabled: true,
        mayWrite: true,
        organization: { name: 'Bright Roofs' },
      });
      await page.goto(`${site.url}/account/keys`);
      expect(await page.content()).not.toContain(key);
      expect(await page.content()).toContain(`…${key.slice(-4)}`);
    });

    it('invites a person, who joins by the link', async () => {
      await openAccountMenu(page);
      await page.getByRole('link', { name: 'Settings', exact: true }).click();
      await page.getByLabel('Name').fill('Bob');
      await page.getByLabel('Role', { exact: true }).selectOption('reviewer');
      await page.getByRole('button', { name: 'Create invitation' }).click();
      const link = await page.getByLabel('Link', { exact: true }).inputValue();
      const { page: bob, context } = await site.profile({ javaScriptEnabled: scripts });
      await bob.goto(site.url + new URL(link).pathname);
      expect(scripts ? await seriousFaults(bob) : []).toEqual([]);
      await bob.getByLabel('Your name').fill('Bob Jones');
      await bob.getByLabel('Email address').fill(`bob-${email}`);
      await bob.getByLabel('Password').fill(PASSWORD);
      await bob.getByRole('button', { name: 'Join' }).click();
      expect(new URL(bob.url()).pathname).toBe('/account');
      await context.close();
      await page.goto(`${site.url}/account/members`);
      expect(await page.locator('main').textContent()).toContain('Bob Jones');
    });

    it(`stays signed in${scripts ? '' : ' when the service restarts'}, and signs out`, async () => {
      // A restart takes as much CPU as all else in a test.
      if (!scripts) await site.restart();
      await page.goto(`${site.url}/account/sessions`);
      expect(await page.locator('main').textContent()).toContain('This browser');
      await openAccountMenu(page);
      await page.getByRole('button', { name: 'Sign out' }).click();
      expect(await page.getByRole('status').textContent()).toContain('You are signed out');
      await page.goto(`${site.url}/account`);
      expect(new URL(page.url()).pathname).toBe('/login');
    });

    it('signs in again after a wrong password', async () => {
      await page.getByLabel('Email address').fill(email);
      await page.getByRole('button', { name: 'Continue' }).click();
      expect(await page.getByLabel('Email address').inputValue()).toBe(email);
      await page.getByLabel('Password').fill('something else');
      await page.getByRole('button', { name: 'Sign in' }).click();
      expect(await page.getByRole('alert').textContent()).toContain('is wrong');
      expect(await page.getByLabel('Email address').inputValue()).toBe(email);
      profile.complaints.length = 0;
      await page.getByLabel('Password').fill(PASSWORD);
      await page.keyboard.press('Enter');
      await page.waitForURL('**/account');
    });

    it('sees pages that fit the screen, pass axe, and load nothing from other sites', async () => {
      for (const path of ['', '/keys', '/members', '/sessions', '/password']) {
        await page.goto(`${site.url}/account${path}`);
        const shown = scripts ? await page.evaluate('document.documentElement.scrollWidth') : width;
        expect([path, shown]).toEqual([path, width]);
        expect([path, scripts ? await seriousFaults(page) : []]).toEqual([path, []]);
      }
      expect(profile.complaints).toEqual([]);
    });
  },
);

it.skipIf(!hasChromium)(
  'refuses a form of another site that acts for a signed-in person',
  async () => {
    const { page, context } = await site.profile();
    await page.goto(`${site.url}/signup`);
    await page.getByLabel('Organization').fill('Victim');
    await page.getByLabel('Your name').fill('Vic');
    await page.getByLabel('Email address').fill('vic@example.com');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button').last().click();
    await page.route('http://evil.example/', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<form method="post" action="${site.url}/account/keys">
        <input name="name" value="stolen"><input name="access" value="write">
        <input name="scope" value="all"><button>Win</button></form>`,
      }),
    );
    await page.goto('http://evil.example/');
    const [answer] = await Promise.all([
      page.waitForResponse(`${site.url}/account/keys`),
      page.getByRole('button').click(),
    ]);
    expect(answer.status()).toBe(403);
    await page.goto(`${site.url}/account/keys`);
    expect(await page.locator('main').textContent()).toContain('No API keys yet');
    await context.close();
  },
);
