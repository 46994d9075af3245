/** The documentation in a browser, at two sizes and in two color schemes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { PUBLIC_EVENT_TYPES } from '../../../src/people/events/catalog.ts';
import { DOCS_PATHS } from '../../../src/doors/site/docs/guides.ts';
import { colorFaults, seriousFaults } from '../../support/accessibility.ts';
import { bareOperations, serveBare } from '../../support/bare-app.ts';
import { closePages, hasChromium, openProfile } from '../../support/maplibre.ts';

const port = await serveBare({ apiRoot: () => `${origin()}/api` });
function origin(): string {
  return `http://127.0.0.1:${port}`;
}

const SCREENS = [
  { width: 375, colorScheme: 'dark' },
  { width: 1280, colorScheme: 'light' },
] as const;
type Screen = (typeof SCREENS)[number];

describe.skipIf(!hasChromium)('the documentation', () => {
  let page: Page;
  const messages: string[] = [];
  const foreignRequests: string[] = [];
  beforeAll(async () => {
    const context = await openProfile({ permissions: ['clipboard-read', 'clipboard-write'] });
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
  afterAll(closePages);

  const overhang = () =>
    page.evaluate('document.documentElement.scrollWidth - innerWidth') as Promise<number>;

  async function show({ width, colorScheme }: Screen): Promise<void> {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    // The page's script hears of the new color scheme with the next frame, which a busy machine draws late.
    await page.evaluate(
      'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
    );
    // The reference fades from one color scheme to the other. Where colors are inherited, the end of one
    // transition starts another.
    const finishTransitions = () =>
      page.evaluate(`(() => {
        const fading = document.getAnimations().filter((one) => one instanceof CSSTransition);
        for (const one of fading) one.finish();
        return fading.length;
      })()`);
    await expect.poll(finishTransitions).toBe(0);
  }

  /** Expects that the open page is accessible and no wider than the screen. */
  async function expectFitOn(screen: Screen, faults = seriousFaults): Promise<void> {
    await show(screen);
    const found = [page.url(), screen, await faults(page), await overhang()];
    expect(found).toEqual([page.url(), screen, [], 0]);
  }

  it('is accessible on every page, and no page is wider than the screen', async () => {
    // The reference takes seconds to load. Its own tests check it.
    const others = DOCS_PATHS.filter((path) => path !== '/docs/reference');
    for (const path of [...others, '/docs/search?q=confirm']) {
      await show(SCREENS[0]);
      await page.goto(origin() + path);
      // A narrow screen shows the same text and fewer links in other colors: one page shows its own parts.
      await expectFitOn(SCREENS[0], path === others[0] ? seriousFaults : colorFaults);
      await expectFitOn(SCREENS[1]);
    }
  });

  it.each(SCREENS)(
    'has a menu that leads to every page and folds on narrow screens: $width pixels',
    async (screen) => {
      await show(screen);
      await page.goto(`${origin()}/docs/rest`);
      const menu = page.getByRole('navigation', { name: 'Documentation' });
      const link = menu.getByRole('link', { name: 'Errors' });
      expect(await link.isVisible()).toBe(screen.width > 900);
      if (screen.width <= 900) await menu.locator('summary').press('Enter');
      await link.click();
      await page.waitForURL('**/docs/errors');
      expect(await menu.locator('[aria-current=page]').textContent()).toBe('Errors');
      await page.getByRole('link', { name: 'Next' }).click();
      await page.waitForURL('**/docs/versioning');
    },
  );

  it.each(SCREENS)(
    'shows search results while typing, for the keyboard and screen readers: $width pixels',
    async (screen) => {
      await show(screen);
      await page.goto(`${origin()}/docs`);
      const input = page.getByRole('combobox', { name: 'Search the documentation' });
      await input.pressSequentially('self ho');
      const options = page.getByRole('option');
      await expect.poll(() => options.first().textContent()).toMatch(/^Self-hosting/);
      expect(await input.getAttribute('aria-expanded')).toBe('true');
      expect(await page.locator('#search-status').textContent()).toMatch(/^\d results$/);
      await expectFitOn(screen);
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
    },
  );

  it('opens the page of results on Enter without a selected result', async () => {
    await page.goto(`${origin()}/docs`);
    const input = page.getByRole('combobox', { name: 'Search the documentation' });
    await input.fill('unavailable wait');
    await input.press('Enter');
    await page.waitForURL('**/docs/search?q=unavailable+wait');
    await page.getByRole('article').getByRole('link', { name: 'Codes', exact: true }).click();
    await page.waitForURL('**/docs/errors#codes');
    expect(await page.locator('#codes').isVisible()).toBe(true);
  });

  it.each(SCREENS)(
    'copies an example with its lines when its button is pressed: $width pixels',
    async (screen) => {
      await show(screen);
      await page.goto(`${origin()}/docs/rest`);
      const example = page.locator('#rest-plan');
      await page.locator('[data-copy-from=rest-plan]').click();
      await expect.poll(() => page.locator('#copied').textContent()).toBe('Copied.');
      const copied = (await page.evaluate('navigator.clipboard.readText()')) as string;
      expect(copied).toBe(await example.textContent());
      expect(copied).toMatch(/^curl \S+ \\\n {2}-H "Authorization: .*\n {2}-d '\{"metro"/s);
    },
  );

  describe('in its reference', () => {
    beforeAll(async () => {
      // An old address of an operation
      await page.goto(`${origin()}/docs#/Maps/getMapContext`);
      await page.waitForSelector('.opblock');
    });

    it('opens the operation of the address with its parameters, examples, and errors', async () => {
      expect(page.url()).toBe(`${origin()}/docs/reference#/Maps/getMapContext`);
      const body = page.locator('#operations-Maps-getMapContext .opblock-body');
      await body.locator('.responses-wrapper .response').first().waitFor();
      const text = await body.innerText();
      expect(text).toContain('minLng,minLat,maxLng,maxLat');
      expect(text).toContain('FeatureCollection');
      expect(text).toContain('Too many requests; wait');
      for (const screen of SCREENS) await expectFitOn(screen);
    });

    it('calls an operation', async () => {
      await page.locator('#operations-tag-Service').click();
      const health = page.locator('#operations-Service-getHealth');
      await health.locator('.opblock-summary-control').click();
      await health.getByRole('button', { name: 'Try it out' }).click();
      await health.getByRole('button', { name: 'Execute' }).click();
      await page.waitForSelector('#operations-Service-getHealth .live-responses-table');
      expect(await health.locator('.live-responses-table').innerText()).toContain('"status": "ok"');
      expect(page.url()).toBe(`${origin()}/docs/reference#/Service/getHealth`);
      for (const screen of SCREENS) {
        await show(screen);
        expect([screen, await overhang()]).toEqual([screen, 0]);
      }
    });

    it('shows every operation and event of the contract', async () => {
      const shown = page.locator('.opblock-summary-path, .opblock-summary-path__deprecated');
      const closed = '.opblock-tag[data-is-open="false"]';
      const paths = await shown.allInnerTexts();
      // Opened at once, tags would have more operations than stay in the document.
      for (const id of await page.locator(closed).evaluateAll((tags) => tags.map(({ id }) => id))) {
        const tag = page.locator(`[id="${id}"]`);
        await tag.click();
        const section = page.locator('.opblock-tag-section.is-open').filter({ has: tag });
        paths.push(...(await section.locator(shown).allInnerTexts()));
        await tag.click();
      }
      const declared = bareOperations({}, '/api').map((op) => op.path);
      // Long paths may break at zero-width spaces.
      expect(paths.map((path) => path.replaceAll('\u200B', '').trim()).sort()).toEqual(
        [...declared, ...PUBLIC_EVENT_TYPES].sort(),
      );
    });
  });

  it('loads nothing from other origins and logs no error or warning', () => {
    expect(foreignRequests).toEqual([]);
    expect(messages).toEqual([]);
  });
});
