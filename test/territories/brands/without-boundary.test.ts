/** ZIP codes that have figures but no boundary, because the vintages of both differ. */
import { expect, it } from 'vitest';
import { mapsWith } from '../../../src/maps/cartography/map-renderer.ts';
import { storeZipsWithoutBoundary } from '../../../src/data/ingest/zips-without-boundary.ts';
import { publicZipProfile } from '../../../src/data/market/public/zip.ts';
import { zipsOfMetro } from '../../../src/data/market/zips.ts';
import { listShared } from '../../../src/territories/share/listing.ts';
import { bboxAround } from '../../../src/base/spatial/bbox.ts';
import { applyZips, previewApply } from '../../../src/territories/brands/apply.ts';
import { brandZips } from '../../../src/territories/brands/brand-zips.ts';
import { effectOfChange } from '../../../src/territories/brands/effect.ts';
import { healthOfBrands } from '../../../src/territories/brands/health.ts';
import { extentOfZips } from '../../../src/territories/brands/map-zips.ts';
import { removeZips } from '../../../src/territories/brands/remove.ts';
import { shapeOf } from '../../../src/territories/brands/shape/shape.ts';
import { undoRemoval } from '../../../src/territories/brands/undo.ts';
import { zipProfile } from '../../../src/territories/brands/zip-profile.ts';
import { zipsInRadius } from '../../../src/territories/brands/zips-in-radius.ts';
import { testDatabase } from '../../support/database.ts';
import { hold } from './holding.ts';
import { agent, organizationWith, unlimitedViewer } from './organization.ts';

const { db } = await testDatabase('sample');
const { tenant, brands } = await organizationWith(db, 'Star');
const [star] = brands;

/** A ZIP code in McKinney whose boundary was split off in 2020, so the boundaries of 2010 lack it */
const LATE = '75072';
const NEAR = ['75201', '75204'];
for (const table of ['zips', 'zip_boundaries', 'zip_neighbors']) {
  await db.query(`delete from ${table} where zip = $1`, [LATE]);
}
await db.query('delete from zip_neighbors where neighbor = $1', [LATE]);
await db.transaction(storeZipsWithoutBoundary);

it('belong to the metro of their county', async () => {
  expect(await zipsOfMetro(db, 'dallas-tx')).toContain(LATE);
  const { hasBoundary, metroSlug, scores } = await publicZipProfile(db, LATE);
  expect({ hasBoundary, metroSlug }).toEqual({ hasBoundary: false, metroSlug: 'dallas-tx' });
  expect(scores).toHaveLength(11);
  expect(await zipProfile(unlimitedViewer(tenant), 'all', LATE)).toMatchObject({
    hasBoundary: false,
    countyFips: '48085',
    neighbors: [],
    landAreaM2: null,
    demographics: { zip: LATE },
  });
  expect(await zipsInRadius(db, { zip: LATE }, 1)).toContain(LATE);
});

it('can be held, removed, and held again, and count in all figures', async () => {
  await hold(tenant, star, [...NEAR, LATE]);
  const [health] = await healthOfBrands(unlimitedViewer(tenant), 'all', 'roofing');
  expect(health).toMatchObject({ live: 3, isolated: 0, totals: { zips: 3 } });
  expect(health!.markets[0]).toMatchObject({ metro: 'dallas-tx', heldZips: 3 });
  const { rows } = await brandZips(tenant, star, { flag: 'no_boundary' });
  expect(rows).toMatchObject([{ zip: LATE, state: 'TX', isolated: false, hasBoundary: false }]);
  expect((await shapeOf(db, tenant, star))!.pieces).toBe(1);
  const { before, newlyIsolated, cutOff } = await effectOfChange(
    db,
    unlimitedViewer(tenant),
    'all',
    star,
    { removed: [NEAR[0]!] },
  );
  expect({ pieces: before.pieces, newlyIsolated, cutOff }).toEqual({
    pieces: 1,
    cutOff: [],
    newlyIsolated: [NEAR[1]],
  });
  const { removalId } = await tenant.transaction((tx) =>
    removeZips(tx, agent, star, { zips: [LATE] }),
  );
  expect((await brandZips(tenant, star)).rows.map(({ zip }) => zip)).toEqual(NEAR);
  await undoRemoval(tenant, agent, removalId!);
  expect((await brandZips(tenant, star)).rows.map(({ zip }) => zip)).toEqual([LATE, ...NEAR]);
});

it('are omitted from maps, whose subtitle counts them', async () => {
  const zips = [LATE, ...NEAR];
  const drawn: unknown[] = [];
  const renderer = mapsWith({
    render(scene: unknown) {
      drawn.push(scene);
      return Promise.resolve(Buffer.of());
    },
  });
  const look = { style: 'light', width: 600, height: 400, pixelRatio: 1 } as const;
  const map = {
    ...look,
    coloring: { by: 'plain' },
    heading: { title: 'A', subtitle: null },
  } as const;
  const { missing } = await renderer.drawMap(db, { ...map, zips });
  expect(missing).toEqual([LATE]);
  // The picture is for the public. Its maker learns of missing ZIP codes next to it.
  expect(JSON.stringify(drawn[0])).not.toContain('no boundary');
  await expect(renderer.drawMap(db, { ...map, zips: [LATE, '75221'] })).rejects.toThrow(
    '75072 (with figures but without an imported boundary); 75221 (for mail only, such as PO boxes',
  );
  const { bbox, withoutBoundary } = await extentOfZips(tenant.common, zips);
  expect({ bbox, withoutBoundary }).toEqual({
    bbox: bboxAround([bbox, (await extentOfZips(tenant.common, NEAR)).bbox]),
    withoutBoundary: 1,
  });
  const listing = await listShared(
    db,
    zips.map((zip) => ({ zip, status: 'live' as const })),
  );
  expect(listing).toMatchObject({ bbox, withoutBoundary: 1 });
  expect(listing.states.map(({ name }) => name)).toEqual(['Texas']);
});

it('differ from mail-only ZIP codes and from unassigned numbers', async () => {
  const outcome = await previewApply(tenant, star, ['75203', '75221', '99999']);
  expect(outcome.unknownReasons).toEqual([
    { reason: expect.stringContaining('mail only'), zips: ['75221'] },
    { reason: 'not a known ZIP code', zips: ['99999'] },
  ]);
  await expect(
    tenant.transaction((tx) => applyZips(tx, agent, star, { zips: ['75221'] })),
  ).rejects.toThrow('ZIP code 75221 (Dallas, TX) is for mail only');
  await expect(publicZipProfile(db, '99999')).rejects.toThrow('ZIP code 99999 isn’t known');
});
