/** The reference of the interface as readers meet it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { operations } from '../../src/app.ts';
import { bareParts, serveBare } from '../support/bare-app.ts';
import { hasChromium, launchChromium } from '../support/maplibre.ts';

const port = await serveBare({ apiRoot: () => `${origin()}/api` });
function origin(): string {
  return `http://127.0.0.1:${port}`;
}

const WIDTHS = [375, 1280];

describe.skipIf(!hasChromium).each(WIDTHS)('the reference at a width of %d pixels', (width) => {
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];
  const strangers: string[] = [];
  beforeAll(async () => {
    browser = await launchChromium();
    page = await browser.newPage({ viewport: { width, height: 900 } });
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      const { protocol, origin: from } = new URL(request.url());
      if (protocol !== 'data:' && from !== origin()) strangers.push(request.url());
    });
    await page.goto(`${origin()}/docs`);
    await page.waitForSelector('.opblock');
  });
  afterAll(() => browser.close());

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

  it('opens an operation with its parameters, examples and errors', async () => {
    await page.locator('#operations-Maps-getMapContext .opblock-summary-control').click();
    const body = page.locator('#operations-Maps-getMapContext .opblock-body');
    await body.locator('.responses-wrapper .response').first().waitFor();
    const text = await body.innerText();
    expect(text).toContain('minLng,minLat,maxLng,maxLat');
    expect(text).toContain('FeatureCollection');
    expect(text).toContain('Rate limited');
  });

  it('tries an operation out', async () => {
    const health = page.locator('#operations-Service-getHealth');
    await health.locator('.opblock-summary-control').click();
    await health.getByRole('button', { name: 'Try it out' }).click();
    await health.getByRole('button', { name: 'Execute' }).click();
    await page.waitForSelector('#operations-Service-getHealth .live-responses-table');
    expect(await health.locator('.live-responses-table').innerText()).toContain('"status": "ok"');
  });

  it('is no wider than the screen', async () => {
    const overhang = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(overhang).toBe(0);
  });

  it('asks nothing of another origin and meets no error or warning', () => {
    expect(strangers).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
