/**
 * The workspace in Chromium, with all ZIP codes of the sample: the time until a metro is painted, and the frames
 * while someone drags the country. Software draws the maps here, so the time between frames says little about a
 * computer with a graphics card. The CPU time of the page's own thread per frame does; it is compared with that
 * of the basemap alone, in the same browser and size.
 */
import type { CDPSession, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { createBrand } from '../../src/territory/brands.ts';
import { newSignedInOwner } from '../account/organizations.ts';
import { browsing } from '../support/browser.ts';
import { testDatabase } from '../support/database.ts';
import { hasChromium, openMapPage } from '../support/maplibre.ts';
import { report } from './ceilings.ts';

const { db, env } = await testDatabase('sample');
const site = browsing(env);

const OPENINGS = 5;
const ROUNDS = 3;
const DRAGS = 2;
const STEPS_PER_DRAG = 15;

const SCREEN = { width: 1440, height: 900 };
/** Where a drag begins, and how far it goes: within the map, which is between the panel and the table */
const FROM = { x: 850, y: 450 };
const FAR_PX = 250;

const NATIONAL_VIEW = 'at=39,-97,3.9';

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;
const at = (values: readonly number[], part: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))]!;

// The owner of a brand that holds a quarter of Dallas
const { tenant, session } = await newSignedInOwner(db);
const brand = await createBrand(tenant, { name: 'Lone Star Roofing' });
await tenant.query(
  `insert into brand_zips (organization_id, brand_id, zip, state)
   select $1, $2, zip, 'live' from zips where zip::int % 4 = 0 and county_fips = '48113'`,
  [brand.id],
);

/** Records when the page was last busy, and the times of its frames, from the start of the document. */
const RECORDER = `
  window.busyUntil = 0;
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) {
      window.busyUntil = Math.max(window.busyUntil, startTime + duration);
    }
  }).observe({ type: 'long-animation-frame', buffered: true });
  window.frames_ = [];
  const frame = (time) => { window.frames_.push(time); requestAnimationFrame(frame); };
  requestAnimationFrame(frame);
`;

/** Opens the workspace. @returns milliseconds until the market was drawn and the page was idle */
async function open(page: Page, query: string): Promise<number> {
  await page.goto(`${site.url}/account/map?${query}`);
  await page.waitForSelector('.map-frame[data-shown="map"]', { timeout: 120_000 });
  await page.waitForSelector('.grid .rows .row', { timeout: 120_000 });
  const shown = await page.evaluate<number>('performance.now()');
  // Colors and outlines follow the data; each is a long frame.
  await page.waitForTimeout(1_000);
  return Math.max(shown, await page.evaluate<number>('window.busyUntil'));
}

interface Frames {
  /** Milliseconds between frames */
  intervals: number[];
  /** Milliseconds of CPU that the page's own thread used per frame */
  work: number;
}

async function drag(page: Page, cdp: CDPSession): Promise<Frames> {
  const worked = async () => {
    const { metrics } = await cdp.send('Performance.getMetrics');
    return 1000 * metrics.find(({ name }) => name === 'TaskDuration')!.value;
  };
  await page.evaluate('window.frames_.length = 0');
  const before = await worked();
  for (let n = 0; n < DRAGS; n++) {
    const direction = n % 2 === 0 ? 1 : -1;
    await page.mouse.move(FROM.x - (direction * FAR_PX) / 2, FROM.y);
    await page.mouse.down();
    for (let step = 1; step <= STEPS_PER_DRAG; step++) {
      const part = step / STEPS_PER_DRAG - 0.5;
      await page.mouse.move(FROM.x + direction * FAR_PX * part, FROM.y + 60 * part);
    }
    await page.mouse.up();
  }
  const times = await page.evaluate<number[]>('window.frames_');
  const intervals = times.slice(1).map((time, i) => time - times[i]!);
  return { intervals, work: ((await worked()) - before) / times.length };
}

async function measuring(page: Page): Promise<CDPSession> {
  const cdp = await page.context().newCDPSession(page);
  // The CPU time of the page's own thread: other work on the machine doesn't count.
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  return cdp;
}

describe.skipIf(!hasChromium)('the workspace', () => {
  it('paints a metro', async () => {
    const { page, context } = await site.profile({ session, viewport: SCREEN });
    await page.addInitScript(RECORDER);
    const first = await open(page, 'metro=dallas-tx&color=score:roofing');
    const again: number[] = [];
    for (let n = 0; n < OPENINGS; n++) {
      again.push(await open(page, 'metro=dallas-tx&color=score:roofing'));
    }
    report(
      `workspace, Dallas painted: first ${first.toFixed(0)} ms, then ${median(again).toFixed(0)} ms ` +
        `(${Math.min(...again).toFixed(0)} to ${Math.max(...again).toFixed(0)})`,
    );
    expect(first).toBeGreaterThan(0);
    await context.close();
  });

  it('pans the country', async () => {
    const { page } = await site.profile({ session, viewport: SCREEN });
    await page.addInitScript(RECORDER);
    await open(page, `metro=dallas-tx&color=score:roofing&${NATIONAL_VIEW}`);
    const bare = await openMapPage(() => null);
    await bare.page.setViewportSize(SCREEN);
    await bare.page.evaluate(RECORDER);
    await drawBasemap(bare.page);
    const pages = { workspace: page, basemap: bare.page };
    const sessions = { workspace: await measuring(page), basemap: await measuring(bare.page) };
    const results: Record<keyof typeof pages, Frames[]> = { workspace: [], basemap: [] };
    for (let round = -1; round < ROUNDS; round++) {
      for (const name of ['basemap', 'workspace'] as const) {
        await pages[name].bringToFront();
        const frames = await drag(pages[name], sessions[name]);
        if (round >= 0) results[name].push(frames);
      }
    }
    for (const [name, runs] of Object.entries(results)) {
      const intervals = runs.flatMap((run) => run.intervals);
      report(
        `${name}, the country panned: ${median(runs.map(({ work }) => work)).toFixed(1)} ms of CPU per frame; ` +
          `frames every ${median(intervals).toFixed(1)} ms, 95% within ${at(intervals, 0.95).toFixed(0)} ms, ` +
          `longest ${Math.max(...intervals).toFixed(0)} ms`,
      );
    }
    const [ours, basemap] = [results.workspace, results.basemap].map((runs) =>
      median(runs.map(({ work }) => work)),
    );
    report(
      `workspace, CPU per frame relative to the basemap alone: ${(ours! / basemap!).toFixed(2)}`,
    );
    expect(ours).toBeGreaterThan(0);
    await bare.close();
  }, 900_000);
});

/** Draws the service's basemap, as the workspace has it, with the same view. */
async function drawBasemap(page: Page): Promise<void> {
  await page.evaluate(
    async ({ url, width, height }) => {
      const { maplibregl, document } = globalThis as any;
      const style = await (await fetch(`${url}/styles/light.json`)).json();
      const container = document.getElementById('map');
      container.style.cssText = `width: ${width}px; height: ${height}px`;
      const map = new maplibregl.Map({ container, style, center: [-97, 39], zoom: 3.9 });
      await map.once('idle');
    },
    { url: site.url, ...SCREEN },
  );
}
