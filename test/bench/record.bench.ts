/** The record after a year of 10,000 changes: answers of today with and without it, and answers of last year. */
import { afterAll, expect, it } from 'vitest';
import { brandZips, heldZipStatuses } from '../../src/territories/brands/brand-zips.ts';
import { createBrand, type Brand } from '../../src/territories/brands/brands.ts';
import { territoryState } from '../../src/territories/brands/exhibit/state.ts';
import { healthOfBrands } from '../../src/territories/brands/health.ts';
import { listBrands } from '../../src/territories/brands/list-brands.ts';
import { listOverlaps } from '../../src/territories/brands/overlaps.ts';
import { changedDays } from '../../src/territories/record/changed-days.ts';
import { compareDays } from '../../src/territories/record/comparison.ts';
import { zipHistory } from '../../src/territories/record/zip-history.ts';
import { testDatabase } from '../support/database.ts';
import { newKey } from '../support/keyed-app.ts';
import { storeZips } from '../territories/brands/holding.ts';
import { foundedAt, inPast } from '../territories/record/past.ts';
import { report } from './ceilings.ts';
import { median } from './quantile.ts';

const BRANDS = 40;
const DAYS = 250;
const CHANGES_PER_DAY = 40;
const ROUNDS = 15;
const MOST = 2;
/** Of an answer of today with the record, compared with one without it */
const MOST_TODAY = 1.05;
const DAY_MS = 86_400_000;

const { db } = await testDatabase('sample', { own: true });
const { caller: keyed } = await newKey(db);
const caller = { ...keyed, subscription: { ...keyed.subscription, monthlyZips: null } };
const { tenant } = caller;
const start = Date.now() - 365 * DAY_MS;
await foundedAt(db, tenant, new Date(start - DAY_MS).toISOString());
const zips = await db.query<{ zip: string }>(
  'select zip from zips where bbox is not null order by zip',
);
const brands: Brand[] = [];
for (let n = 0; n < BRANDS; n++) {
  const brand = await createBrand(tenant, { name: `Brand ${n}` });
  brands.push(brand);
  const held = zips.filter((_, i) => i % BRANDS === n && i % 5 > 0).map(({ zip }) => zip);
  await storeZips(tenant, brand, held);
}
await db.query('update holdings set held_from = $2 where organization_id = $1', [
  tenant.organizationId,
  new Date(start),
]);
await db.query('vacuum analyze brand_zips');
await db.query('vacuum analyze holdings');
afterAll(() => db.close());

const [brand] = brands as [Brand];
type Reader = typeof tenant;
const ANSWERS: Record<string, (reader: Reader) => Promise<unknown>> = {
  'brands with counts': (reader) => listBrands(reader, 'all', { limit: 50 }),
  'a page of a territory': (reader) => brandZips(reader, brand, {}, { limit: 200 }),
  'a territory': (reader) => heldZipStatuses(reader, brand),
  'the state of an exhibit': (reader) => territoryState(reader, brand),
  'the health of all brands': (reader) =>
    healthOfBrands({ ...caller, tenant: reader }, 'all', null),
  overlaps: (reader) => listOverlaps(reader, 'all', null),
};

async function medianMs(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = -5; round < ROUNDS; round++) {
    const begun = performance.now();
    await work();
    if (round >= 0) times.push(performance.now() - begun);
  }
  return median(times);
}

/**
 * Returns how much longer an answer of today takes with the record than without it. They take turns, and the fastest of
 * each counts, because other work on the machine only makes them slower. The triggers and the table are gone for those
 * without.
 */
async function todayRatio(ask: () => Promise<unknown>): Promise<number> {
  const times: Record<'with' | 'without', number[]> = { with: [], without: [] };
  const measure = async (which: keyof typeof times) => {
    await ask();
    const begun = performance.now();
    await ask();
    times[which].push(performance.now() - begun);
  };
  for (let round = 0; round < ROUNDS; round++) {
    await measure('with');
    await db.query('alter table holdings rename to no_holdings');
    await db.query('alter table brand_zips disable trigger user');
    await measure('without');
    await db.query('alter table brand_zips enable trigger user');
    await db.query('alter table no_holdings rename to holdings');
  }
  return Math.min(...times.with) / Math.min(...times.without);
}

it('answers of last year take at most twice as long, and those of today under 5% longer', async () => {
  const before: Record<string, number> = {};
  for (const [name, ask] of Object.entries(ANSWERS))
    before[name] = await medianMs(() => ask(tenant));
  const began = performance.now();
  for (let day = 0; day < DAYS; day++) {
    const at = new Date(start + ((day + 1) * 364 * DAY_MS) / DAYS).toISOString();
    await inPast(tenant, at, async (tx) => {
      await tx.query(
        `with moving as (
           select zip, brand_id from brand_zips where organization_id = $1 and state = 'live'
             and abs(hashtext(zip || $2)) % 10000 < 40 limit ${CHANGES_PER_DAY}),
         left_brand as (
           update brand_zips bz set state = 'removed', changed_at = statement_timestamp() from moving m
           where bz.brand_id = m.brand_id and bz.zip = m.zip)
         insert into brand_zips (organization_id, brand_id, zip, state)
         select $1, $3, zip, 'live' from moving where brand_id <> $3
         on conflict (brand_id, zip) do update set state = 'live', changed_at = statement_timestamp()`,
        [String(day), brands[day % BRANDS]!.id],
      );
    });
  }
  const [rows] = await db.query<{ count: number; mb: number }>(
    `select count(*)::int as count, round(pg_total_relation_size('holdings') / 1e6) as mb from holdings`,
  );
  report(
    `${DAYS * CHANGES_PER_DAY} changes in ${Math.round(performance.now() - began)} ms: ${rows!.count} periods, ${rows!.mb} MB`,
  );
  await db.query('vacuum analyze brand_zips');
  await db.query('vacuum analyze holdings');
  const then = tenant.asOf(new Date(start + 10 * DAY_MS));
  const slower: string[] = [];
  for (const [name, ask] of Object.entries(ANSWERS)) {
    const now = await medianMs(() => ask(tenant));
    const past = await medianMs(() => ask(then));
    const ratio = past / now;
    const today = await todayRatio(() => ask(tenant));
    report(
      `${name}: ${before[name]!.toFixed(1)} ms before, ${now.toFixed(1)} ms today (${today.toFixed(3)} of that without ` +
        `the record), ${past.toFixed(1)} ms last year (${ratio.toFixed(2)} of today)`,
    );
    if (ratio > MOST) slower.push(name);
    if (today > MOST_TODAY) slower.push(`${name} today`);
  }
  const compare = await medianMs(() =>
    compareDays(caller, { from: new Date(start + 10 * DAY_MS).toISOString() }),
  );
  const days = await medianMs(() => changedDays(tenant, 'all'));
  const zip = await medianMs(() => zipHistory(tenant, 'all', '75201'));
  report(
    `comparison of a year ${compare.toFixed(1)} ms, days of changes ${days.toFixed(1)} ms, history of a ZIP code ${zip.toFixed(1)} ms`,
  );
  expect(slower).toEqual([]);
});
