/** The public pages in a browser, on the running service. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { colorFaults, seriousFaults } from '../../support/accessibility.ts';
import { browsing, type Profile } from '../../support/browser.ts';
import { testDatabase } from '../../support/database.ts';
import { hasChromium } from '../../support/maplibre.ts';

const { env } = await testDatabase('sample');
const site = browsing(env);

// The first page takes seconds in a new service and browser, and its fonts would arrive late.
beforeAll(async () => {
  if (!hasChromium) return;
  const { page, context } = await site.profile();
  await page.goto(`${site.url}/`);
  await context.close();
});

const PATHS = ['/', '/methodology', '/data-study', '/verticals/moving', '/metros/seattle-wa/hvac'];
const WIDTHS = [375, 1280];

describe.skipIf(!hasChromium).each(WIDTHS)('at a width of %d pixels', (width) => {
  let profile: Profile;
  beforeAll(async () => {
    profile = await site.profile({ viewport: { width, height: 800 } });
  });
  afterAll(() => profile.context.close());

  it.each(PATHS)(
    '%s loads completely, without layout shifts, from our origin only, in light and dark',
    async (path) => {
      const { page, complaints } = profile;
      complaints.length = 0;
      await page.emulateMedia({ colorScheme: 'light' });
      await page.goto(site.url + path);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        const facts = await page.evaluate(inspectPage, colorScheme);
        expect(complaints).toEqual([]);
        const faults = colorScheme === 'light' ? seriousFaults : colorFaults;
        expect(await faults(page)).toEqual([]);
        expect(facts.missingPictures).toEqual([]);
        expect(facts.fonts).toEqual(['400', '600']);
        expect(facts.width).toBe(width);
        // Web Vitals rate a shift under 0.1 as good.
        expect(facts.layoutShift).toBeLessThan(0.05);
        for (const map of facts.maps) {
          expect(map).toContain(`style=${colorScheme}`);
          expect(map.includes('size=400x400')).toBe(width === 375);
        }
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
    expect(await focused()).toMatchObject({ text: 'Start a free trial', outlineStyle: 'solid' });
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
    await first.waitFor();
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

/** Runs in the page, and waits for the pictures of the color scheme. */
async function inspectPage(colorScheme: string): Promise<Facts> {
  const { document, PerformanceObserver } = globalThis as any;
  const pictures: any[] = [...document.images];
  // Lazy pictures load only when scrolled to.
  for (const picture of pictures) picture.loading = 'eager';
  // After a change of the color scheme, a picture keeps its old source until the new one has loaded.
  const isOld = ({ currentSrc }: any) =>
    currentSrc.includes('map.png') && !currentSrc.includes(`style=${colorScheme}`);
  for (let looks = 0; looks < 200 && pictures.some(isOld); looks++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
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
