/** The page of a share link in Chromium. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { statusLegend } from '../../../src/maps/cartography/furniture/legends.ts';
import { loadStyle } from '../../../src/data/basemap/styles.ts';
import { mintShare, revokeShare, type NewShare } from '../../../src/territories/share/links.ts';
import type { Brand } from '../../../src/territories/brands/brands.ts';
import { colorFaults, seriousFaults } from '../../support/accessibility.ts';
import { browsing, type Profile } from '../../support/browser.ts';
import { testDatabase } from '../../support/database.ts';
import { hasChromium } from '../../support/maplibre.ts';
import { organizationWith } from '../../territories/brands/organization.ts';

const { db, env } = await testDatabase('sample');
const { tenant, brands } = await organizationWith(db, 'Star', 'Texas', 'Country', 'Distant');
const [star, texas, country, distant] = brands;
const ann = { kind: 'person', id: randomUUID(), name: 'Ann' } as const;

/** Makes the brand hold ZIP codes, every seventh of them pending. */
const hold = (brand: Brand, where: string) =>
  tenant.query(
    `insert into brand_zips (organization_id, brand_id, zip, state)
     select $1, $2, zip, case when zip::int % 7 = 0 then 'pending' else 'live' end
     from zips where ${where}`,
    [brand.id],
  );
// Dallas and Fort Worth: 150 ZIP codes, about as many as a metro
await hold(star, `county_fips in ('48113', '48439')`);
await hold(texas, `state = 'TX'`);
await hold(country, 'true');
await hold(distant, `zip ~ '^(7520[1-9]|7521[0-5]|8500[1-9]|8501[2-7])$'`);

async function mint(brand: Brand = star) {
  const share: NewShare = { kind: 'brand', title: 'Where we roof', days: 30, hideBranding: false };
  return (await tenant.transaction((tx) => mintShare(tx, ann, brand, share))).link;
}
const link = await mint();

const site = browsing(env);

const mapShown = (page: Page) => page.waitForSelector('[data-shown="map"]');

/** Measures which parts of the map have the colors of live and of pending ZIP codes. */
async function coloredParts(page: Page, scheme: 'light' | 'dark') {
  // The map fades in over its picture.
  await page.waitForTimeout(400);
  const png = await page.locator('.map-frame').screenshot();
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const style = loadStyle(scheme);
  const share = (status: 'live' | 'pending') => {
    const [shown] = statusLegend(style, '', new Set([status]))!.classes;
    const color = shown!.color.match(/\d+/g)!.map(Number);
    let pixels = 0;
    for (let i = 0; i < data.length; i += 3) {
      if (color.every((value, at) => Math.abs(data[i + at]! - value) <= 2)) pixels++;
    }
    return pixels / (info.width * info.height);
  };
  return { live: share('live'), pending: share('pending') };
}

describe.skipIf(!hasChromium).each([
  ['light', 'returning to', [1440, 375]],
  ['dark', 'staying on', [375, 1440]],
] as const)('in %s colors', (colorScheme, visitor, widths) => {
  let link: Awaited<ReturnType<typeof mint>>;
  let profile: Profile;
  beforeAll(async () => {
    link = await mint();
    profile = await site.profile({
      viewport: { width: widths[0], height: 800 },
      deviceScaleFactor: 1,
      colorScheme,
    });
    // From the moment that a test sets `hurries`, a minute passes in a fifth of a second.
    await profile.page.addInitScript(`{
      const { setInterval } = window;
      window.setInterval = (work, ms) =>
        ms < 10000 ? setInterval(work, ms) : setInterval(() => window.hurries && work(), ms / 300);
    }`);
  });
  afterAll(() => profile.context.close());

  it('shows the map on large and small screens, without errors or requests to other origins', async () => {
    const { page, complaints } = profile;
    await page.goto(`${site.url}/s/${link.code}`);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      // A map that becomes wider keeps its scale.
      if (width > widths[0]) await page.reload();
      await mapShown(page);
      await expect
        .poll(async () => (await coloredParts(page, colorScheme)).live)
        .toBeGreaterThan(0.1);
      expect((await coloredParts(page, colorScheme)).pending).toBeGreaterThan(0.008);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      const faults = colorScheme === 'light' ? seriousFaults : colorFaults;
      expect(await faults(page)).toEqual([]);
    }
    expect(await page.locator('.maplibregl-ctrl-attrib').textContent()).toContain('Sample data');
    expect(complaints).toEqual([]);
  });

  it('prints the picture at double resolution, and the list', async () => {
    const { page } = profile;
    // The button waits for the picture before it prints.
    await page.evaluate('window.print = () => void (window.prints = true)');
    await page.locator('.print').click();
    await expect.poll(() => page.evaluate('window.prints')).toBe(true);
    const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
    expect(pdf.includes('/Width 2400')).toBe(true);
    await page.emulateMedia({ media: 'print' });
    const seen = (selector: string) => page.locator(selector).first().isVisible();
    expect(await Promise.all(['.printed', '.places', 'h1'].map(seen))).toEqual(Array(3).fill(true));
    expect(await Promise.all(['.map', '.find', '.print'].map(seen))).toEqual(Array(3).fill(false));
    await page.emulateMedia({ media: 'screen' });
  });

  it(`shows that the link was revoked after ${visitor} the open page`, async () => {
    const { page } = profile;
    await tenant.transaction((tx) => revokeShare(tx, 'all', ann, link.id));
    await page.evaluate(
      visitor === 'staying on'
        ? 'void (window.hurries = true)'
        : `void document.dispatchEvent(new Event('visibilitychange'))`,
    );
    await expect.poll(() => page.title()).toContain('This map is not shared');
  });
});

/** @param more adds tests that use the open page */
function describeMap(what: string, brand: Brand, more: (opened: () => Profile) => void = () => {}) {
  describe.skipIf(!hasChromium)(`the map of ${what}`, () => {
    const BUDGET_BYTES = 300_000;
    let profile: Profile;
    beforeAll(async () => {
      profile = await site.profile();
    });
    afterAll(() => profile.context.close());

    it('loads less than 300 kB besides tiles and MapLibre GL', async () => {
      const { code } = await mint(brand);
      const { page } = profile;
      const sizes: Promise<[string, number]>[] = [];
      page.on('requestfinished', (request) =>
        sizes.push(request.sizes().then((s) => [request.url(), s.responseBodySize])),
      );
      await page.goto(`${site.url}/s/${code}`);
      await mapShown(page);
      const loaded = (await Promise.all(sizes)).filter(
        ([url]) => !/\/maplibre-gl\/|\.mvt(\?|$)|^data:/.test(url),
      );
      const paths = loaded.map(([url]) => url.slice(site.url.length));
      expect(paths).toContain(`/s/${code}`);
      expect(paths.includes(`/shared/${code}/boundaries`)).toBe(brand === star);
      expect(loaded.reduce((sum, [, bytes]) => sum + bytes, 0)).toBeLessThan(BUDGET_BYTES);
    });

    more(() => profile);
  });
}

describeMap('a metro', star, (opened) => {
  it('shows a card for the ZIP code under the pointer and for the one clicked', async () => {
    const { page, complaints } = opened();
    const { x, y, width, height } = (await page.locator('.map').boundingBox())!;
    const card = page.locator('.zip-card');
    await page.mouse.move(x + width / 2, y + height / 2);
    await card.waitFor();
    const text = await card.innerText();
    expect(text).toMatch(/^\d{5}\n[A-Z][\w ]+, TX\n(Live|Pending review)$/);
    await page.mouse.click(x + width / 2, y + height / 2);
    await page.mouse.move(10, 10);
    await page.getByRole('button', { name: 'Close popup' }).waitFor();
    expect(await card.allInnerTexts()).toEqual([text]);
    await page.getByRole('button', { name: 'Close popup' }).click();
    expect(complaints).toEqual([]);
  });

  it('finds a ZIP code and walks through the list with the keyboard', async () => {
    const { page, complaints } = opened();
    await page.getByLabel('Is your ZIP code included?').focus();
    await page.keyboard.type('75201');
    await page.keyboard.press('Enter');
    const answer = page.locator('.find output');
    expect(await answer.innerText()).toBe('Yes: 75201, Dallas, TX. Pending review.');
    expect(await page.locator('.zip-card').innerText()).toContain('75201');
    await page.getByLabel('Is your ZIP code included?').fill('10001');
    await page.keyboard.press('Enter');
    expect(await answer.innerText()).toBe('No, 10001 is not in this territory.');
    await page.locator('#zips').focus();
    await page.keyboard.press('Tab');
    const first = await page.locator('.places ul button').first().innerText();
    expect(await page.evaluate('document.activeElement.textContent.trim()')).toBe(first);
    await page.keyboard.press('Enter');
    await page.locator('.zip-card', { hasText: first.slice(0, 5) }).waitFor();
    expect(await page.evaluate('document.activeElement.textContent.trim()')).toBe(first);
    expect(complaints).toEqual([]);
  });
});

describeMap('a state', texas);

describeMap('the country', country, (opened) => {
  it('finds a ZIP code and opens the list of a state', async () => {
    const { page, complaints } = opened();
    await page.getByLabel('Is your ZIP code included?').fill('75201');
    await page.keyboard.press('Enter');
    const answer = page.locator('.find output');
    await expect.poll(() => answer.innerText()).toBe('Yes: 75201, Dallas, TX. Pending review.');
    await page.locator('.zip-card', { hasText: 'Dallas, TX' }).waitFor();
    await page.locator('summary', { hasText: 'Delaware' }).click();
    await page.getByRole('button', { name: '19701' }).click();
    await page.locator('.zip-card', { hasText: '19701' }).waitFor();
    await page.getByLabel('Is your ZIP code included?').fill('00501');
    await page.keyboard.press('Enter');
    await expect.poll(() => answer.innerText()).toBe('No, 00501 is not in this territory.');
    expect(complaints).toEqual([]);
  });
});

describe.skipIf(!hasChromium)('a visitor', () => {
  it('sees the largest of two distant areas first, and a button for each', async () => {
    const { code } = await mint(distant);
    const { page, context } = await site.profile({ viewport: { width: 375, height: 700 } });
    await page.goto(`${site.url}/s/${code}`);
    await mapShown(page);
    const areas = page.locator('.areas button');
    expect(await areas.allInnerTexts()).toEqual(['All 26', 'Dallas, TX 14', 'Phoenix, AZ 12']);
    expect((await coloredParts(page, 'light')).live).toBeGreaterThan(0.1);
    const live = async () => (await coloredParts(page, 'light')).live;
    await areas.nth(0).click();
    await expect.poll(live).toBeLessThan(0.01);
    await areas.nth(2).click();
    await expect.poll(live).toBeGreaterThan(0.1);
    await context.close();
  });

  it('sees the picture and the list without scripts', async () => {
    const { page, context } = await site.profile({ javaScriptEnabled: false });
    await page.goto(`${site.url}/s/${link.code}`, { waitUntil: 'load' });
    const picture = page.locator('.picture');
    expect(await picture.isVisible()).toBe(true);
    expect((await coloredParts(page, 'light')).live).toBeGreaterThan(0.1);
    expect(await page.locator('.places ul li').count()).toBe(150);
    expect(await page.locator('.find').isVisible()).toBe(false);
    await context.close();
  });

  it('sees the picture and an explanation if the map can’t be drawn', async () => {
    const { page, context } = await site.profile();
    await page.route('**/maplibre-gl.mjs', (route) => route.abort());
    await page.goto(`${site.url}/s/${link.code}`);
    await page.waitForSelector('[data-shown="picture"]');
    expect(await page.locator('.failure').innerText()).toContain(
      'This picture shows the territory instead.',
    );
    await expect.poll(async () => (await coloredParts(page, 'light')).live).toBeGreaterThan(0.1);
    await context.close();
  });
});

describe.skipIf(!hasChromium)('a page on another origin', () => {
  async function frameOf(path: string, options: Parameters<typeof site.profile>[0] = {}) {
    const blog = createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end(`<!doctype html><link rel="icon" href="data:,"><title>Blog</title>
        <iframe src="${site.url}${path}" width="700" height="500"></iframe>`);
    }).listen(0, '127.0.0.1');
    await once(blog, 'listening');
    const { page, context } = await site.profile(options);
    const refusals: string[] = [];
    page.on('console', (message) => refusals.push(message.text()));
    await page.goto(`http://127.0.0.1:${(blog.address() as AddressInfo).port}/`);
    const close = async () => {
      await context.close();
      blog.close();
    };
    return { page, frame: page.frameLocator('iframe'), refusals, close };
  }

  it('can embed the map, with its legend and a link to the full page', async () => {
    const { page, frame, close } = await frameOf(`/s/${link.code}?embed=1`);
    await frame.locator('[data-shown="map"]').waitFor();
    expect(await frame.getByRole('list', { name: 'Legend' }).innerText()).toContain('Live');
    const [opened] = await Promise.all([
      page.waitForEvent('popup'),
      frame.getByRole('link', { name: 'Open the map' }).click(),
    ]);
    await opened.locator('.find').waitFor();
    expect(opened.url()).toBe(`${site.url}/s/${link.code}`);
    expect(await opened.evaluate('document.referrer')).toBe('');
    await close();
  });

  it('can embed the service check, which works without scripts', async () => {
    const { frame, refusals, close } = await frameOf(`/s/${link.code}/check`, {
      javaScriptEnabled: false,
    });
    await frame.getByLabel('ZIP code').fill('75202');
    await frame.getByLabel('ZIP code').press('Enter');
    const answer = frame.getByRole('status');
    await answer.getByText('Yes, Star serves 75202 (Dallas, TX).').waitFor();
    await frame.getByLabel('ZIP code').fill('90210');
    await frame.getByRole('button', { name: 'Check' }).click();
    await answer.getByText('No, Star doesn’t serve 90210 (Beverly Hills, CA).').waitFor();
    expect(refusals).toEqual([]);
    await close();
  });

  it('can’t embed the full page', async () => {
    const { frame, refusals, close } = await frameOf(`/s/${link.code}`);
    await expect.poll(() => refusals.join()).toContain('frame-ancestors');
    expect(await frame.locator('.map-frame').count()).toBe(0);
    await close();
  });
});
