/** A locator in Chromium: customers with a phone, a keyboard, and a screen reader, and the websites that contain it. */
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { createBrand } from '../../../src/territories/brands/brands.ts';
import { createLocator } from '../../../src/territories/serving/locators.ts';
import { changeSubscription } from '../../../src/people/account/subscription.ts';
import { newSignedInOwner } from '../../people/account/organizations.ts';
import { expectFit, seriousFaults } from '../../support/accessibility.ts';
import { browsing } from '../../support/browser.ts';
import { testDatabase } from '../../support/database.ts';
import { hasChromium } from '../../support/maplibre.ts';
import { hold } from '../../territories/brands/holding.ts';
import { agent } from '../../territories/brands/organization.ts';

const { db, env } = await testDatabase('sample');
const site = browsing(env);
const { tenant, session } = await newSignedInOwner(db);
await changeSubscription(tenant, { status: 'active' });
const star = await createBrand(tenant, { name: 'Lone Star Roofing' });
await hold(tenant, star, ['75201']);
await tenant.query(
  `insert into brand_contacts (organization_id, brand_id, public_name, phone, url, changed_by)
   values ($1, $2, 'Lone Star of Dallas', '(214) 555-0100', 'https://example.com/dallas', '{}')`,
  [star.id],
);
await tenant.query(
  `insert into places (organization_id, brand_id, name, kind, point, located_by, address, hours, created_by, changed_by)
   values ($1, $2, 'Uptown office', 'office', st_setsrid(st_makepoint(-96.8, 32.79), 4326), 'coordinates',
     '2700 McKinney Ave, Dallas', 'Mon–Fri 8–5', '{}', '{}')`,
  [star.id],
);
const { code } = await tenant.transaction((tx) =>
  createLocator(tx, agent, {
    title: 'Website',
    accent: '#e06100',
    candidateEmail: 'growth@example.com',
    vertical: 'roofing',
    words: { en: { heading: 'Find your roofer' } },
  }),
);

const PHONE = { viewport: { width: 375, height: 740 }, hasTouch: true, isMobile: true };
const focused = (page: Page) =>
  page.evaluate<string>(
    `(() => { let at = document.activeElement; while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
      return at.getAttribute('aria-label') ?? at.textContent.trim(); })()`,
  );

it.skipIf(!hasChromium)(
  'A customer finds the franchisee on a phone, by keyboard and screen reader, without cookies',
  async () => {
    const { page, context, complaints } = await site.profile(PHONE);
    await page.goto(`${site.url}/find/${code}`);
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Español');
    await page.keyboard.press('Tab');
    await page.keyboard.type('75201');
    await page.keyboard.press('Enter');
    await page.getByText('Lone Star of Dallas serves 75201 (Dallas, TX).').waitFor();
    // Screen readers start with the title, and then the answer, which has the focus.
    expect(await page.title()).toBe(
      'Lone Star of Dallas serves 75201 (Dallas, TX). · Find your roofer',
    );
    await expect.poll(() => focused(page)).toBe('Answer');
    expect(await page.getByRole('status', { name: 'Answer' }).ariaSnapshot()).toMatch(
      /Lone Star of Dallas serves[^]*link "Call \(214\) 555-0100"[^]*link "Visit the website"[^]*Nearest location[^]*Uptown office[^]*Mon–Fri 8–5[^]*link "Directions Uptown office"[^]*img "Map with a pin at Uptown office"/,
    );
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Call (214) 555-0100');
    expect(await page.getByRole('link', { name: 'Call' }).getAttribute('href')).toBe(
      'tel:2145550100',
    );
    await expect
      .poll(() => page.evaluate(`document.querySelector('.place img').naturalWidth`))
      .toBeGreaterThan(300);
    // Touch targets: WCAG 2.5.5
    const { height } = (await page.getByRole('link', { name: 'Call' }).boundingBox())!;
    expect(height).toBeGreaterThanOrEqual(44);
    await page.getByRole('link', { name: 'Español' }).click();
    await page.getByText('Lone Star of Dallas atiende 75201 (Dallas, TX).').waitFor();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(
      '¿Quién atiende su zona?',
    );
    expect(await page.locator('html').getAttribute('lang')).toBe('es');
    expect(await page.locator('script').count()).toBe(0);
    expect(await context.cookies()).toEqual([]);
    expect(complaints).toEqual([]);
  },
);

it.skipIf(!hasChromium)(
  'Each page of a locator fits phones and desktops, light and dark',
  async () => {
    const { page, complaints } = await site.profile();
    for (const path of [
      '',
      '?where=75201',
      '?where=90210&embed=1',
      '?where=abc&lang=es',
      '/available?where=90210',
      '/available?where=75201&lang=es',
      '/available?sent=1',
    ]) {
      await page.goto(`${site.url}/find/${code}${path}`);
      await expectFit(page);
    }
    expect(complaints.filter((text) => !text.includes('400'))).toEqual([]);
  },
);

/** A website of the organization, at another origin */
const website = createServer((request, response) => {
  const embedded = `<territory-locator src="${site.url}/locators/${code}"><a href="${site.url}/find/${code}">Find your roofer</a></territory-locator>`;
  const script = `<script type="module" src="${site.url}/locator.js"></script>`;
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.setHeader(
    'Content-Security-Policy',
    `default-src 'none'; script-src ${site.url}; connect-src ${site.url}; frame-src ${site.url}`,
  );
  response.end(
    `<!doctype html><html lang="${request.url === '/es' ? 'es-MX' : 'en'}"><meta name="viewport" content="width=device-width"><title>Shop</title><main><h1>Shop</h1>` +
      (request.url === '/frame'
        ? `<iframe src="${site.url}/find/${code}?embed=1" title="Find" width="340" height="500"></iframe>`
        : (request.url === '/plain' ? '' : script) + embedded) +
      '</main></html>',
  );
});
website.listen(0, '127.0.0.1');
await once(website, 'listening');
afterAll(() => void website.close());
const shop = `http://127.0.0.1:${(website.address() as AddressInfo).port}`;

it.skipIf(!hasChromium)(
  'A website with a strict policy contains the web component, in its own language',
  async () => {
    const { page, context } = await site.profile(PHONE);
    await page.goto(`${shop}/`);
    const field = page.getByLabel('ZIP code');
    await field.fill('752');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByRole('alert').getByText('five digits').waitFor();
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
    await field.fill('75201');
    await page.keyboard.press('Enter');
    await page.getByText('Lone Star of Dallas serves 75201 (Dallas, TX).').waitFor();
    await expect.poll(() => focused(page)).toBe('Answer');
    expect(await page.getByRole('link', { name: 'Call (214) 555-0100' }).getAttribute('href')).toBe(
      'tel:2145550100',
    );
    expect(await seriousFaults(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(375);
    await page.goto(`${shop}/es`);
    await page.getByLabel('Código postal').fill('90210');
    await page.getByRole('button', { name: 'Buscar' }).click();
    await page.getByText('Todavía no atendemos esta zona.').waitFor();
    await page.goto(`${shop}/plain`);
    expect(await page.getByRole('link', { name: 'Find your roofer' }).count()).toBe(1);
    await page.goto(`${shop}/frame`);
    const frame = page.frameLocator('iframe');
    await frame.getByLabel('ZIP code').fill('75201');
    await frame.getByRole('button', { name: 'Find' }).click();
    await frame.getByText('Lone Star of Dallas serves').waitFor();
    const inFrame = page.frames()[1]!;
    await expect
      .poll(() => inFrame.evaluate('document.activeElement.getAttribute("aria-label")'))
      .toBe('Answer');
    expect(await context.cookies()).toEqual([]);
  },
);

it.skipIf(!hasChromium)(
  'An owner creates a locator, changes it, sees demand, and revokes it',
  async () => {
    const { page, complaints } = await site.profile({ session });
    await page.goto(`${site.url}/account/locators`);
    await page.getByLabel('Name').fill('Shop');
    await page.getByLabel('Answers for').selectOption('Only the brands that are chosen below');
    await page.getByRole('button', { name: 'Create locator' }).click();
    await page.getByText('Choose at least one brand below, or all brands.').waitFor();
    await page.getByLabel('Lone Star Roofing').check();
    await expectFit(page);
    await page.getByRole('button', { name: 'Create locator' }).click();
    await page.getByRole('heading', { name: 'Shop' }).waitFor();
    const address = await page.getByLabel('Page', { exact: true }).inputValue();
    await page.getByLabel('Heading, in Spanish').fill('Encuentre su techador');
    await page.getByLabel('Color', { exact: true }).fill('#ffff00');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Choose a darker color').waitFor();
    await page.getByLabel('Color', { exact: true }).fill('#1d6f74');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved. Websites show it at once.').waitFor();
    const preview = page.frameLocator('.locator-preview');
    await preview.getByRole('heading', { name: 'Who serves your area?' }).waitFor();

    const visitor = await site.profile(PHONE);
    await visitor.page.goto(`${address}?lang=es`);
    await visitor.page.getByRole('heading', { name: 'Encuentre su techador' }).waitFor();
    await visitor.page.goto(`${address}?where=90210`);
    await page.reload();
    await page.getByRole('link', { name: '90210' }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download as CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('unserved.csv');
    await expectFit(page);
    await page.getByText('Revoke this locator…').click();
    await page.getByRole('button', { name: 'Revoke locator' }).click();
    await page.getByText('Locator revoked.').waitFor();
    await visitor.page.goto(address);
    await visitor.page.getByRole('heading', { name: 'This page is closed' }).waitFor();
    await page.goto(`${site.url}/account/locators`);
    await expectFit(page);
    expect(complaints.filter((text) => !text.includes('400'))).toEqual([]);
  },
);
