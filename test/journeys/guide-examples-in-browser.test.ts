/** The guides' HTML examples in Chromium, on a page of another site than the service. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { makeDemo } from '../../src/territories/demo/demo.ts';
import { projectFile } from '../../src/base/geodata/project-files.ts';
import { GUIDES } from '../../src/doors/site/docs/guides.ts';
import { testDatabase } from '../support/database.ts';
import { closePages, hasChromium, openProfile } from '../support/maplibre.ts';
import { startService } from '../support/processes.ts';
import { isWrittenIn, placeholders } from '../doors/site/docs/guide-examples.ts';

const { db, env } = await testDatabase('sample');
const { key } = (await makeDemo(db))!;
const service = await startService(env);
afterAll(() => service.stop());
const { withCredentials, served } = placeholders(service, key);

describe.skipIf(!hasChromium)('HTML examples on a page of another site', () => {
  afterAll(closePages);

  const codeOf = (id: string) =>
    withCredentials(GUIDES.flatMap(served).find((example) => example.id === id)!.code);

  /** Serves the page with the files that it loads from the internet. */
  async function open(html: string): Promise<{ tab: Page; complaints: string[] }> {
    // Another port is another origin.
    const site = createServer((request, response) => {
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      response.end(request.url === '/' ? html : '');
    }).listen(0, '127.0.0.1');
    await once(site, 'listening');
    onTestFinished(() => void site.close());
    const context = await openProfile({ viewport: { width: 1200, height: 800 } });
    await context.route('https://unpkg.com/*/dist/*', (route) => {
      const { pathname } = new URL(route.request().url());
      const [, library, file] = /^\/([\w-]+)@[\d.]+(\/dist\/.+)$/.exec(pathname)!;
      return route.fulfill({
        path: projectFile(`node_modules/${library}${file}`),
        headers: { 'Access-Control-Allow-Origin': '*' },
        contentType: file!.endsWith('.css') ? 'text/css' : 'text/javascript',
      });
    });
    const tab = await context.newPage();
    const complaints: string[] = [];
    tab.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    tab.on('pageerror', (error) => complaints.push(error.message));
    await tab.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    return { tab, complaints };
  }

  it('are all tested', () => {
    const ids = GUIDES.flatMap(served)
      .filter(isWrittenIn('html'))
      .map(({ id }) => id);
    expect(ids).toEqual([
      'maps-maplibre',
      'maps-embed',
      'maps-check',
      'maps-check-form',
      'maps-leaflet',
      'locators-component',
      'locators-frame',
    ]);
  });

  it('maps-maplibre shows scores for a click in the selected vertical', async () => {
    const { tab, complaints } = await open(codeOf('maps-maplibre'));
    const styles: string[] = [];
    tab.on('request', (request) => {
      if (request.url().includes('/styles/')) styles.push(request.url());
    });
    const popup = tab.locator('.maplibregl-popup-content');
    const answer = async () => {
      await tab.mouse.click(600, 400);
      return (await popup.count()) > 0 ? popup.last().innerText() : '';
    };
    const patience = { interval: 500 };
    await expect.poll(answer, patience).toMatch(/^\d{5}: (\d+ or more|unknown)/);
    await tab.getByLabel('Vertical').selectOption('hvac');
    await expect.poll(() => styles, patience).toEqual([expect.stringContaining('vertical=hvac')]);
    await expect.poll(answer, patience).toMatch(/^\d{5}: (\d+ or more|unknown)/);
    expect(await tab.locator('.maplibregl-ctrl-attrib').innerText()).toContain('Sample data');
    expect(complaints).toEqual([]);
  });

  it('maps-leaflet shows the territory on raster tiles, with a popup', async () => {
    const { tab, complaints } = await open(codeOf('maps-leaflet'));
    await tab.locator('.leaflet-tile-loaded').first().waitFor();
    await tab.locator('path.leaflet-interactive').first().dispatchEvent('click');
    expect(await tab.locator('.leaflet-popup-content').innerText()).toMatch(/^\d{5}$/);
    expect(await tab.locator('.leaflet-control-attribution').innerText()).toContain(
      'Natural Earth',
    );
    expect(complaints).toEqual([]);
  });

  it('maps-embed frames the shared map', async () => {
    const { tab, complaints } = await open(codeOf('maps-embed'));
    const frame = tab.frameLocator('iframe[title="Where we work"]');
    await frame.locator('canvas').first().waitFor();
    expect(complaints).toEqual([]);
  });

  it('locators-component and locators-frame tell who serves a ZIP code', async () => {
    const { tab, complaints } = await open(codeOf('locators-component') + codeOf('locators-frame'));
    await tab.getByLabel('ZIP code').fill('75201');
    await tab.getByRole('button', { name: 'Find' }).click();
    await tab.getByText('Lone Star Roofing').first().waitFor();
    const frame = tab.frameLocator('iframe');
    await frame.getByLabel('Código postal').fill('90210');
    await frame.getByRole('button').click();
    await frame.getByText('Todavía no atendemos esta zona.').waitFor();
    expect(complaints).toEqual([]);
  });

  it('maps-check and maps-check-form tell whether the brand serves a ZIP code', async () => {
    const { tab, complaints } = await open(codeOf('maps-check') + codeOf('maps-check-form'));
    const frame = tab.frameLocator('iframe');
    await frame.getByLabel('ZIP code').fill('75201');
    await frame.getByRole('button').click();
    const answer = /^Yes, /;
    await frame.getByText(answer).first().waitFor();
    await tab.getByLabel('Your ZIP code').fill('90210');
    const [opened] = await Promise.all([
      tab.waitForEvent('popup'),
      tab.getByRole('button', { name: 'Check' }).click(),
    ]);
    await opened.getByText(/^No, /).first().waitFor();
    expect(complaints).toEqual([]);
  });
});
