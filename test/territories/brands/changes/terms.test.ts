/** What rules against overlap read in the terms of holdings: the kind of grant, and its end. */
import { describe, expect, it } from 'vitest';
import type { TenantDatabase } from '../../../../src/people/account/tenant.ts';
import { addDays } from '../../../../src/base/text/days.ts';
import { applyZips, previewApply } from '../../../../src/territories/brands/apply.ts';
import { brandZips } from '../../../../src/territories/brands/brand-zips.ts';
import type { Brand } from '../../../../src/territories/brands/brands.ts';
import { approveChange } from '../../../../src/territories/brands/changes/decide.ts';
import { runDueChanges } from '../../../../src/territories/brands/changes/due.ts';
import { findChange } from '../../../../src/territories/brands/changes/read.ts';
import { countOverlaps } from '../../../../src/territories/brands/groups/existing-overlaps.ts';
import { approveReviews } from '../../../../src/territories/brands/review.ts';
import { setTerms, type Terms } from '../../../../src/territories/brands/terms/terms.ts';
import { testDatabase } from '../../../support/database.ts';
import { hold } from '../holding.ts';
import { expectConsistent } from '../invariants.ts';
import { agent, DALLAS, reviewer } from '../organization.ts';
import { change, dayComes, franchise, nextYear, statesOf } from './setting.ts';

const [A, B] = DALLAS as [string, string];
const { db } = await testDatabase('sample');

const grant = (tenant: TenantDatabase, brand: Brand, zips: string[], terms: Partial<Terms>) =>
  tenant.transaction((tx) => setTerms(tx, reviewer.actor, brand, { zips, ...terms }));

describe('a rule that blocks overlaps', () => {
  it('lets a brand into a ZIP code whose holder has no exclusive grant there', async () => {
    const { tenant, north, south, east } = await franchise(db);
    await hold(tenant, north, [A, B]);
    await grant(tenant, north, [A], { granted: 'non_exclusive' });
    for (const granted of ['protected', 'exclusive', null] as const) {
      await grant(tenant, north, [B], { granted, note: 'Agreement 12' });
      expect(await previewApply(tenant, south, [A, B])).toMatchObject({
        queued: [A],
        shared: [],
        refused: [B],
      });
    }
    await hold(tenant, south, [A]);
    expect(await statesOf(tenant, south)).toEqual({ [A]: 'live' });
    // What both were granted is no overlap to resolve, and carries no flag.
    expect((await countOverlaps(tenant)).size).toBe(0);
    expect((await brandZips(tenant, south)).rows).toMatchObject([{ zip: A, shared: false }]);
    // South's own grant is exclusive until it says otherwise, but East is outside the group.
    await hold(tenant, east, [A]);
    await expectConsistent(tenant);
  });

  it('decides by the grant of the day on which a request is approved', async () => {
    const { tenant, north, south } = await franchise(db);
    await hold(tenant, north, [A]);
    await grant(tenant, north, [A], { granted: 'non_exclusive' });
    const { batchId } = await tenant.transaction((tx) =>
      applyZips(tx, agent, south, { zips: [A] }),
    );
    await grant(tenant, north, [A], { granted: 'exclusive' });
    const approve = () =>
      tenant.transaction((tx) => approveReviews(tx, reviewer, { batchId: batchId! }));
    await expect(approve()).rejects.toThrow('held by North');
    await grant(tenant, north, [A], { granted: 'non_exclusive' });
    await approve();
    await expect(grant(tenant, north, [A], { granted: 'exclusive' })).rejects.toThrow(
      `These ZIP codes stay non-exclusive: ${A}: held by South`,
    );
    await grant(tenant, north, [A], { note: 'Agreement 12' });
  });
});

describe('a holding whose term ends', () => {
  it('makes room for a successor from the next day on', async () => {
    const { tenant, north, south } = await franchise(db);
    await hold(tenant, north, [A, B]);
    const last = await nextYear(tenant);
    const next = await nextYear(tenant, 1);
    await grant(tenant, north, [A], { endsOn: last.day, atEnd: 'ends' });
    await grant(tenant, north, [B], { endsOn: last.day, atEnd: 'told' });
    const gets = [{ brand: south, added: [A, B], removed: [] }];
    expect(await previewApply(tenant, south, [A, B])).toMatchObject({ refused: [A, B] });
    await expect(change(tenant, gets, { on: last })).rejects.toThrow(`${A}, ${B}: held by North`);
    const made = await change(tenant, gets, { on: next });
    // People are only told of the end of the other one, which North then still holds.
    expect(made.parts).toMatchObject([{ requested: { queued: [A], shared: [], refused: [B] } }]);
    expect((await brandZips(tenant, south)).rows).toMatchObject([{ zip: A, shared: false }]);
    await tenant.transaction((tx) => approveChange(tx, reviewer, made.id!));
    expect(await findChange(tenant, 'all', made.id!)).toMatchObject({ status: 'scheduled' });

    await dayComes(tenant, made.id!);
    await endedYesterday(tenant);
    expect(await runDueChanges(db, tenant.organizationId)).toEqual({ live: 1, blocked: 0 });
    expect(await statesOf(tenant, north)).toEqual({ [A]: 'removed', [B]: 'live' });
    expect(await statesOf(tenant, south)).toEqual({ [A]: 'live' });
    await expectConsistent(tenant);
  });

  it('keeps a successor out if it was extended meanwhile', async () => {
    const { tenant, north, south } = await franchise(db);
    await hold(tenant, north, [A]);
    const last = await nextYear(tenant);
    await grant(tenant, north, [A], { endsOn: last.day, atEnd: 'ends' });
    const { id } = await change(tenant, [{ brand: south, added: [A], removed: [] }], {
      on: await nextYear(tenant, 1),
    });
    await tenant.transaction((tx) => approveChange(tx, reviewer, id!));
    await grant(tenant, north, [A], { endsOn: addDays(last.day, 365) });
    await dayComes(tenant, id!);
    expect(await runDueChanges(db, tenant.organizationId)).toEqual({ live: 0, blocked: 1 });
    expect(await statesOf(tenant, north)).toEqual({ [A]: 'live' });
    expect(await findChange(tenant, 'all', id!)).toMatchObject({
      status: 'blocked',
      reason: expect.stringContaining('held by another brand'),
    });
    await expectConsistent(tenant);
  });
});

/** Yesterday was the last day of the terms that end. Nobody has ended the holdings yet. */
const endedYesterday = (tenant: TenantDatabase) =>
  tenant.query(
    `update holding_terms t set ends_on = (now() at time zone o.time_zone)::date - 1
     from organizations o where t.organization_id = $1 and o.id = $1 and t.at_end = 'ends'`,
  );
