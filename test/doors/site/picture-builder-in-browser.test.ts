/** The picture builder in Chromium, and its URL on a page of another site. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { seriousFaults } from '../../support/accessibility.ts';
import { browsing } from '../../support/browser.ts';
import { testDatabase } from '../../support/database.ts';
import { hasChromium } from '../../support/maplibre.ts';

const { env } = await testDatabase('sample');
const site = browsing(env);

describe.skipIf(!hasChromium)('the picture builder', () => {
  it('shows the picture of changed fields, whose HTML works on another site', async () => {
    const { page, complaints, context } = await site.profile();
    await page.goto(`${site.url}/picture-builder?width=300&height=200`);
    expect(await seriousFaults(page)).toEqual([]);
    await page.selectOption('#style', 'dark');
    await page.fill('#view', '-96.8,32.8,8');
    const shown = '/static/dark/metro:dallas-tx:roofing/-96.8,32.8,8/300x200@2x.png';
    await page.waitForSelector(`#result img[src*="${shown}"]`);
    expect(page.url()).toContain('style=dark');
    const code = await page.inputValue('#picture-html');
    expect(complaints).toEqual([]);

    const elsewhere = createServer((_, res) => {
      res.setHeader('Content-Type', 'text/html').end(`<!doctype html>${code}`);
    }).listen(0, '127.0.0.1');
    afterAll(() => void elsewhere.close());
    await once(elsewhere, 'listening');
    await page.goto(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`);
    await expect.poll(() => page.evaluate(`document.images[0].naturalWidth`)).toBe(600);
    await context.close();
  });
});
