/** The public pages in a browser, on the running service. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { colorFaults, seriousFaults } from '../support/accessibility.ts';
import { browsing, type Profile } from '../support/browser.ts';
import { testDatabase } from '../support/database.ts';
import { hasChromium } from '../support/maplibre.ts';

const { env } = await testDatabase('sample');
const site = browsing(env);

// The first page that a service sends and a browser shows takes seconds: its fonts would come late.
beforeAll(async () => {
  if (!hasChromium) return;
  const { page, context } = await site.profile();
  await page.goto(`${site.url}/`);
  await context.close();
});

const PATHS = ['/', '/methodology', '/data-study', '/verticals/moving', '/metros/seattle-wa/hvac'];
const WIDTHS = [375, 1280];
const SCHEMES = ['light', 'dark'] as const;

const screens = WIDTHS.flatMap((width) => SCHEMES.map((colorScheme) => ({ width, colorScheme })));

describe.skipIf(!hasChromium).each(screens)('$width pixels wide and $colorScheme', (screen) => {
  let profile: Profile;
  beforeAll(async () => {
    const viewport = { width: screen.width, height: 800 };
    profile = await site.profile({ viewport, colorScheme: screen.colorScheme });
  });
  afterAll(() => profile.context.close());

  it.each(PATHS)(
    '%s loads completely, without layout shifts, from our origin only',
    async (path) => {
      const { page, complaints } = profile;
      complaints.length = 0;
      await page.goto(site.url + path);
      const facts = await page.evaluate(inspectPage);
      expect(complaints).toEqual([]);
      const faults = screen.colorScheme === 'light' ? seriousFaults : colorFaults;
      expect(await faults(page)).toEqual([]);
      expect(facts.missingPictures).toEqual([]);
      expect(facts.fonts).toEqual(['400', '600']);
      expect(facts.width).toBe(screen.width);
      // Web Vitals rate a shift under 0.1 as good.
      expect(facts.layoutShift).toBeLessThan(0.05);
      for (const map of facts.maps) {
        expect(map).toContain(`style=${screen.colorScheme}`);
        expect(map.includes('size=400x400')).toBe(screen.width === 375);
      }
    },
  );
});

describe.skipIf(!hasChromium)('with the keyboard', () => {
  it('skips the header first, and shows the focus', async () => {
    const { page } = await site.profile({ viewport: { width: 1280, height: 800 } });
    await page.goto(`${site.url}/`);
    await page.keyboard.press('Tab');
    const focused = () =>
      page.evaluate(() => {
        const { document, getComputedStyle } = globalThis as any;
        const element = document.activeElement;
        const { outlineStyle } = getComputedStyle(element);
        const { top } = element.getBoundingClientRect();
        return { text: element.textContent.trim(), outlineStyle, visible: top >= 0 };
      });
    expect(await focused()).toEqual({
      text: 'Skip to content',
      outlineStyle: 'solid',
      visible: true,
    });
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await focused()).toMatchObject({ text: 'See roofing in Dallas', outlineStyle: 'solid' });
    await page.close();
  });
});

describe.skipIf(!hasChromium)('the search box of every page', () => {
  it('shows places while someone types, and opens the page of the chosen one', async () => {
    const { page, context, complaints } = await site.profile();
    await page.goto(`${site.url}/methodology`);
    await page.focus('.site-header [name=q]');
    await page.keyboard.type('7520');
    const first = page.getByRole('option').first();
    await first.waitFor({ timeout: 30_000 });
    expect(await page.inputValue('.site-header [name=q]')).toBe('7520');
    const [zip] = (await first.textContent())!.split(' ');
    expect(zip).toMatch(/^7520\d$/);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${site.url}/zip/${zip}`);
    // Without a choice, Enter opens the page of results.
    await page.focus('.site-header [name=q]');
    await page.keyboard.type('plano');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${site.url}/search?q=plano`);
    expect(complaints).toEqual([]);
    await context.close();
  });
});

interface Facts {
  missingPictures: string[];
  /** Addresses of the maps loaded for this screen */
  maps: string[];
  /** Weights of the loaded fonts */
  fonts: string[];
  /** Width of the page in CSS pixels; wider than the window if it scrolls horizontally */
  width: number;
  layoutShift: number;
}

/** Runs in the page. */
async function inspectPage(): Promise<Facts> {
  const { document, PerformanceObserver } = globalThis as any;
  const pictures: any[] = [...document.images];
  // Lazy pictures load only when scrolled to.
  for (const picture of pictures) picture.loading = 'eager';
  await Promise.all(pictures.map((picture) => picture.decode().catch(() => {})));
  await document.fonts.ready;
  const layoutShift = await new Promise<number>((resolve) => {
    let sum = 0;
    const observer = new PerformanceObserver((list: any) => {
      for (const { value } of list.getEntries()) sum += value;
    });
    observer.observe({ type: 'layout-shift', buffered: true });
    setTimeout(() => resolve(sum), 100);
  });
  return {
    missingPictures: pictures.filter((picture) => picture.naturalWidth === 0).map((p) => p.src),
    maps: pictures.map((picture) => picture.currentSrc).filter((src) => src.includes('map.png')),
    fonts: [...document.fonts].filter((font) => font.status === 'loaded').map((f) => f.weight),
    width: document.documentElement.scrollWidth,
    layoutShift,
  };
}
