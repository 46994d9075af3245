/** Concurrent changes to one territory, each in its own transaction and connection. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type {
  Tenant,
  TenantDatabase,
  TenantTransaction,
} from '../../../src/people/account/tenant.ts';
import { answerOnce } from '../../../src/people/metering/idempotent.ts';
import { ServiceError } from '../../../src/errors.ts';
import { applyZips } from '../../../src/territories/brands/apply.ts';
import { heldZipStatuses } from '../../../src/territories/brands/brand-zips.ts';
import { createGroup, updateGroup } from '../../../src/territories/brands/groups/groups.ts';
import { removeZips } from '../../../src/territories/brands/remove.ts';
import { listReviews } from '../../../src/territories/brands/review-list.ts';
import { approveReviews, rejectReviews } from '../../../src/territories/brands/review.ts';
import { undoRemoval } from '../../../src/territories/brands/undo.ts';
import { testDatabase } from '../../support/database.ts';
import { expectConsistent } from './invariants.ts';
import { agent, DALLAS, organizationWith, reviewer } from './organization.ts';

const ROUNDS = 25;
const zips = DALLAS.slice(0, 3);

// A race that fails once is a fault, also if it doesn't fail again.
describe('concurrent changes', { retry: 0 }, async () => {
  const { db } = await testDatabase('sample');

  /** A brand with pending ZIP codes, and live ones in `live`. */
  async function brandWith({ pending = [], live = [] }: { pending?: string[]; live?: string[] }) {
    const { tenant, brands } = await organizationWith(db, 'North');
    const [brand] = brands;
    if (live.length > 0) {
      await tenant.transaction(async (tx) => {
        const { batchId } = await applyZips(tx, agent, brand, { zips: live });
        await approveReviews(tx, reviewer, { batchId: batchId! });
      });
    }
    if (pending.length > 0) {
      await tenant.transaction((tx) => applyZips(tx, agent, brand, { zips: pending }));
    }
    return { tenant, brand };
  }

  it('queue a ZIP code once when it is requested several times', async () => {
    await repeatRounds(async () => {
      const { tenant, brand } = await brandWith({});
      const overlapping = [zips, zips.slice(1), zips.toReversed(), zips.slice(0, 2)];
      const outcomes = await atOnce(
        overlapping.map(
          (some) => () => hesitant(tenant, (tx) => applyZips(tx, agent, brand, { zips: some })),
        ),
      );
      expect(
        successesOf(outcomes)
          .flatMap(({ queued }) => queued)
          .sort(),
      ).toEqual(zips);
      expect(successesOf(outcomes)).toHaveLength(overlapping.length);
      await expectConsistent(tenant);
    });
  });

  it('remove a ZIP code that was just approved, or approve nothing that was removed', async () => {
    await repeatRounds(async () => {
      const { tenant, brand } = await brandWith({ pending: zips });
      const [removed, approved] = await Promise.all([
        hesitant(tenant, (tx) => removeZips(tx, agent, brand, { zips })),
        hesitant(tenant, (tx) => approveReviews(tx, reviewer, { brandId: brand.id })).catch(codeOf),
      ]);
      const { live, pending } = removed;
      expect([live, pending]).toEqual(approved === 'not_found' ? [[], zips] : [zips, []]);
      expect(await heldZipStatuses(tenant, brand)).toEqual(new Map());
      await expectConsistent(tenant);
    });
  });

  it('decide each review once', async () => {
    await repeatRounds(async () => {
      const { tenant, brand } = await brandWith({ pending: zips });
      const choice = { brandId: brand.id };
      const outcomes = await atOnce([
        () => hesitant(tenant, (tx) => approveReviews(tx, reviewer, choice)),
        () => hesitant(tenant, (tx) => rejectReviews(tx, reviewer, choice, 'Too far')),
        () =>
          hesitant(tenant, (tx) => approveReviews(tx, reviewer, { ...choice, zips: [zips[1]!] })),
      ]);
      const decided = successesOf(outcomes).flatMap(({ decided }) => decided.map(({ zip }) => zip));
      expect(decided.sort()).toEqual(zips);
      await expectConsistent(tenant);
    });
  });

  it('undo a removal once', async () => {
    await repeatRounds(async () => {
      const { tenant, brand } = await brandWith({ live: zips.slice(0, 1), pending: zips.slice(1) });
      const before = await snapshotOf(tenant);
      const { removalId } = await tenant.transaction((tx) =>
        removeZips(tx, agent, brand, { zips }),
      );
      const outcomes = await atOnce(
        [1, 2, 3].map(() => () => undoRemoval(slow(tenant), agent, removalId)),
      );
      expect(successesOf(outcomes)).toHaveLength(1);
      expect(outcomes.filter(failed).map(({ reason }) => codeOf(reason))).toEqual([
        'conflict',
        'conflict',
      ]);
      expect(await snapshotOf(tenant)).toEqual(before);
      await expectConsistent(tenant);
    });
  });

  it('execute a call once when it is sent twice with one idempotency key', async () => {
    await repeatRounds(async () => {
      const { tenant, brand } = await brandWith({});
      const key = randomUUID();
      let times = 0;
      const send = () =>
        hesitant(tenant, (tx) =>
          answerOnce(tx, { tool: 'apply', key, input: { zips } }, async () => {
            times++;
            const { queued } = await applyZips(tx, agent, brand, { zips });
            return { queued };
          }),
        );
      const answers = successesOf(await atOnce([send, send, send]));
      expect(times).toBe(1);
      expect(answers.map(({ answer }) => answer)).toEqual([1, 2, 3].map(() => ({ queued: zips })));
      expect(answers.filter(({ repeated }) => repeated)).toHaveLength(2);
      await expectConsistent(tenant);
    });
  });

  it('execute the second call if the first one’s transaction failed', async () => {
    await repeatRounds(async () => {
      const { tenant, brand } = await brandWith({});
      const key = randomUUID();
      const send = (fails: boolean) => () =>
        hesitant(tenant, (tx) =>
          answerOnce(tx, { tool: 'apply', key, input: { zips } }, async () => {
            const { queued } = await applyZips(tx, agent, brand, { zips });
            if (fails) throw new ServiceError(503, 'unavailable', 'no');
            return { queued };
          }),
        );
      const [, second] = await atOnce([send(true), send(false)]);
      expect(successesOf([second!])).toMatchObject([{ answer: { queued: zips }, repeated: false }]);
      expect([...(await heldZipStatuses(tenant, brand)).keys()]).toEqual(zips);
      await expectConsistent(tenant);
    });
  });

  it('give a ZIP code to one brand of a group that blocks overlaps', async () => {
    const { tenant, brands } = await organizationWith(db, 'North', 'South', 'East');
    const [north, south, east] = brands;
    await tenant.transaction(async (tx) => {
      const rule = 'block';
      // Each brand is in two groups, which are locked in the order of their ids.
      await createGroup(tx, agent, { name: 'One', rule, brands: [north.id, south.id] });
      await createGroup(tx, agent, { name: 'Two', rule, brands: [south.id, north.id, east.id] });
    });
    const removals: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      for (const brand of brands) {
        await tenant.transaction((tx) => applyZips(tx, agent, brand, { zips: DALLAS }));
      }
      const ids = new Map<string, string[]>();
      for (const { id, brand } of (await listReviews(tenant, 'all', { status: 'pending' })).rows) {
        ids.set(brand.id, [...(ids.get(brand.id) ?? []), id]);
      }
      const approval = (of: readonly string[]) => () =>
        hesitant(tenant, (tx) => approveReviews(tx, reviewer, { ids: of }));
      const [ofNorth, ofSouth, ofEast] = brands.map(({ id }) => ids.get(id) ?? []);
      const outcomes = await atOnce<unknown>([
        ...[ofNorth!, ofSouth!.toReversed(), ofEast!].map(approval),
        approval([...ofSouth!, ...ofNorth!.slice(0, 4)]),
        () => undoRemoval(slow(tenant), agent, oneOf([...removals, randomUUID()])),
        () =>
          hesitant(tenant, (tx) =>
            updateGroup(tx, agent, 'Two', { brands: [east.id, north.id, south.id] }),
          ),
      ]);
      const refusals = outcomes.filter(failed).map(({ reason }) => codeOf(reason));
      expect(refusals.filter((code) => code !== 'conflict' && code !== 'not_found')).toEqual([]);
      const live = await tenant.query<{ zip: string; holders: number }>(
        `select zip, count(*) as holders from brand_zips
         where organization_id = $1 and state = 'live' group by zip order by zip`,
      );
      expect(live).toEqual(DALLAS.map((zip) => ({ zip, holders: 1 })));
      await expectConsistent(tenant);
      for (const brand of brands) {
        if ((await heldZipStatuses(tenant, brand)).size === 0) continue;
        const { removalId } = await tenant.transaction((tx) =>
          removeZips(tx, agent, brand, { zips: DALLAS }),
        );
        removals.push(removalId);
      }
    }
  });

  it('of every kind to two brands keep the data consistent', async () => {
    const { tenant, brands } = await organizationWith(db, 'North', 'South');
    const removals: string[] = [];
    const some = () => DALLAS.filter(() => Math.random() < 0.4).concat(DALLAS[0]!);
    const changes = [
      (tx: TenantTransaction, i: number) => applyZips(tx, agent, brands[i]!, { zips: some() }),
      (tx: TenantTransaction) =>
        approveReviews(tx, reviewer, { brandId: brands[0].id, zips: some() }),
      (tx: TenantTransaction, i: number) =>
        rejectReviews(tx, reviewer, { brandId: brands[i]!.id }, 'no'),
      async (tx: TenantTransaction, i: number) => {
        const { removalId } = await removeZips(tx, agent, brands[i]!, { zips: some() });
        removals.push(removalId);
      },
    ];
    let changed = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const outcomes = await atOnce<unknown>([
        ...Array.from(
          { length: 7 },
          () => () =>
            hesitant<unknown>(tenant, (tx) => oneOf(changes)(tx, Math.floor(2 * Math.random()))),
        ),
        () => undoRemoval(slow(tenant), agent, oneOf([...removals, randomUUID()])),
      ]);
      changed += successesOf(outcomes).length;
      const refusals = outcomes.filter(failed).map(({ reason }) => codeOf(reason));
      expect(refusals.filter((code) => code !== 'conflict' && code !== 'not_found')).toEqual([]);
      await expectConsistent(tenant);
    }
    expect(changed).toBeGreaterThan(2 * ROUNDS);
  });
});

async function repeatRounds(round: () => Promise<void>): Promise<void> {
  for (let i = 0; i < ROUNDS; i++) await round();
}

const atOnce = <T>(works: (() => Promise<T>)[]) => Promise.allSettled(works.map((work) => work()));

const failed = (outcome: PromiseSettledResult<unknown>): outcome is PromiseRejectedResult =>
  outcome.status === 'rejected';

const codeOf = (error: unknown) => (error instanceof ServiceError ? error.code : error);

/** Returns the results that succeeded. Rethrows failures not caused by another call's success. */
function successesOf<T>(outcomes: readonly PromiseSettledResult<T>[]): T[] {
  return outcomes.flatMap((outcome) => {
    if (!failed(outcome)) return [outcome.value];
    if (outcome.reason instanceof ServiceError) return [];
    throw outcome.reason;
  });
}

const oneOf = <T>(items: readonly T[]): T => items[Math.floor(items.length * Math.random())]!;

/**
 * A transaction with a pause before each statement, so that concurrent ones interleave at random.
 */
const hesitant = <T>(tenant: TenantDatabase, work: (tx: TenantTransaction) => Promise<T>) =>
  slow(tenant).transaction(work);

function slow(tenant: TenantDatabase): TenantDatabase {
  const slowly = <T extends Tenant>(tx: T): T => ({
    ...tx,
    async query(sql, values) {
      await delay(4 * Math.random());
      return tx.query(sql, values);
    },
  });
  return { ...slowly(tenant), transaction: (work) => tenant.transaction((tx) => work(slowly(tx))) };
}

/** States with their times, to the microsecond, and the pending reviews. */
const snapshotOf = (tenant: Tenant) =>
  tenant.query(
    `select bz.zip, bz.state, bz.changed_at::text, r.id as review, r.decided_at, r.decided_by
     from brand_zips bz
     left join reviews r on r.brand_id = bz.brand_id and r.zip = bz.zip and r.status = 'pending'
     where bz.organization_id = $1 order by bz.zip`,
  );
