/** The documentation as readers meet it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { operations } from '../../src/app.ts';
import { DOCS_PATHS } from '../../src/site/docs/documentation.ts';
import { seriousFaults } from '../support/accessibility.ts';
import { bareParts, serveBare } from '../support/bare-app.ts';
import { hasChromium, launchChromium } from '../support/maplibre.ts';

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
  const complaints: string[] = [];
  const strangers: string[] = [];
  beforeAll(async () => {
    browser = await launchChromium();
    context = await browser.newContext({
      viewport: { width, height: 900 },
      colorScheme,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    page = await context.newPage();
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      const { protocol, origin: from } = new URL(request.url());
      if (protocol !== 'data:' && from !== origin()) strangers.push(request.url());
    });
  });
  afterAll(() => browser.close());

  it('every page can be used by all, and is no wider than the screen', async () => {
    for (const path of [...DOCS_PATHS, '/docs/search?q=confirm']) {
      await page.goto(origin() + path);
      if (path === '/docs/reference') await page.waitForSelector('.opblock');
      expect([path, await seriousFaults(page), await overhang(page)]).toEqual([path, [], 0]);
    }
  });

  it('the menu leads on, folded where there is no room for it', async () => {
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

  it('the search leads to the part that has the words', async () => {
    await page.goto(`${origin()}/docs`);
    await page.getByRole('searchbox').fill('unavailable wait');
    await page.getByRole('searchbox').press('Enter');
    await page.getByRole('link', { name: 'Codes' }).click();
    await page.waitForURL('**/docs/errors#codes');
    expect(await page.locator('#codes').isVisible()).toBe(true);
  });

  it('a button copies an example as it stands, lines and all', async () => {
    await page.goto(`${origin()}/docs/rest`);
    const example = page.locator('#rest-plan');
    await page.locator('[data-copy-from=rest-plan]').click();
    await expect.poll(() => page.getByRole('status').textContent()).toBe('Copied.');
    const copied = (await page.evaluate('navigator.clipboard.readText()')) as string;
    expect(copied).toBe(await example.textContent());
    expect(copied).toMatch(/^curl \S+ \\\n {2}-H "Authorization: .*\n {2}-d '\{"metro"/s);
  });

  describe('the reference', () => {
    beforeAll(async () => {
      // Its address of old, with the place of an operation
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
      expect(text).toContain('Rate limited');
      expect(await seriousFaults(page)).toEqual([]);
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

  it('asks nothing of another origin and meets no error or warning', () => {
    expect(strangers).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
