/** The public map in a browser, on the running service. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectFit } from '../../support/accessibility.ts';
import { browsing } from '../../support/browser.ts';
import { testDatabase } from '../../support/database.ts';
import { hasChromium } from '../../support/maplibre.ts';
import { stillPicture } from '../../support/still-picture.ts';

const { db, env } = await testDatabase('sample');
const site = browsing(env);

async function openMap(page: Page, path: string): Promise<void> {
  await page.goto(site.url + path);
  await page.waitForSelector('.map-frame[data-shown="map"]');
}

const heading = (page: Page) => page.textContent('#place h2');

/** Points at the middle of the map, and returns the lines of the card there. */
async function pointAtCenter(page: Page): Promise<string[]> {
  const box = (await page.locator('.map-frame').boundingBox())!;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x - 3, y - 3);
  await page.mouse.move(x, y);
  await page.waitForSelector('.zip-card');
  return page.locator('.zip-card > *').allTextContents();
}

/** The class of a ZIP code's score, as the legend names it */
async function classOf(zip: string, vertical: string): Promise<string> {
  const [row] = await db.query<{ score: number | null }>(
    'select score from zip_scores where zip = $1 and vertical = $2',
    [zip, vertical],
  );
  const score = row?.score ?? null;
  if (score === null) return 'No score';
  const from = Math.min(80, score - (score % 20));
  return `Score ${from}–${from === 80 ? 100 : from + 19}`;
}

/** Goes back to light colors before the images of the dark ones have loaded, and waits for the map. */
async function changeColorsQuickly(page: Page): Promise<void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/sprites/dark*', async (route) => {
    await released;
    await route.continue();
  });
  const requested = (name: string) => page.waitForRequest(`**/sprites/${name}*`);
  await Promise.all([requested('dark'), page.emulateMedia({ colorScheme: 'dark' })]);
  // By then, the tiles of the map wait for the images.
  await delay(2000);
  const light = page.waitForResponse('**/sprites/light*');
  await page.emulateMedia({ colorScheme: 'light' });
  await delay(1000);
  release();
  await light;
  // Arrow keys reach ZIP codes only in tiles that have all of their images. Until then, they pan the map, so
  // keys of one direction would leave the metro.
  await page.focus('.map-frame canvas');
  let presses = 0;
  const announced = async () => {
    await page.keyboard.press(presses++ % 2 === 0 ? 'ArrowRight' : 'ArrowLeft');
    return page.textContent('.map-frame [role=status].visually-hidden');
  };
  await expect.poll(announced).toMatch(/^\d{5}, /);
}

describe.skipIf(!hasChromium)('the public map', () => {
  it('leads from the search to a ZIP code, its classes, and an address that shows the same', async () => {
    const { page, context, complaints } = await site.profile();
    await openMap(page, '/explore');
    expect(await page.locator('#metros li').count()).toBe(20);

    // By keyboard: Enter takes the best place.
    await page.focus('#search input');
    await page.keyboard.type('plano');
    await page.keyboard.press('Enter');
    expect(await heading(page)).toBe('Plano, TX');
    await page.waitForURL(/#map=.*&city=Plano/);
    await page.waitForSelector('.best li');
    const plano = await db.query<{ zip: string }>(
      "select zip from zips where city = 'Plano' and state = 'TX'",
    );
    expect((await page.locator('.best b').allTextContents()).sort()).toEqual(
      plano.map(({ zip }) => zip).sort(),
    );

    const [zip, metro, roofing] = await pointAtCenter(page);
    expect(zip).toMatch(/^75\d{3}$/);
    expect(metro).toBe('Dallas, TX');
    expect(roofing).toBe(await classOf(zip!, 'roofing'));
    await page.mouse.down();
    await page.mouse.up();
    expect(await heading(page)).toBe(zip);
    await page.waitForSelector('.place .scores');
    const profile = (await (await fetch(`${site.url}/public/zip/${zip}`)).json()) as {
      scores: { verticalLabel: string; score: number }[];
    };
    const shown = await page.locator('.place .scores tbody tr').allTextContents();
    for (const { verticalLabel, score } of profile.scores) {
      expect(shown).toContain(`${verticalLabel}${score}`);
    }

    // By arrow keys: each ZIP code is announced, and Enter shows it.
    await page.focus('.map-frame canvas');
    const reached = async (key: string) => {
      const before = await page.textContent('.map-frame [role=status].visually-hidden');
      await page.keyboard.press(key);
      const announced = () => page.textContent('.map-frame [role=status].visually-hidden');
      await expect.poll(announced).not.toBe(before);
      return (await announced())!.split(', ');
    };
    const [east] = await reached('ArrowRight');
    const [north, northMetro, , northClass] = await reached('ArrowUp');
    expect([east, north].every((each) => /^7[56]\d{3}$/.test(each!))).toBe(true);
    expect(new Set([zip, east, north]).size).toBe(3);
    expect([northMetro, northClass]).toEqual(['Dallas', await classOf(north!, 'roofing')]);
    await page.keyboard.press('Enter');
    expect(await heading(page)).toBe(north);
    await page.goBack();
    expect(await heading(page)).toBe(zip);

    // Another vertical: the same view in other colors
    await page.click('.verticals [data-vertical="moving"]');
    await expect.poll(() => page.textContent('h1')).toBe('Moving demand');
    const { pathname, hash } = new URL(page.url());
    expect(pathname).toBe('/explore/moving');
    expect(hash).toMatch(
      new RegExp(String.raw`^#map=[\d.]+/[\d.]+/-[\d.]+&city=Plano%2C%20TX&zip=${zip}$`),
    );
    expect(await page.title()).toContain('Moving demand map');
    await expect
      .poll(async () => (await pointAtCenter(page))[2])
      .toBe(await classOf(zip!, 'moving'));
    const address = page.url();

    await page.goBack();
    await expect.poll(() => page.textContent('h1')).toBe('Roofing demand');
    await page.goBack();
    expect(await heading(page)).toBe('Plano, TX');
    await page.mouse.move(0, 0);
    await page.waitForSelector('.best li');
    const map = page.locator('.map-frame');
    const outlined = await stillPicture(map);
    await page.getByRole('button', { name: 'All of Dallas, TX' }).click();
    await expect.poll(() => page.locator('.best li').count()).toBe(10);
    await expect.poll(async () => (await map.screenshot()).equals(outlined)).toBe(false);
    expect(complaints).toEqual([]);
    await context.close();

    const stranger = await site.profile();
    await openMap(stranger.page, new URL(address).pathname + new URL(address).hash);
    expect(await heading(stranger.page)).toBe(zip);
    expect(await stranger.page.textContent('h1')).toBe('Moving demand');
    expect((await pointAtCenter(stranger.page))[0]).toBe(zip);
    await stranger.page.mouse.move(0, 0);
    await stranger.page.waitForSelector('.place .scores');
    await expectFit(stranger.page, '/explore');
    expect(stranger.complaints).toEqual([]);
    await stranger.context.close();
  });

  it('shows what one chooses where one looks, however far the list was scrolled', async () => {
    const laptop = await site.profile();
    await openMap(laptop.page, '/explore#metro=dallas-tx');
    await laptop.page.waitForSelector('.best li');
    const panel = laptop.page.locator('.panel');
    await panel.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    const [zip] = await pointAtCenter(laptop.page);
    await laptop.page.mouse.down();
    await laptop.page.mouse.up();
    await laptop.page.getByRole('heading', { name: zip! }).waitFor();
    await expect.poll(() => panel.evaluate((element) => element.scrollTop)).toBe(0);
    await laptop.context.close();

    const viewport = { width: 375, height: 740 };
    const { page, context } = await site.profile({ viewport, hasTouch: true, isMobile: true });
    await openMap(page, '/explore#metro=dallas-tx');
    const box = (await page.locator('.map-frame').boundingBox())!;
    await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
    const [tapped, , scoreClass] = await page.locator('.zip-card > *').allTextContents();
    expect(scoreClass).toBe(await classOf(tapped!, 'roofing'));
    const headline = page.locator('.place .headline .chip');
    const [row] = await db.query<{ score: number }>(
      `select score from zip_scores where zip = $1 and vertical = 'roofing'`,
      [tapped],
    );
    await expect.poll(() => headline.textContent()).toBe(String(row!.score));
    const isInView = async () => {
      const { y, height } = (await headline.boundingBox())!;
      return y >= 0 && y + height <= viewport.height;
    };
    await expect.poll(isInView).toBe(true);
    await context.close();
  });

  it('compares the metros by shades that differ', async () => {
    const { page, context } = await site.profile();
    await page.goto(`${site.url}/explore`);
    const colors = await page.evaluate<string[]>(
      `[...document.querySelectorAll('#metros .chip')].map((chip) => getComputedStyle(chip).backgroundColor)`,
    );
    expect(new Set(colors).size).toBeGreaterThan(3);
    expect(colors[0]).not.toBe(colors.at(-1));
    await context.close();
  });

  it('shows a metro on a phone, and says so without a connection', async () => {
    const viewport = { width: 375, height: 812 };
    const { page, context, complaints } = await site.profile({ viewport, hasTouch: true });
    await openMap(page, '/explore/hvac');
    // One that is too large for a phone
    await page.tap('[data-metro="phoenix-az"]');
    expect(await heading(page)).toBe('Phoenix, AZ');
    await page.waitForSelector('.best li');
    await changeColorsQuickly(page);
    expect(complaints).toEqual([]);
    const [best] = await page.locator('.best b').allTextContents();
    await page.route('**/public/zip/*', (route) => route.abort());
    await page.tap('.best li:first-child button');
    expect(await heading(page)).toBe(best);
    expect(await page.textContent('#place [role=alert]')).toContain('connection');
    await context.close();
  });
});
