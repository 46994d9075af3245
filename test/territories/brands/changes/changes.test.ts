/** Changes of several brands: reviewed, live, and undone as one, now or on a day. */
import { describe, expect, it } from 'vitest';
import { listEvents } from '../../../../src/people/events/events.ts';
import { addMember } from '../../../../src/people/account/members.ts';
import { changeReviewSettings } from '../../../../src/people/account/review-settings.ts';
import type { Actor } from '../../../../src/people/account/caller.ts';
import { tenantOf, type TenantDatabase } from '../../../../src/people/account/tenant.ts';
import { listActivity } from '../../../../src/territories/brands/activity.ts';
import { applyZips } from '../../../../src/territories/brands/apply.ts';
import { brandZips } from '../../../../src/territories/brands/brand-zips.ts';
import type { Brand } from '../../../../src/territories/brands/brands.ts';
import { changeBrands } from '../../../../src/territories/brands/changes/change-brands.ts';
import { changeDay } from '../../../../src/territories/brands/changes/day.ts';
import { approveChange, rejectChange } from '../../../../src/territories/brands/changes/decide.ts';
import { runDueChanges } from '../../../../src/territories/brands/changes/due.ts';
import { moveChange } from '../../../../src/territories/brands/changes/move.ts';
import { findChange, listChanges } from '../../../../src/territories/brands/changes/read.ts';
import { undoChange } from '../../../../src/territories/brands/changes/undo.ts';
import { withdrawChange } from '../../../../src/territories/brands/changes/withdraw.ts';
import { effectOfChange } from '../../../../src/territories/brands/effect.ts';
import { updateGroup } from '../../../../src/territories/brands/groups/groups.ts';
import { createReserve } from '../../../../src/territories/brands/groups/reserves.ts';
import { findGroup } from '../../../../src/territories/brands/groups/groups.ts';
import { listRemovals } from '../../../../src/territories/brands/removals.ts';
import { removeZips } from '../../../../src/territories/brands/remove.ts';
import { approveReviews } from '../../../../src/territories/brands/review.ts';
import { pendingRequests } from '../../../../src/territories/brands/review-queue.ts';
import { undoRemoval } from '../../../../src/territories/brands/undo.ts';
import { person } from '../../../people/account/organizations.ts';
import { testDatabase } from '../../../support/database.ts';
import { hold } from '../holding.ts';
import { expectConsistent } from '../invariants.ts';
import { agent, DALLAS, reviewer, unlimitedViewer } from '../organization.ts';
import { change, dayComes, franchise, nextYear, passing, statesOf } from './setting.ts';

const [A, B, C, D] = DALLAS as [string, string, string, string];
const { db } = await testDatabase('sample');

describe('a change of several brands', () => {
  it('goes live as one when it’s approved, so that what passes on is never open', async () => {
    const { tenant, north, south } = await franchise(db);
    await hold(tenant, north, [A, B]);
    const made = await change(tenant, passing(north, south, [A]));
    expect(made).toMatchObject({ status: 'waiting', on: null });
    expect(made.parts).toMatchObject([
      { leaving: [A], removed: null, requested: null },
      { leaving: [], requested: { queued: [A], shared: [], refused: [] } },
    ]);
    expect(await statesOf(tenant, north)).toEqual({ [A]: 'live', [B]: 'live' });
    expect(await statesOf(tenant, south)).toEqual({ [A]: 'pending' });
    // A ZIP code that passes on isn't flagged, and its request isn't decided without the removal.
    expect((await brandZips(tenant, south)).rows).toMatchObject([{ zip: A, shared: false }]);
    expect((await pendingRequests(tenant, 'all', {})).requests).toEqual([]);
    for (const [brand, parts] of [
      [north, { removed: [A] }],
      [south, { added: [A] }],
    ] as const) {
      const one = { ...parts, countsPending: false };
      const effect = await effectOfChange(db, unlimitedViewer(tenant), 'all', brand, one);
      expect([effect.before.shared, effect.after.shared]).toEqual([0, 0]);
    }
    const batchId = made.parts[1]!.requested!.batchId!;
    await expect(
      tenant.transaction((tx) => approveReviews(tx, reviewer, { batchId })),
    ).rejects.toThrow('part of a change, which is decided as one');

    await tenant.transaction((tx) => approveChange(tx, reviewer, made.id!));
    expect(await statesOf(tenant, north)).toEqual({ [A]: 'removed', [B]: 'live' });
    expect(await statesOf(tenant, south)).toEqual({ [A]: 'live' });
    expect(await findChange(tenant, 'all', made.id!)).toMatchObject({
      status: 'live',
      decidedBy: { name: 'Rita' },
      liveAt: expect.any(Date),
      parts: [
        { brand: { name: 'North' }, added: [], removed: [A] },
        { brand: { name: 'South' }, added: [A], removed: [] },
      ],
    });
    await expectConsistent(tenant);
  });

  it('is undone as one, and its removals aren’t undone alone', async () => {
    const { tenant, north, south } = await franchise(db);
    await hold(tenant, north, [A, B]);
    const { id } = await change(tenant, passing(north, south, [A, B]));
    await tenant.transaction((tx) => approveChange(tx, reviewer, id!));
    const [removal] = (await listRemovals(tenant, north)).rows;
    expect(removal).toMatchObject({ changeId: id, undone: null });
    await expect(undoRemoval(tenant, reviewer.actor, removal!.id)).rejects.toThrow(
      'which is undone as one',
    );
    const key = { actor: agent, brandScope: 'all' } as const;
    await expect(tenant.transaction((tx) => undoChange(tx, key, id!))).rejects.toThrow(
      'Only people undo changes',
    );
    const undone = await tenant.transaction((tx) => undoChange(tx, reviewer, id!));
    expect(undone).toMatchObject({
      change: { status: 'undone', endedBy: { name: 'Rita' } },
      parts: [
        { brand: { name: 'North' }, removed: [], restored: [A, B] },
        { brand: { name: 'South' }, removed: [A, B], restored: [] },
      ],
      changedSince: [],
    });
    expect(await statesOf(tenant, north)).toEqual({ [A]: 'live', [B]: 'live' });
    expect(await statesOf(tenant, south)).toEqual({ [A]: 'removed', [B]: 'removed' });
    await expect(tenant.transaction((tx) => undoChange(tx, reviewer, id!))).rejects.toThrow(
      'The change was undone, so there is nothing to undo',
    );
    await expectConsistent(tenant);
  });

  it('is undone as a whole or not at all, without what has changed since', async () => {
    const { tenant, north, south, east } = await franchise(db);
    await hold(tenant, north, [A, B]);
    const { id } = await change(tenant, [
      { brand: north, added: [], removed: [A, B] },
      { brand: east, added: [A, C], removed: [] },
    ]);
    await tenant.transaction((tx) => approveChange(tx, reviewer, id!));
    await hold(tenant, south, [A]);
    await expect(tenant.transaction((tx) => undoChange(tx, reviewer, id!))).rejects.toThrow(
      `Nothing was undone: ${A}: held by South`,
    );
    await tenant.transaction((tx) => removeZips(tx, agent, south, { zips: [A] }));
    await tenant.transaction((tx) => removeZips(tx, agent, east, { zips: [C] }));
    const { changedSince } = await tenant.transaction((tx) => undoChange(tx, reviewer, id!));
    expect(changedSince).toEqual([C]);
    expect(await statesOf(tenant, north)).toEqual({ [A]: 'live', [B]: 'live' });
    await expectConsistent(tenant);
  });

  it('is rejected as one, with territories as they were', async () => {
    const { tenant, north, south } = await franchise(db);
    await hold(tenant, north, [A]);
    const { id } = await change(tenant, passing(north, south, [A]));
    await expect(tenant.transaction((tx) => rejectChange(tx, reviewer, id!, ' '))).rejects.toThrow(
      'Give the requester a reason',
    );
    const rejected = await tenant.transaction((tx) => rejectChange(tx, reviewer, id!, 'Not now'));
    expect(rejected).toMatchObject({ status: 'rejected', reason: 'Not now' });
    expect(await statesOf(tenant, north)).toEqual({ [A]: 'live' });
    expect(await statesOf(tenant, south)).toEqual({});
    await expect(tenant.transaction((tx) => approveChange(tx, reviewer, id!))).rejects.toThrow(
      'it’s rejected',
    );
    await expectConsistent(tenant);
  });

  it('goes live without the parts that a reviewer leaves out, with a reason each', async () => {
    const { tenant, north, south } = await franchise(db);
    await hold(tenant, north, [A]);
    const { id } = await change(tenant, [
      { brand: north, added: [], removed: [A] },
      { brand: south, added: [A, B, C], removed: [] },
    ]);
    const out = (zip: string, reason: string) => ({ brandId: south.id, zip, reason });
    const decide = (...leftOut: ReturnType<typeof out>[]) =>
      tenant.transaction((tx) => approveChange(tx, reviewer, id!, leftOut));
    await expect(decide(out(D, 'No'))).rejects.toThrow('aren’t part of the change');
    await expect(decide(out(B, ''))).rejects.toThrow('Give the requester a reason');
    const approved = await decide(out(B, 'Too far'));
    expect(approved.parts[1]).toMatchObject({
      added: [A, C],
      refused: [{ zip: B, reason: 'Too far' }],
    });
    expect(await statesOf(tenant, south)).toEqual({ [A]: 'live', [C]: 'live' });
    await expectConsistent(tenant);
  });

  it('is refused as a whole while a rule refuses a part, which is named', async () => {
    const { tenant, north, south } = await franchise(db);
    await hold(tenant, north, [A, B]);
    const { id } = await change(tenant, [
      { brand: north, added: [], removed: [A] },
      { brand: south, added: [A, C], removed: [] },
    ]);
    await hold(tenant, north, [C]);
    await expect(tenant.transaction((tx) => approveChange(tx, reviewer, id!))).rejects.toThrow(
      `The change was not approved: ${C}: held by North`,
    );
    expect(await statesOf(tenant, north)).toMatchObject({ [A]: 'live' });
    const left = [{ brandId: south.id, zip: C, reason: 'North has it' }];
    await tenant.transaction((tx) => approveChange(tx, reviewer, id!, left));
    expect(await statesOf(tenant, south)).toEqual({ [A]: 'live' });
  });

  it('of an owner without reviews is live at once, and undone as one', async () => {
    const { tenant, north, south } = await franchise(db);
    await hold(tenant, north, [A]);
    const owner = await addMember(tenant, person('Olga', 'owner'));
    const actor: Actor = { kind: 'person', id: owner.id, name: owner.name };
    await changeReviewSettings(tenant, actor, { ownersNeedReview: false });
    const made = await tenant.transaction((tx) =>
      changeBrands(tx, actor, passing(north, south, [A]), { source: 'save' }),
    );
    expect(made).toMatchObject({
      status: 'live',
      parts: [{ removed: { live: [A] } }, { requested: { live: [A] } }],
    });
    expect(await statesOf(tenant, south)).toEqual({ [A]: 'live' });
    await tenant.transaction((tx) => undoChange(tx, { actor, brandScope: 'all' }, made.id!));
    expect(await statesOf(tenant, north)).toEqual({ [A]: 'live' });
    await expectConsistent(tenant);
  });

  it('is withdrawn by its author or a reviewer, and frees its ZIP codes', async () => {
    const { tenant, north, south } = await franchise(db);
    await hold(tenant, north, [A]);
    const { id } = await change(tenant, passing(north, south, [A]));
    await expect(
      tenant.transaction((tx) => removeZips(tx, agent, south, { zips: [A] })),
    ).rejects.toThrow('requested by a change of several ZIP codes');
    const stranger = {
      actor: { kind: 'person', id: reviewer.actor.id!, name: 'Max' } as Actor,
      role: 'member',
      brandScope: 'all',
    } as const;
    await expect(tenant.transaction((tx) => withdrawChange(tx, stranger, id!))).rejects.toThrow(
      'only its author or a reviewer',
    );
    const author = { actor: agent, role: null, brandScope: 'all' } as const;
    await tenant.transaction((tx) => withdrawChange(tx, author, id!));
    expect(await statesOf(tenant, south)).toEqual({});
    const again = await change(tenant, passing(north, south, [A]));
    expect(again.status).toBe('waiting');
    await expectConsistent(tenant);
  });

  it('is decided only by people who see all of its brands', async () => {
    const { tenant, north, south } = await franchise(db);
    await hold(tenant, north, [A]);
    const { id } = await change(tenant, passing(north, south, [A]));
    const brandScope = new Set([south.id]);
    const limited = tenantOf(db, tenant.organizationId, brandScope);
    const seen = await findChange(limited, brandScope, id!);
    expect(seen).toMatchObject({ otherBrands: 1, parts: [{ brand: { name: 'South' } }] });
    await expect(
      limited.transaction((tx) => approveChange(tx, { ...reviewer, brandScope }, id!)),
    ).rejects.toThrow('includes brands that you have no access to');
    const others = tenantOf(db, tenant.organizationId, new Set());
    await expect(findChange(others, new Set(), id!)).rejects.toThrow('There is no change');
    expect((await listChanges(others, new Set())).rows).toEqual([]);
  });

  it('tells webhooks and the activity of each brand', async () => {
    const { tenant, north, south } = await franchise(db);
    await hold(tenant, north, [A]);
    const { events: before } = await listEvents(tenant, 0, 100);
    const { id } = await change(tenant, passing(north, south, [A]), { note: 'Sold' });
    await tenant.transaction((tx) => approveChange(tx, reviewer, id!));
    const { events } = await listEvents(tenant, before.at(-1)!.position, 100);
    expect(events.map(({ type, data }) => [type, data])).toMatchObject([
      ['territory.requested', { brand: { name: 'South' }, zips: [A], changeId: id, note: 'Sold' }],
      ['territory.removed', { brand: { name: 'North' }, zips: [A], changeId: id, reason: 'Sold' }],
      ['territory.approved', { brand: { name: 'South' }, zips: [A], changeId: id }],
    ]);
    const { rows } = await listActivity(tenant, 'all');
    expect(rows.filter(({ changeId }) => changeId === id).map(({ action }) => action)).toEqual([
      'territory_approved',
      'territory_removed',
      'territory_applied',
    ]);
    expect(rows.every(({ undoable }) => !undoable)).toBe(true);
  });
});

describe('a change with a day', () => {
  it('is approved now, and goes live when its day begins', async () => {
    const { tenant, north, south } = await franchise(db);
    await hold(tenant, north, [A]);
    const on = await nextYear(tenant);
    const { id, status } = await change(tenant, passing(north, south, [A]), { on });
    expect(status).toBe('waiting');
    const approved = await tenant.transaction((tx) => approveChange(tx, reviewer, id!));
    expect(approved).toMatchObject({ status: 'scheduled', on: on.day, liveAt: null });
    await expectConsistent(tenant);
    expect(await runDueChanges(db, tenant.organizationId)).toEqual({ live: 0, blocked: 0 });
    expect(await statesOf(tenant, north)).toEqual({ [A]: 'live' });
    await dayComes(tenant, id!);
    expect(await runDueChanges(db, tenant.organizationId)).toEqual({ live: 1, blocked: 0 });
    expect(await runDueChanges(db, tenant.organizationId)).toEqual({ live: 0, blocked: 0 });
    expect(await statesOf(tenant, north)).toEqual({ [A]: 'removed' });
    expect(await statesOf(tenant, south)).toEqual({ [A]: 'live' });
    const { rows } = await listActivity(tenant, 'all', {}, { limit: 1 });
    expect(rows[0]).toMatchObject({ actor: { name: 'Rita' }, action: 'territory_approved' });
    expect(rows[0]!.summary).toMatch(/^Made live, as planned for .*, 1 ZIP code of South/);
    await expectConsistent(tenant);
    await tenant.transaction((tx) => undoChange(tx, reviewer, id!));
    expect(await statesOf(tenant, north)).toEqual({ [A]: 'live' });
    await expectConsistent(tenant);
  });

  it('begins at midnight where the organization is, and not in the past', async () => {
    const { tenant } = await franchise(db);
    await tenant.query(`update organizations set time_zone = 'America/Phoenix' where id = $1`);
    const { at } = await changeDay(tenant, '2030-07-01');
    expect(at.toISOString()).toBe('2030-07-01T07:00:00.000Z');
    await expect(changeDay(tenant, '2020-01-01')).rejects.toThrow('has begun or has passed');
    await expect(changeDay(tenant, '2027-02-30')).rejects.toThrow('isn’t a day');
    await expect(changeDay(tenant, '3027-01-01')).rejects.toThrow('more than 100 years ahead');
  });

  it('lets a ZIP code pass to the next brand on the same day by two changes', async () => {
    const { tenant, north, south } = await franchise(db);
    await hold(tenant, north, [A]);
    const on = await nextYear(tenant);
    const approve = (id: string | null) =>
      tenant.transaction((tx) => approveChange(tx, reviewer, id!));
    const arrives = { brand: south, added: [A], removed: [] };
    await expect(change(tenant, [arrives], { on })).rejects.toThrow('held by North');
    // A removal alone needs no review.
    const leaves = await change(tenant, [{ brand: north, added: [], removed: [A] }], { on });
    expect(leaves.status).toBe('scheduled');
    await expect(change(tenant, [arrives], { on: await nextYear(tenant, -1) })).rejects.toThrow(
      'held by North',
    );
    const { id } = await change(tenant, [arrives], { on });
    await approve(id);
    await dayComes(tenant, id!, leaves.id!);
    expect(await runDueChanges(db, tenant.organizationId)).toEqual({ live: 2, blocked: 0 });
    expect(await statesOf(tenant, south)).toEqual({ [A]: 'live' });
    await expectConsistent(tenant);
  });

  it('swaps ZIP codes with another change of the same day', async () => {
    const { tenant, north, south } = await franchise(db);
    await hold(tenant, north, [A]);
    await hold(tenant, south, [B]);
    const on = await nextYear(tenant);
    const swapOf = async (brand: Brand, added: string, removed: string) => {
      const made = await change(tenant, [{ brand, added: [added], removed: [removed] }], { on });
      await tenant.transaction((tx) => approveChange(tx, reviewer, made.id!));
      return made.id!;
    };
    const gives = await change(tenant, [{ brand: south, added: [], removed: [B] }], { on });
    const first = await swapOf(north, B, A);
    await tenant.transaction((tx) => withdrawChange(tx, reviewer, gives.id!));
    const second = await swapOf(south, A, B);
    // Each needs what the other one gives up. A third one can't go live with them.
    const { id: third } = await change(tenant, [{ brand: south, added: [C], removed: [] }], { on });
    await tenant.transaction((tx) => approveChange(tx, reviewer, third!));
    await tenant.transaction(async (tx) =>
      createReserve(tx, agent, await findGroup(tx, 'all', 'Franchisees'), {
        zips: [C],
        reason: 'Sale',
        until: on.day,
      }),
    );
    await dayComes(tenant, first, second, third!);
    expect(await runDueChanges(db, tenant.organizationId)).toEqual({ live: 2, blocked: 1 });
    expect(await statesOf(tenant, north)).toEqual({ [A]: 'removed', [B]: 'live' });
    expect(await statesOf(tenant, south)).toEqual({ [A]: 'live', [B]: 'removed', [C]: 'pending' });
    await expectConsistent(tenant);
  });

  it('waits if another brand had its ZIP code when it was due, although nobody has it now', async () => {
    const { tenant, north, south } = await franchise(db);
    const { id } = await change(tenant, [{ brand: south, added: [A], removed: [] }], {
      on: await nextYear(tenant),
    });
    await hold(tenant, north, [A]);
    await tenant.transaction((tx) => approveChange(tx, reviewer, id!)).catch(() => null);
    expect(await findChange(tenant, 'all', id!)).toMatchObject({ status: 'waiting' });
    await tenant.transaction((tx) => removeZips(tx, agent, north, { zips: [A] }));
    await tenant.transaction((tx) => approveChange(tx, reviewer, id!));
    // The day began while North still held it, and the service was down since.
    await dayCame(tenant, id!, north);
    expect(await runDueChanges(db, tenant.organizationId)).toEqual({ live: 0, blocked: 1 });
    expect(await findChange(tenant, 'all', id!)).toMatchObject({
      reason: `${A}: held by another brand of the group "Franchisees" at that moment, which blocks overlaps`,
    });
    await expectConsistent(tenant);
    await tenant.transaction((tx) => moveChange(tx, reviewer, id!, null));
    expect(await statesOf(tenant, south)).toEqual({ [A]: 'live' });
    await expectConsistent(tenant);
  });

  it('keeps its ZIP codes from others, also from those who want them now', async () => {
    const { tenant, north, south } = await franchise(db);
    const on = await nextYear(tenant);
    const { id } = await change(tenant, [{ brand: north, added: [A], removed: [] }], { on });
    const ask = () =>
      tenant.transaction((tx) => applyZips(tx, agent, south, { zips: [A], naming: 'known' }));
    // What nobody has approved doesn't block others.
    const { batchId } = await ask();
    await tenant.transaction((tx) => approveChange(tx, reviewer, id!));
    await expect(
      tenant.transaction((tx) => approveReviews(tx, reviewer, { batchId: batchId! })),
    ).rejects.toThrow(/held by North from \w+ \d+, 20\d\d, and the group "Franchisees" blocks/);
  });

  it('counts the reserves of its day', async () => {
    const { tenant, north } = await franchise(db);
    const before = await nextYear(tenant);
    const after = await nextYear(tenant, 1);
    await tenant.transaction(async (tx) =>
      createReserve(tx, agent, await findGroup(tx, 'all', 'Franchisees'), {
        zips: [A],
        reason: 'Sale',
        until: before.day,
      }),
    );
    const asks = { brand: north, added: [A], removed: [] };
    await expect(change(tenant, [asks], { on: before })).rejects.toThrow('reserved by the group');
    const { id } = await change(tenant, [asks], { on: after });
    expect(await tenant.transaction((tx) => approveChange(tx, reviewer, id!))).toMatchObject({
      status: 'scheduled',
    });
  });

  it('waits with a reason if something keeps it from going live, and applies no half of it', async () => {
    const { tenant, north, south, east } = await franchise(db, 'warn');
    await hold(tenant, north, [A]);
    const on = await nextYear(tenant);
    const { id } = await change(
      tenant,
      [
        { brand: north, added: [], removed: [A] },
        { brand: south, added: [A, B], removed: [] },
      ],
      { on },
    );
    await tenant.transaction((tx) => approveChange(tx, reviewer, id!));
    await hold(tenant, north, [B]);
    await tenant.transaction((tx) => updateGroup(tx, agent, 'Franchisees', { rule: 'block' }));
    await dayComes(tenant, id!);
    const { events: before } = await listEvents(tenant, 0, 1_000);
    expect(await runDueChanges(db, tenant.organizationId)).toEqual({ live: 0, blocked: 1 });
    expect(await runDueChanges(db, tenant.organizationId)).toEqual({ live: 0, blocked: 0 });
    const blocked = await findChange(tenant, 'all', id!);
    expect(blocked).toMatchObject({
      status: 'blocked',
      reason: `${B}: held by another brand of the group "Franchisees", which blocks overlaps`,
    });
    expect(await statesOf(tenant, north)).toEqual({ [A]: 'live', [B]: 'live' });
    expect(await statesOf(tenant, south)).toEqual({ [A]: 'pending', [B]: 'pending' });
    const { events } = await listEvents(tenant, before.at(-1)!.position, 100);
    expect(events.map(({ type, brandId }) => [type, brandId])).toEqual([
      ['territory.blocked', north.id],
      ['territory.blocked', south.id],
    ]);
    // Moved to now, it still can't; once North has left, it can.
    const move = () => tenant.transaction((tx) => moveChange(tx, reviewer, id!, null));
    await expect(move()).rejects.toThrow(`The change was not moved: ${B}: held by North`);
    await tenant.transaction((tx) => removeZips(tx, agent, north, { zips: [B] }));
    expect(await move()).toMatchObject({ status: 'live' });
    expect(await statesOf(tenant, south)).toEqual({ [A]: 'live', [B]: 'live' });
    expect(await statesOf(tenant, east)).toEqual({});
    await expectConsistent(tenant);
  });

  it('is moved to another day by a reviewer, and stays approved', async () => {
    const { tenant, north, south } = await franchise(db);
    await hold(tenant, north, [A]);
    const on = await nextYear(tenant);
    const later = await nextYear(tenant, 7);
    const { id } = await change(tenant, passing(north, south, [A]), { on });
    await tenant.transaction((tx) => approveChange(tx, reviewer, id!));
    const author = { actor: agent, role: null, brandScope: 'all' } as const;
    await expect(tenant.transaction((tx) => moveChange(tx, author, id!, later))).rejects.toThrow(
      'moving it needs a reviewer',
    );
    await expect(tenant.transaction((tx) => moveChange(tx, reviewer, id!, on))).rejects.toThrow(
      'planned for that day already',
    );
    expect(await tenant.transaction((tx) => moveChange(tx, reviewer, id!, later))).toMatchObject({
      status: 'scheduled',
      on: later.day,
    });
    await tenant.transaction((tx) => withdrawChange(tx, author, id!));
    expect(await runDueChanges(db, tenant.organizationId)).toEqual({ live: 0, blocked: 0 });
    expect(await statesOf(tenant, north)).toEqual({ [A]: 'live' });
    expect(await statesOf(tenant, south)).toEqual({});
    const { rows } = await listActivity(tenant, 'all', {
      actions: ['change_scheduled', 'change_moved', 'territory_withdrawn'],
    });
    expect(rows.map(({ action, brand }) => [action, brand!.name])).toEqual([
      ['territory_withdrawn', 'South'],
      ['territory_withdrawn', 'North'],
      ['change_moved', 'South'],
      ['change_moved', 'North'],
      ['change_scheduled', 'South'],
      ['change_scheduled', 'North'],
    ]);
    await expectConsistent(tenant);
  });

  it('is complete if a brand has given up its ZIP codes before the day', async () => {
    const { tenant, north } = await franchise(db);
    await hold(tenant, north, [A, B]);
    const on = await nextYear(tenant);
    const { id } = await change(tenant, [{ brand: north, added: [], removed: [A, B] }], { on });
    await tenant.transaction((tx) => removeZips(tx, agent, north, { zips: [A] }));
    await hold(tenant, north, [A]);
    await dayComes(tenant, id!);
    expect(await runDueChanges(db, tenant.organizationId)).toEqual({ live: 1, blocked: 0 });
    // A came back after the change was planned, and stays.
    expect(await statesOf(tenant, north)).toEqual({ [A]: 'live', [B]: 'removed' });
    await expectConsistent(tenant);
  });

  it('still takes what was removed before the day if that is undone', async () => {
    const { tenant, north } = await franchise(db);
    await hold(tenant, north, [A, B]);
    const on = await nextYear(tenant);
    const { id } = await change(tenant, [{ brand: north, added: [], removed: [A] }], { on });
    const { removalId } = await tenant.transaction((tx) =>
      removeZips(tx, agent, north, { zips: [A, B] }),
    );
    await undoRemoval(tenant, reviewer.actor, removalId);
    expect(await statesOf(tenant, north)).toEqual({ [A]: 'live', [B]: 'live' });
    await dayComes(tenant, id!);
    expect(await runDueChanges(db, tenant.organizationId)).toEqual({ live: 1, blocked: 0 });
    expect(await statesOf(tenant, north)).toMatchObject({ [A]: 'removed', [B]: 'live' });
  });

  it('includes a ZIP code of a brand only once', async () => {
    const { tenant, north } = await franchise(db);
    await hold(tenant, north, [A, B]);
    const removed = { brand: north, added: [], removed: [A] };
    await change(tenant, [removed], { on: await nextYear(tenant) });
    await expect(change(tenant, [removed], { on: await nextYear(tenant, 1) })).rejects.toThrow(
      'other changes that wait include these ZIP codes',
    );
    const more = { ...removed, removed: [A, B] };
    const { parts } = await change(tenant, [more], { on: await nextYear(tenant, 1) });
    expect(parts[0]!.leaving).toEqual([B]);
  });
});

/** The day of a change came just before a brand gave its ZIP codes up. */
const dayCame = (tenant: TenantDatabase, changeId: string, { id }: Brand) =>
  tenant.query(
    `update changes set on_day = (now() at time zone 'UTC')::date, due_at = (
       select max(held_until) - interval '1 millisecond' from holdings
       where organization_id = $1 and brand_id = $3 and state = 'live')
     where organization_id = $1 and id = $2`,
    [changeId, id],
  );
