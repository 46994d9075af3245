/**
 * Random sequences of changes with and without days, of requests and removals between them, and of days that come, also
 * while no process makes changes live: no moment breaks a blocking rule, each change is whole or nothing, and the record is what happened.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { TenantDatabase } from '../../../../src/people/account/tenant.ts';
import { ServiceError } from '../../../../src/errors.ts';
import { applyZips } from '../../../../src/territories/brands/apply.ts';
import type { Brand } from '../../../../src/territories/brands/brands.ts';
import type { BrandChange } from '../../../../src/territories/brands/changes/preview.ts';
import { approveChange, rejectChange } from '../../../../src/territories/brands/changes/decide.ts';
import { runDueChanges } from '../../../../src/territories/brands/changes/due.ts';
import { moveChange } from '../../../../src/territories/brands/changes/move.ts';
import {
  listChanges,
  OPEN_STATUSES,
  type Change,
  type ChangeStatus,
} from '../../../../src/territories/brands/changes/read.ts';
import { undoChange } from '../../../../src/territories/brands/changes/undo.ts';
import { withdrawChange } from '../../../../src/territories/brands/changes/withdraw.ts';
import { removeZips } from '../../../../src/territories/brands/remove.ts';
import { approveReviews } from '../../../../src/territories/brands/review.ts';
import { undoRemoval } from '../../../../src/territories/brands/undo.ts';
import { listRemovals } from '../../../../src/territories/brands/removals.ts';
import { testDatabase } from '../../../support/database.ts';
import { runs } from '../../../support/thorough.ts';
import { expectConsistent } from '../invariants.ts';
import { hold } from '../holding.ts';
import { agent, DALLAS, reviewer } from '../organization.ts';
import { change, franchise, nextYear } from './setting.ts';

const ZIPS = DALLAS.slice(0, 3);
/** North and South are in a group that blocks overlaps; East isn't. */
const BRANDS = 3;
const DAYS = 4;

const zips = fc.subarray(ZIPS, { minLength: 1 });
const day = fc.option(fc.integer({ min: 1, max: DAYS }));
const part = fc.record({
  brand: fc.nat(BRANDS - 1),
  added: fc.subarray(ZIPS),
  removed: fc.subarray(ZIPS),
});
const which = fc.nat(5);
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constant('change'),
      parts: fc.array(part, { minLength: 1, maxLength: 3 }),
      day,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constantFrom(
        'approve',
        'approve',
        'approve',
        'approve',
        'reject',
        'reject',
        'withdraw',
        'undo',
      ),
      which,
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('move'), which, day }) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constantFrom('hold', 'remove'),
      brand: fc.nat(BRANDS - 1),
      zips,
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('restore'), brand: fc.nat(BRANDS - 1) }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('tomorrow'), isDown: fc.boolean() }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const { db } = await testDatabase('sample');

it('no moment breaks a rule, and each change is whole or nothing, after any sequence', async () => {
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 20, maxLength: 40, size: 'max' }),
      async (steps) => {
        const { tenant, north, south, east } = await franchise(db);
        await hold(tenant, north, ZIPS.slice(0, 2));
        await hold(tenant, east, ZIPS.slice(1));
        await play(tenant, [north, south, east], steps, seen);
      },
    ),
    { numRuns: runs(60), endOnFailure: true },
  );
  // The sequences reach the other states, too.
  expect([...seen.keys()].sort()).toEqual(
    expect.arrayContaining(['live', 'rejected', 'scheduled', 'undone', 'waiting', 'withdrawn']),
  );
});

/** What happens around the days of two changes by which a ZIP code passes from North to South */
const aroundDays = fc.oneof(
  { weight: 3, arbitrary: fc.record({ does: fc.constant('tomorrow'), isDown: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constantFrom('hold', 'remove', 'remove'),
      brand: fc.constantFrom(0, 0, 1),
      zips: fc.constant(ZIPS.slice(0, 1)),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constantFrom('withdraw'), which: fc.nat(1) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('move'), which: fc.nat(1), day }) },
);

it('no moment breaks a rule while a ZIP code passes on, also if nobody makes changes live for days', async () => {
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 2 }),
      fc.integer({ min: 1, max: 2 }),
      fc.boolean(),
      fc.array(aroundDays, { minLength: 3, maxLength: 9, size: 'max' }),
      async (leavesOn, arrivesOn, isWithdrawn, steps) => {
        const { tenant, north, south } = await franchise(db);
        const [zip] = ZIPS;
        await hold(tenant, north, [zip!]);
        const passes: Step[] = [
          { does: 'change', parts: [{ brand: 0, added: [], removed: [zip!] }], day: leavesOn },
          { does: 'change', parts: [{ brand: 1, added: [zip!], removed: [] }], day: arrivesOn },
          { does: 'approve', which: 0 },
          // North's, which is the earlier one
          ...(isWithdrawn ? [{ does: 'withdraw', which: 1 } as const] : []),
        ];
        await play(tenant, [north, south], [...passes, ...steps, ONE_DAY], seen);
      },
    ),
    {
      numRuns: runs(120),
      endOnFailure: true,
      // North has the ZIP code when South's day comes, and gives it up before anyone looks.
      examples: [
        [
          1,
          1,
          true,
          [
            { does: 'tomorrow', isDown: true },
            { does: 'remove', brand: 0, zips: ZIPS.slice(0, 1) },
          ],
        ],
      ],
    },
  );
  expect([...seen.keys()].sort()).toEqual(
    expect.arrayContaining(['blocked', 'live', 'scheduled', 'waiting', 'withdrawn']),
  );
});

const ONE_DAY: Step = { does: 'tomorrow', isDown: false };

/** Takes steps in an organization whose first two brands are in a group that blocks overlaps, and checks it after each. */
async function play(
  tenant: TenantDatabase,
  brands: readonly Brand[],
  steps: readonly Step[],
  seen: Map<string, number>,
): Promise<void> {
  let today = 0;
  for (const each of steps) {
    const before = await changesOf(tenant);
    if (each.does === 'tomorrow') await dayComes(tenant, ++today, each.isDown);
    else await perform(tenant, brands, today, each);
    const after = await changesOf(tenant);
    for (const [id, { status }] of after) {
      if (before.get(id)?.status === status) continue;
      seen.set(status, (seen.get(status) ?? 0) + 1);
      if (status === 'live') await expectWhole(tenant, after.get(id)!);
    }
    await expectNoOverlap(tenant, brands[0]!, brands[1]!);
    await expectConsistent(tenant);
  }
}

const changesOf = async (tenant: TenantDatabase): Promise<Map<string, Change>> =>
  new Map((await listChanges(tenant, 'all', {}, { limit: 100 })).rows.map((one) => [one.id, one]));

/**
 * Days to come are days of next year, which arrive one after another.
 * @param isDown whether nobody makes their changes live before the next day
 */
async function dayComes(tenant: TenantDatabase, number: number, isDown: boolean): Promise<void> {
  const { day } = await nextYear(tenant, Math.min(number, DAYS));
  await tenant.query(
    `update changes set due_at = date_trunc('milliseconds', statement_timestamp()),
       on_day = (now() at time zone 'UTC')::date
     where organization_id = $1 and on_day = $2::date and status in ('waiting', 'scheduled')`,
    [day],
  );
  await tenant.query('select pg_sleep(0.002), $1::uuid');
  if (!isDown) await runDueChanges(db, tenant.organizationId);
}

/** Takes a step. A refusal changes nothing. */
async function perform(
  tenant: TenantDatabase,
  brands: readonly Brand[],
  today: number,
  each: Exclude<Step, { does: 'tomorrow' }>,
): Promise<void> {
  const dayOf = async (number: number | null) =>
    number === null || number <= today ? null : nextYear(tenant, number);
  try {
    if ('parts' in each) {
      const parts = new Map<number, BrandChange>();
      for (const { brand, added, removed } of each.parts) {
        const gets = added.filter((zip) => !removed.includes(zip));
        parts.set(brand, { brand: brands[brand]!, added: gets, removed });
      }
      await change(tenant, [...parts.values()], { on: await dayOf(each.day) });
      return;
    }
    if ('which' in each) {
      const fitting: Record<typeof each.does, readonly ChangeStatus[]> = {
        approve: ['waiting'],
        reject: ['waiting'],
        withdraw: OPEN_STATUSES,
        move: OPEN_STATUSES,
        undo: ['live'],
      };
      const all = [...(await changesOf(tenant)).values()].filter(({ status }) =>
        fitting[each.does].includes(status),
      );
      const chosen = all[each.which % Math.max(1, all.length)];
      if (!chosen) return;
      const on = 'day' in each ? await dayOf(each.day) : null;
      await tenant.transaction(async (tx) => {
        if (each.does === 'approve') await approveChange(tx, reviewer, chosen.id);
        if (each.does === 'reject') await rejectChange(tx, reviewer, chosen.id, 'No');
        if (each.does === 'withdraw') await withdrawChange(tx, reviewer, chosen.id);
        if (each.does === 'undo') await undoChange(tx, reviewer, chosen.id);
        if (each.does === 'move') await moveChange(tx, reviewer, chosen.id, on);
      });
      return;
    }
    if (!('brand' in each)) return;
    const brand = brands[each.brand]!;
    if (!('zips' in each)) {
      const [removal] = (await listRemovals(tenant, brand, { limit: 1 })).rows;
      if (removal) await undoRemoval(tenant, reviewer.actor, removal.id);
      return;
    }
    await tenant.transaction(async (tx) => {
      if (each.does === 'remove') return void (await removeZips(tx, agent, brand, each));
      const { batchId } = await applyZips(tx, agent, brand, { zips: each.zips });
      if (batchId !== null) await approveReviews(tx, reviewer, { batchId });
    });
  } catch (error) {
    if (error instanceof ServiceError && [400, 404, 409].includes(error.status)) return;
    throw error;
  }
}

/** What a change that just went live gives and takes is there and gone. */
async function expectWhole(tenant: TenantDatabase, { id, parts }: Change): Promise<void> {
  const live = await tenant.query<{ place: string }>(
    `select brand_id || ' ' || zip as place from brand_zips where organization_id = $1 and state = 'live'`,
  );
  const isLive = new Set(live.map(({ place }) => place));
  for (const { brand, added, removed } of parts) {
    expect({ id, lacks: added.filter((zip) => !isLive.has(`${brand.id} ${zip}`)) }).toEqual({
      id,
      lacks: [],
    });
    // What it no longer held, and got again, isn't the change's any more.
    const kept = removed.filter((zip) => isLive.has(`${brand.id} ${zip}`));
    const still = await tenant.query(
      `select from change_zips cz join changes c on c.id = cz.change_id
       join brand_zips bz on bz.organization_id = $1 and bz.brand_id = cz.brand_id and bz.zip = cz.zip
       where cz.organization_id = $1 and c.id = $2 and bz.brand_id = $3 and bz.zip = any($4)
         and bz.changed_at < c.made_at`,
      [id, brand.id, kept],
    );
    expect({ id, still }).toEqual({ id, still: [] });
  }
}

/** By the record, no ZIP code was ever live for both brands at one moment. */
async function expectNoOverlap(tenant: TenantDatabase, one: Brand, other: Brand): Promise<void> {
  const overlaps = await tenant.query(
    `select a.zip, a.held_from, b.held_from from holdings a join holdings b using (zip)
     where a.organization_id = $1 and b.organization_id = $1 and a.brand_id = $2 and b.brand_id = $3
       and a.state = 'live' and b.state = 'live'
       and a.held_from < coalesce(b.held_until, 'infinity')
       and b.held_from < coalesce(a.held_until, 'infinity')`,
    [one.id, other.id],
  );
  expect(overlaps).toEqual([]);
}
