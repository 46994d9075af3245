/** The documentation in a browser, at two sizes and in two color schemes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { operations } from '../../src/app.ts';
import { DOCS_PATHS } from '../../src/site/docs/guides.ts';
import { seriousFaults } from '../support/accessibility.ts';
import { bareParts, serveBare } from '../support/bare-app.ts';
import { closePages, hasChromium, openChromium } from '../support/maplibre.ts';

const port = await serveBare({ apiRoot: () => `${origin()}/api` });
function origin(): string {
  return `http://127.0.0.1:${port}`;
}

const overhang = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth - innerWidth') as Promise<number>;

describe.skipIf(!hasChromium).each([
  [375, 'dark'],
  [1280, 'light'],
] as const)('at a width of %d pixels, %s', (width, colorScheme) => {
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  const messages: string[] = [];
  const foreignRequests: string[] = [];
  beforeAll(async () => {
    browser = await openChromium();
    context = await browser.newContext({
      viewport: { width, height: 900 },
      colorScheme,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    page = await context.newPage();
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) messages.push(message.text());
    });
    page.on('pageerror', (error) => messages.push(error.message));
    page.on('request', (request) => {
      const { protocol, origin: from } = new URL(request.url());
      if (protocol !== 'data:' && from !== origin()) foreignRequests.push(request.url());
    });
  });
  afterAll(() => closePages(browser));

  it('every page is accessible and no wider than the screen', async () => {
    // The reference takes seconds to load. Its own tests check it.
    const others = DOCS_PATHS.filter((path) => path !== '/docs/reference');
    for (const path of [...others, '/docs/search?q=confirm']) {
      await page.goto(origin() + path);
      expect([path, await seriousFaults(page), await overhang(page)]).toEqual([path, [], 0]);
    }
  });

  it('the menu leads to every page and folds on narrow screens', async () => {
    await page.goto(`${origin()}/docs/rest`);
    const menu = page.getByRole('navigation', { name: 'Documentation' });
    const link = menu.getByRole('link', { name: 'Errors' });
    expect(await link.isVisible()).toBe(width > 900);
    if (width <= 900) await menu.locator('summary').press('Enter');
    await link.click();
    await page.waitForURL('**/docs/errors');
    expect(await menu.locator('[aria-current=page]').textContent()).toBe('Errors');
    await page.getByRole('link', { name: 'Next' }).click();
    await page.waitForURL('**/docs/versioning');
  });

  it('search shows results while typing, for the keyboard and screen readers', async () => {
    await page.goto(`${origin()}/docs`);
    const input = page.getByRole('combobox', { name: 'Search the documentation' });
    await input.pressSequentially('self ho');
    const options = page.getByRole('option');
    await expect.poll(() => options.first().textContent()).toMatch(/^Self-hosting/);
    expect(await input.getAttribute('aria-expanded')).toBe('true');
    expect(await page.locator('#search-status').textContent()).toMatch(/^\d results$/);
    expect([await seriousFaults(page), await overhang(page)]).toEqual([[], 0]);
    await input.press('Escape');
    expect(await page.getByRole('listbox').isVisible()).toBe(false);
    await input.fill('docker');
    await expect.poll(() => options.first().textContent()).toMatch(/^Start with Docker/);
    await input.press('ArrowDown');
    const active = await input.getAttribute('aria-activedescendant');
    expect(await page.locator(`#${active}`).getAttribute('aria-selected')).toBe('true');
    await input.press('Enter');
    await page.waitForURL('**/docs/self-hosting#start-with-docker');
    expect(await page.locator('#start-with-docker').isVisible()).toBe(true);
  });

  it('Enter without a selected result opens the page of results', async () => {
    await page.goto(`${origin()}/docs`);
    const input = page.getByRole('combobox', { name: 'Search the documentation' });
    await input.fill('unavailable wait');
    await input.press('Enter');
    await page.waitForURL('**/docs/search?q=unavailable+wait');
    await page.getByRole('article').getByRole('link', { name: 'Codes', exact: true }).click();
    await page.waitForURL('**/docs/errors#codes');
    expect(await page.locator('#codes').isVisible()).toBe(true);
  });

  it('a button copies an example with its lines', async () => {
    await page.goto(`${origin()}/docs/rest`);
    const example = page.locator('#rest-plan');
    await page.locator('[data-copy-from=rest-plan]').click();
    await expect.poll(() => page.locator('#copied').textContent()).toBe('Copied.');
    const copied = (await page.evaluate('navigator.clipboard.readText()')) as string;
    expect(copied).toBe(await example.textContent());
    expect(copied).toMatch(/^curl \S+ \\\n {2}-H "Authorization: .*\n {2}-d '\{"metro"/s);
  });

  describe('the reference', () => {
    beforeAll(async () => {
      // An old address of an operation
      await page.goto(`${origin()}/docs#/Maps/getMapContext`);
      await page.waitForSelector('.opblock');
    });

    it('shows every operation of the contract', async () => {
      const paths = await page
        .locator('.opblock-summary-path, .opblock-summary-path__deprecated')
        .allInnerTexts();
      const declared = operations(bareParts(), '/api').map((op) => op.path);
      // Long paths may break at zero-width spaces.
      expect(paths.map((path) => path.replaceAll('\u200B', '').trim()).sort()).toEqual(
        declared.sort(),
      );
    });

    it('opens the operation of the address with its parameters, examples and errors', async () => {
      expect(page.url()).toBe(`${origin()}/docs/reference#/Maps/getMapContext`);
      const body = page.locator('#operations-Maps-getMapContext .opblock-body');
      await body.locator('.responses-wrapper .response').first().waitFor();
      const text = await body.innerText();
      expect(text).toContain('minLng,minLat,maxLng,maxLat');
      expect(text).toContain('FeatureCollection');
      expect(text).toContain('Too many requests; wait');
      expect([await seriousFaults(page), await overhang(page)]).toEqual([[], 0]);
    });

    it('tries an operation out', async () => {
      const health = page.locator('#operations-Service-getHealth');
      await health.locator('.opblock-summary-control').click();
      await health.getByRole('button', { name: 'Try it out' }).click();
      await health.getByRole('button', { name: 'Execute' }).click();
      await page.waitForSelector('#operations-Service-getHealth .live-responses-table');
      expect(await health.locator('.live-responses-table').innerText()).toContain('"status": "ok"');
      expect(page.url()).toBe(`${origin()}/docs/reference#/Service/getHealth`);
      expect(await overhang(page)).toBe(0);
    });
  });

  it('loads nothing from other origins and logs no error or warning', () => {
    expect(foreignRequests).toEqual([]);
    expect(messages).toEqual([]);
  });
});
