/**
 * New boundaries, from the command line of the operator to the pages of brands: compared before they replace the last
 * ones, kept as a report, told to the people of brands, with the change that restores the agreed ground.
 */
import type { Position } from 'geojson';
import { describe, expect, it } from 'vitest';
import { boundaryParts, lastBoundaryReport } from '../../src/data/ingest/boundary-changes/store.ts';
import { mintKey } from '../../src/people/account/keys.ts';
import { readDatasets } from '../../src/base/db/datasets.ts';
import { tenantOf, type Tenant } from '../../src/people/account/tenant.ts';
import { listEvents } from '../../src/people/events/events.ts';
import { lossesOfBrand } from '../../src/territories/brands/boundaries/losses.ts';
import { createBrand } from '../../src/territories/brands/brands.ts';
import { dispatchEvents } from '../../src/territories/notify/dispatch.ts';
import { collection, row, square, writeFile, zipFeature } from '../data/ingest/files.ts';
import { newSignedInOwner } from '../people/account/organizations.ts';
import { expectFit, seriousFaults } from '../support/accessibility.ts';
import { browsing } from '../support/browser.ts';
import { hasChromium } from '../support/maplibre.ts';
import { storeZips } from '../territories/brands/holding.ts';
import { testDatabase } from '../support/database.ts';
import { serveKeyed } from '../support/keyed-app.ts';
import { runAdmin } from '../support/processes.ts';
import { Visitor } from '../support/visitor.ts';

const { db, env } = await testDatabase('empty', { own: true });
const own = { ...env, SAMPLE_DATA: 'never' };
const admin = (...args: string[]) => runAdmin(args, own);
const app = await serveKeyed(db);
const site = browsing(own);
const SITE = `http://127.0.0.1:${app.port}`;

/** From a longitude to another, as high as the squares of `row` */
const box = (west: number, east: number): Position[] => [
  [west, 32.7],
  [west, 32.8],
  [east, 32.8],
  [east, 32.7],
  [west, 32.7],
];

const before = writeFile('zcta2010.geojson', collection(row(4)));
const after = writeFile(
  'zcta2020.geojson',
  collection([
    // A quarter of 75201 is 75270 now, 75203 belongs to 75202, and 75204 is as before.
    zipFeature('75270', box(-97, -96.975)),
    zipFeature('75201', box(-96.975, -96.9)),
    zipFeature('75202', box(-96.9, -96.7)),
    zipFeature('75204', square(3)),
  ]),
);
const figures = writeFile('acs5_2023_B25003.json', [
  ['B25003_001E', 'B25003_002E', 'zip code tabulation area'],
  ...['75201', '75202', '75203', '75204'].map((zip) => ['1000', '500', zip]),
]);

/** Returns a new organization with a brand that holds 75201 since some hours. */
async function newHolder(name: string, { hoursAgo }: { hoursAgo: number }) {
  const { tenant, session } = await newSignedInOwner(db);
  const brand = await createBrand(tenant, { name });
  await storeZips(tenant, brand, ['75201']);
  await db.query(
    'update holdings set held_from = held_from - make_interval(hours => $2) where brand_id = $1',
    [brand.id, hoursAgo],
  );
  return { tenant, session, brand };
}

/** What maps know of boundaries */
const outlines = ({ common }: Tenant) =>
  Promise.all([
    common.query('select zip, lod, st_astext(geom) as shape from zip_boundaries order by zip, lod'),
    common.query(
      `select zip, city, state, county_fips, land_area_m2, st_astext(centroid) as middle, st_astext(bbox) as box
       from zips where bbox is not null order by zip`,
    ),
    readDatasets(common),
  ]);

describe('new boundaries', () => {
  it('are compared with the last ones, and told to the people of brands', async () => {
    await admin('import', 'zcta', before);
    await admin('import', 'acs', figures);
    expect(await lastBoundaryReport(db)).toBeNull();
    const pat = await new Visitor(SITE).signUp();
    const [{ id }] = (await db.query<{ id: string }>(
      'select organization_id as id from memberships join people on people.id = person_id where email = $1',
      [pat.email],
    )) as [{ id: string }];
    const tenant = tenantOf(db, id);
    const star = await createBrand(tenant, { name: 'Star' });
    const moon = await createBrand(tenant, { name: 'Moon' });
    await createBrand(tenant, { name: 'Sun' });
    await storeZips(tenant, star, ['75201', '75203']);
    await storeZips(tenant, moon, ['75202', '75204']);
    expect((await pat.get('/account/brands/star')).html).not.toContain('boundary-losses');

    const asAgreed = new Date();
    const agreed = await outlines(tenant);
    const dry = await admin('import', 'zcta', after, '--dry-run');
    expect(dry.stdout).toMatch(
      /ZIP codes compared with Census 2020 ZCTAs: 1 lost area, 1 ended, and 1 is new\.[^]*75201 lost 25% of its area to 75270\.[^]*Ended: 75203\.[^]*New: 75270\./,
    );
    expect(await lastBoundaryReport(db)).toBeNull();

    const imported = await admin('import', 'zcta', after, '--vintage', 'Census 2030 ZCTAs');
    expect(imported.stdout).toContain('The people of 1 brand are told what changed.');
    const report = (await lastBoundaryReport(db))!;
    expect(report).toMatchObject({
      vintageBefore: 'Census 2020 ZCTAs',
      vintageAfter: 'Census 2030 ZCTAs',
    });
    const parts = await boundaryParts(db, report.id);
    expect(
      parts.map(({ share, ...part }) => ({ ...part, share: Math.round(100 * share) })),
    ).toEqual([
      { zip: '75201', nowIn: '75201', share: 75, households: 750 },
      { zip: '75201', nowIn: '75270', share: 25, households: 250 },
      { zip: '75203', nowIn: '75202', share: 100, households: 1000 },
    ]);

    const { html } = await pat.get('/account/brands/star');
    expect(html).toContain(
      '75201 lost 25% of its area (about 250 households) to 75270, which nobody holds.',
    );
    expect(html).toContain(
      '75203 ended. Its area went: 100% (about 1,000 households) to 75202, which Moon holds.',
    );
    expect(html).toMatch(/href="\/account\/map\?[^"]*zips=75270[^"]*"\s*>Request 75270</);
    expect(html).toContain('aria-label="Map of the boundaries before and after"');
    expect((await pat.get('/account/brands/moon')).html).not.toContain('boundary-losses');

    const { events } = await listEvents(tenant, 0, 10, { types: ['boundaries.changed'] });
    expect(events).toMatchObject([
      {
        brandId: star.id,
        data: {
          zips: ['75201', '75203'],
          changes: [
            '75201 lost 25% of its area (about 250 households) to 75270, which nobody holds',
            '75203 ended. Its area went: 100% (about 1,000 households) to 75202, which another brand holds',
          ],
          restoring: ['75270'],
        },
      },
    ]);
    await dispatchEvents(db);
    const notified = (await pat.get('/account/notifications')).html;
    expect(notified).toContain(
      'New boundaries (Census 2030 ZCTAs) took area from 2 ZIP codes of Star.',
    );

    const { key } = await mintKey(tenant, { name: 'all', brands: 'all', mayWrite: false });
    const answer = await fetch(`${app.api}/agent/boundary-changes?brand=star`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    expect(await answer.json()).toMatchObject({
      boundariesAfter: 'Census 2030 ZCTAs',
      losses: [
        { zipCode: '75201', lostPct: 25, ended: false, to: [{ zipCode: '75270', holders: [] }] },
        {
          zipCode: '75203',
          lostPct: 100,
          ended: true,
          to: [{ zipCode: '75202', holders: ['Moon'] }],
        },
      ],
      restoring: ['75270'],
    });

    // Boundaries of an earlier moment are those before the import, at each level of detail.
    expect(await outlines(tenant.asOf(asAgreed))).toEqual(agreed);
    expect(await outlines(tenant)).not.toEqual(agreed);

    // The request waits, and once it is approved, only what another brand holds is left.
    await storeZips(tenant, star, ['75270'], ['75270']);
    const requested = (await pat.get('/account/brands/star')).html;
    expect(requested).toContain('to 75270, which waits for a review.');
    expect(requested).not.toContain('Request 75270');
    await db.query("update brand_zips set state = 'live' where brand_id = $1 and zip = '75270'", [
      star.id,
    ]);
    const restored = (await pat.get('/account/brands/star')).html;
    expect(restored).not.toContain('75270, which nobody holds');
    expect(restored).toContain('75203 ended.');
  });

  it.skipIf(!hasChromium).each(['light', 'dark'] as const)(
    'are drawn beside the earlier ones, in %s',
    async (colorScheme) => {
      const { session } = await newHolder('Comet', { hoursAgo: 1 });
      const { page, complaints } = await site.profile({ session, colorScheme });
      await page.goto(`${site.url}/account/brands/comet`);
      const losses = page.locator('.boundary-losses');
      await losses.getByRole('img', { name: 'Map of the boundaries before and after' }).waitFor();
      expect(await losses.locator('svg .after').count()).toBe(2);
      expect(await seriousFaults(page)).toEqual([]);
      await expectFit(page);
      expect(complaints).toEqual([]);
    },
  );

  it('that are the same change nothing', async () => {
    const again = await admin('import', 'zcta', after, '--vintage', 'Census 2030 ZCTAs');
    expect(again.stdout).toContain('No ZIP code lost area, compared with Census 2030 ZCTAs.');
    const report = (await lastBoundaryReport(db))!;
    expect(await boundaryParts(db, report.id)).toEqual([]);
  });

  it('are no loss for what was agreed after them, and stay on the page of a brand that lost ground', async () => {
    const { tenant, brand } = await newHolder('Late', { hoursAgo: 0 });
    expect(await lossesOfBrand(tenant, brand)).toBeNull();
    const early = await newHolder('Early', { hoursAgo: 1 });
    // The last import changed nothing.
    expect(await lossesOfBrand(early.tenant, early.brand)).toMatchObject({
      report: { vintageAfter: 'Census 2030 ZCTAs' },
      losses: [{ zip: '75201' }],
    });
    const before = new Date(Date.now() - 50 * 60_000);
    expect(await lossesOfBrand(early.tenant.asOf(before), early.brand)).toBeNull();
  });
});
