/** White space: its classes, its scatter plot, and the way from a lasso to the review, in Chromium. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scatterScale } from '../../../../src/doors/site/workspace/browser/white-space/scatter-scale.ts';
import {
  bestWhiteSpace,
  measuresOnMap,
  whiteSpaceOf,
} from '../../../../src/doors/site/workspace/browser/white-space/white-space-of.ts';
import type { WorkspaceState } from '../../../../src/doors/site/workspace/browser/state.ts';
import { distanceMiles } from '../../../../src/doors/site/workspace/browser/selection/distance.ts';
import { EMPTY_DRAFT } from '../../../../src/doors/site/workspace/browser/territories/draft.ts';
import { changeSubscription } from '../../../../src/people/account/subscription.ts';
import { heldZipStatuses } from '../../../../src/territories/brands/brand-zips.ts';
import { createBrand } from '../../../../src/territories/brands/brands.ts';
import { LOCAL_MILES } from '../../../../src/territories/own-data/white-space.ts';
import { newSignedInOwner } from '../../../people/account/organizations.ts';
import { saveData } from '../../../territories/own-data/saved.ts';
import { expectFit, seriousFaults } from '../../../support/accessibility.ts';
import { browsing } from '../../../support/browser.ts';
import { testDatabase } from '../../../support/database.ts';
import { hasChromium } from '../../../support/maplibre.ts';
import { agent } from '../../../territories/brands/organization.ts';
import { draftOf, gridMarket } from './grid.ts';

const { db, env } = await testDatabase('sample');
const site = browsing(env);

const JOBS = { addsUp: 'sum', unit: 'count', period: null, rows: null } as const;
const SCORES = 'score:hvac';
const VIEW = { data: 'jobs', strongFrom: 50, servedFrom: null };

describe('white space in a market', () => {
  const figures = {
    ownerOccupiedHouseholds: [1000, 2000, 1000, 1000, 0, 500],
    [SCORES]: [90, 60, 40, 20, 99, null],
  };
  const market = gridMarket({
    columns: 3,
    rows: 2,
    figures,
    dataSets: [
      { ...JOBS, slug: 'calls', name: 'Calls', amounts: [0, 0, 0, 0, 0, 0] },
      { ...JOBS, slug: 'jobs', name: 'Jobs', amounts: [1, 8, 3, 0, 5, 2] },
    ],
  });
  const stateOf = (more: Partial<WorkspaceState> = {}) =>
    ({
      market,
      colorBy: SCORES,
      whiteSpace: VIEW,
      refusals: [],
      draft: EMPTY_DRAFT,
      target: null,
      ...more,
    }) as unknown as WorkspaceState;

  it('leaves out what rules refuse to every brand', () => {
    const white = [...whiteSpaceOf(stateOf())!.totals.white.zips];
    const brand = { id: 'north', slug: 'north', name: 'North' };
    const nothing = new Set<number>();
    const draft = {
      territories: [{ number: 1, name: 'North', brand, zips: nothing, pending: nothing }],
    };
    const refusals = [
      { brandId: 'north', reason: 'reserved', holderIds: null, zips: new Set([white[0]!]) },
    ];
    const left = whiteSpaceOf(stateOf({ refusals, draft }))!;
    expect([...left.totals.white.zips]).toEqual(white.slice(1));
    expect(bestWhiteSpace(left)).not.toContain(white[0]);
  });

  it('has four classes, divided by a score and the median rate', () => {
    // The rates are 1, 4, 3, 0, unknown, and 4.
    const space = whiteSpaceOf(stateOf())!;
    expect(space.median).toBe(3.5);
    expect(space.classes).toEqual(['white', 'served', 'quiet', 'quiet', null, null]);
    expect(space.totals.quiet).toEqual({ zips: new Set([2, 3]), ownerHouseholds: 2e3, amount: 3 });
    expect(measuresOnMap(stateOf())).toEqual([SCORES, 'rate:jobs', 'data:jobs']);
  });

  it('follows chosen thresholds, and lists the best ZIP codes first', () => {
    const whiteSpace = { data: 'jobs', strongFrom: 20, servedFrom: 5 };
    const space = whiteSpaceOf(stateOf({ whiteSpace }))!;
    expect(bestWhiteSpace(space)).toEqual([0, 1, 2, 3]);
    const served = whiteSpaceOf(stateOf({ whiteSpace: { ...whiteSpace, servedFrom: 3 } }))!;
    expect(served.classes.slice(0, 4)).toEqual(['white', 'served', 'served', 'white']);
  });

  it('compares the first data set if a link names another, and nothing is served by no sales', () => {
    const space = whiteSpaceOf(stateOf({ whiteSpace: { ...VIEW, data: 'gone' } }))!;
    expect(space.set.slug).toBe('calls');
    expect(space.classes.slice(0, 4)).toEqual(['white', 'white', 'quiet', 'quiet']);
  });

  it('leaves out ZIP codes far from local amounts, and beyond a chosen distance from the territories', () => {
    // In a row, a kilometer apart. Only the first ones have sold.
    const all = Array.from({ length: 200 }, (_, zip) => zip);
    const row = (sold: number) =>
      gridMarket({
        columns: all.length,
        rows: 1,
        figures: { ownerOccupiedHouseholds: all.map(() => 1000), [SCORES]: all.map(() => 90) },
        dataSets: [
          { ...JOBS, slug: 'jobs', name: 'Jobs', amounts: all.map((zip) => (zip < sold ? 1 : 0)) },
        ],
      });
    const whiteIn = (more: Partial<WorkspaceState>) => {
      const { isLocal, tooFar, totals } = whiteSpaceOf(stateOf(more))!;
      return { isLocal, tooFar, white: [...totals.white.zips] };
    };
    const market = row(100);
    /** Those from a position on that are near another one */
    const unsoldNear = (from: number, to: number, miles: number) => {
      const point = (zip: number) => [market.lon[zip]!, market.lat[zip]!] as const;
      return all.filter((zip) => zip >= from && distanceMiles(point(zip), point(to)) <= miles);
    };
    const near = unsoldNear(10, 9, LOCAL_MILES);
    expect(near.length).toBeGreaterThan(20);
    expect(whiteIn({ market: row(10) })).toEqual({
      isLocal: true,
      tooFar: all.length - 10 - near.length,
      white: near,
    });
    const wide = { isLocal: false, tooFar: 0, white: all.slice(100) };
    expect(whiteIn({ market })).toEqual(wide);

    const whiteSpace = { ...VIEW, withinMiles: 5 };
    for (const zip of [105, 120]) {
      const { white } = whiteIn({ market, whiteSpace, draft: draftOf([zip]) });
      expect(white).toEqual(unsoldNear(100, zip, 5));
    }
    expect(whiteIn({ market, whiteSpace })).toEqual(wide);
  });

  it('needs figures and a data set', () => {
    const withheld = gridMarket({
      columns: 3,
      rows: 2,
      dataSets: [{ ...JOBS, slug: 'jobs', name: 'Jobs', amounts: [1, 8, 3, 0, 5, 2] }],
    });
    const without = gridMarket({ columns: 3, rows: 2, figures });
    for (const one of [withheld, without, null]) {
      expect(whiteSpaceOf(stateOf({ market: one }))).toBeNull();
    }
    expect(measuresOnMap(stateOf({ whiteSpace: null }))).toEqual([SCORES]);
  });
});

it('The scatter plot shows higher rates higher, within its frame, with labels that don’t touch', () => {
  const frame = { left: 30, right: 260, top: 20, bottom: 200 };
  const rate = fc.double({ min: 0.001, max: 1e6, noNaN: true });
  fc.assert(
    fc.property(fc.array(rate, { minLength: 1 }), fc.boolean(), (rates, hasMedian) => {
      const sorted = rates.toSorted((a, b) => a - b);
      const highest = sorted.at(-1)!;
      const { y, ticks } = scatterScale(frame, highest, hasMedian ? sorted[0]! : null);
      const heights = [0, ...sorted].map(y);
      expect(heights).toEqual(heights.toSorted((a, b) => b - a));
      expect(heights[0]).toBe(frame.bottom);
      expect(heights.at(-1)).toBeCloseTo(frame.top);
      for (const [i, tick] of ticks.slice(1).entries()) {
        expect(y(ticks[i]!) - y(tick)).toBeGreaterThan(20);
        expect(tick).toBeLessThanOrEqual(highest);
      }
    }),
  );
});

it.skipIf(!hasChromium)(
  'shows white space, selects with a lasso, and sends additions to review',
  async () => {
    const { tenant, session } = await newSignedInOwner(db);
    await changeSubscription(tenant, { status: 'active' });
    const brand = await createBrand(tenant, { name: 'Bay HVAC' });
    const facts = await db.query<{ zip: string; score: number; owners: number }>(
      `select zip, score, owner_occupied_households as owners
       from zips join zip_scores using (zip) join zip_demographics using (zip)
       where state = 'RI' and vertical = 'hvac' and score is not null and owner_occupied_households > 0
       order by zip`,
    );
    // Half of the ZIP codes have sales, all at the same rate.
    const sold = facts.filter((_, i) => i % 2 === 0);
    const amounts = Object.fromEntries(sold.map(({ zip, owners }) => [zip, owners / 500]));
    await saveData({ tenant, actor: agent }, 'Jobs 2025', amounts);
    const unsold = facts.filter(({ zip }) => !(zip in amounts));
    const white = unsold.filter(({ score }) => score >= 50);

    const { page, complaints } = await site.profile({ session });
    await page.goto(
      `${site.url}/account/map?state=RI&color=${SCORES}&view=white-space&data=jobs-2025&brand=bay-hvac`,
    );
    await page.waitForSelector('.map-frame[data-shown="map"]');
    const section = page.getByRole('region', { name: 'White space' });
    const row = (name: string) => section.getByRole('row', { name }).getByRole('cell').first();
    expect(await row('Strong demand, white space').innerText()).toBe(String(white.length));
    expect(await section.getByText('The median is 2.').count()).toBe(1);
    expect(await seriousFaults(page)).toEqual([]);

    // ZIP codes without sales are in the strip below the line of rate 0.
    const plot = section.getByRole('application');
    const title = page.locator('#selection-title');
    const { x, y, width, height } = (await plot.boundingBox())!;
    const drag = async (corners: readonly (readonly [number, number])[]) => {
      const [first, ...rest] = corners.map(([right, down]) => [x + right, y + down] as const);
      await page.mouse.move(...first!);
      await page.mouse.down();
      for (const corner of rest) await page.mouse.move(...corner, { steps: 3 });
      await page.mouse.up();
    };
    const [top, bottom] = [height - 49, height - 25];
    await drag([
      [1, top],
      [width - 1, top],
      [width - 1, bottom],
      [1, bottom],
    ]);
    await expect.poll(() => title.innerText()).toBe(`${unsold.length} ZIP codes selected`);
    // With shift, another lasso adds the others.
    await page.keyboard.down('Shift');
    await drag([
      [1, 1],
      [width - 1, 1],
      [width - 1, top],
      [1, top],
    ]);
    await page.keyboard.up('Shift');
    await expect.poll(() => title.innerText()).toBe(`${facts.length} ZIP codes selected`);

    // By keyboard: a point, and its words
    await plot.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await section.getByText(/score \d+, [\d.]+ per 1,000\. (Strong|Weak) demand/).waitFor();

    // From the list to the review
    await section.getByRole('button', { name: 'Select all' }).click();
    await section.getByRole('checkbox', { name: new RegExp(white[0]!.zip) }).uncheck();
    const chosen = white.length - 1;
    await section.getByRole('button', { name: `Add ${chosen} ZIP codes` }).click();
    await section.getByText('Held by Bay HVAC').first().waitFor();
    await section.getByLabel('Only unassigned').check();
    await section.getByText('1 ZIP code in unassigned white space').waitFor();
    await page.keyboard.press('Control+s');
    await page.getByRole('button', { name: `Send ${chosen} to review` }).click();
    const statuses = async () => [...(await heldZipStatuses(tenant, brand)).values()];
    await expect.poll(statuses).toEqual(white.slice(1).map(() => 'pending'));

    // Thresholds, and the address
    await section.getByLabel('Strong from score').fill('0');
    // What has been typed but not entered stays, whatever else changes meanwhile.
    const demand = section.getByLabel('Demand');
    for (const color of ['score:roofing', SCORES]) {
      await demand.evaluate((element, value) => {
        (element as { value: string }).value = value;
        element.dispatchEvent(new Event('change'));
      }, color);
      await expect.poll(() => new URL(page.url()).searchParams.get('color')).toBe(color);
    }
    await page.keyboard.press('Enter');
    await expect
      .poll(() => row('Strong demand, white space').innerText())
      .toBe(String(unsold.length));
    const shown = Object.fromEntries(new URL(page.url()).searchParams);
    expect(shown).toMatchObject({ view: 'white-space', data: 'jobs-2025', strong: '0' });
    for (const size of [375, 1920]) {
      await page.setViewportSize({ width: size, height: 900 });
      await expectFit(page);
    }
    await page.getByLabel('Color by').selectOption('rate:jobs-2025');
    const legend = page.getByRole('list', { name: /^Legend: Jobs 2025 per 1,000/ });
    expect(await legend.innerText()).toContain('None');
    expect(new URL(page.url()).searchParams.has('view')).toBe(false);
    expect(complaints).toEqual([]);
  },
);
