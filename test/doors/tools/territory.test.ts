import { describe, expect, it } from 'vitest';
import { changeSubscription } from '../../../src/people/account/subscription.ts';
import { applyTerritory } from '../../../src/doors/tools/apply-territory.ts';
import { TOOLS } from '../../../src/doors/tools/tools.ts';
import { getCapabilities } from '../../../src/doors/tools/get-capabilities.ts';
import { getActivity } from '../../../src/doors/tools/get-activity.ts';
import { getBrandTerritory } from '../../../src/doors/tools/get-brand-territory.ts';
import { listBrands } from '../../../src/doors/tools/list-brands.ts';
import { listPendingReview } from '../../../src/doors/tools/list-pending-review.ts';
import { removeTerritory } from '../../../src/doors/tools/remove-territory.ts';
import { heldZipStatuses } from '../../../src/territories/brands/brand-zips.ts';
import { approveReviews, rejectReviews } from '../../../src/territories/brands/review.ts';
import { undoRemoval } from '../../../src/territories/brands/undo.ts';
import { testDatabase } from '../../support/database.ts';
import { DALLAS, organizationWith, reviewer } from '../../territories/brands/organization.ts';
import { hold } from '../../territories/brands/holding.ts';
import { toolsFor } from './calls.ts';
import { unitsUsed } from '../../people/metering/units-used.ts';

const [A, B, C] = DALLAS as [string, string, string];

describe('territory tools', async () => {
  const { db } = await testDatabase('sample');

  async function start() {
    const { tenant, brands } = await organizationWith(db, 'Star', 'Moon');
    const call = await toolsFor(db, tenant);
    const held = async () => Object.fromEntries(await heldZipStatuses(tenant, brands[0]));
    return { tenant, brands, call, held };
  }

  describe('a request', () => {
    it('without confirm previews the queue and is free', async () => {
      const { tenant, call, held } = await start();
      const answer = await call(applyTerritory, { brand: 'star', zips: [A, '00001'] });
      expect(answer).toMatchObject({
        isError: false,
        data: { status: 'preview', preview: { brand: 'star', queued: [A], unknown: ['00001'] } },
      });
      expect(answer.text).toContain(`To be queued for review for Star (1): ${A}.`);
      expect(await held()).toEqual({});
      expect(await unitsUsed(tenant)).toBe(0);
    });

    it('joins the review queue, names the next step, and costs one unit', async () => {
      const { tenant, call, held } = await start();
      const asked = { brand: 'Star', zips: [B, A, A], note: 'Next door' };
      const { data, text } = await call(applyTerritory, { ...asked, confirm: true });
      expect(data).toMatchObject({ brand: 'star', queued: [A, B], shared: [], unknown: [] });
      expect(text).toContain(`service_list_pending_review and batchId ${String(data.batchId)}`);
      expect(await held()).toEqual({ [A]: 'pending', [B]: 'pending' });
      expect(await unitsUsed(tenant)).toBe(1);

      const queue = await call(listPendingReview, { batchId: data.batchId });
      expect(queue.data).toMatchObject({
        reviews: [
          { zip: A, brand: 'star', note: 'Next door', requestedBy: 'Agent', decidedBy: null },
          { zip: B, status: 'pending' },
        ],
        totalPending: 2,
      });
      expect(queue.text).toContain('An owner, admin, or reviewer decides.');
    });

    it('that repeats an idempotency key is made and charged once', async () => {
      const { tenant, call } = await start();
      const asked = { brand: 'star', zips: [A], idempotencyKey: 'k-1', confirm: true };
      const [first, second] = [
        await call(applyTerritory, asked),
        await call(applyTerritory, asked),
      ];
      expect(second.data).toEqual(first.data);
      expect(second.text).toContain('Repeated call: already done earlier.');
      expect(await unitsUsed(tenant)).toBe(1);
      const other = await call(applyTerritory, { ...asked, zips: [B] });
      expect(other).toMatchObject({ isError: true, data: { code: 'conflict' } });
    });

    it.each([
      ['has a malformed ZIP code', { zips: ['7520'] }, 'bad_request'],
      ['has only a PO box', { zips: ['00001'] }, 'not_found'],
      ['is for an unknown brand', { brand: 'sun' }, 'not_found'],
      ['has an invalid character in its note', { note: 'a\0b' }, 'bad_request'],
    ])('that %s is refused and free', async (_, wrong, code) => {
      const { tenant, call } = await start();
      const asked = { brand: 'star', zips: [A], confirm: true, ...wrong };
      expect(await call(applyTerritory, asked)).toMatchObject({ isError: true, data: { code } });
      expect(await unitsUsed(tenant)).toBe(0);
    });
  });

  it('a removal includes how to undo it, and the activity whether that is still possible', async () => {
    const { tenant, call, held } = await start();
    await call(applyTerritory, { brand: 'star', zips: [A, B], confirm: true });
    const asked = { brand: 'star', zips: [A, C], reason: 'Too far' };
    const preview = await call(removeTerritory, asked);
    expect(preview.data.preview).toEqual({
      brand: 'star',
      brandName: 'Star',
      live: [],
      pending: [A],
      notHeld: [C],
      inChange: [],
      effect: expect.objectContaining({
        before: expect.objectContaining({ zips: 2 }),
        after: expect.objectContaining({ zips: 1 }),
      }),
    });
    const { data, text } = await call(removeTerritory, { ...asked, confirm: true });
    expect(data).toMatchObject({ brand: 'star', live: [], pending: [A], notHeld: [C] });
    expect(text).toContain(`territory-admin undo ${String(data.removalId)} --org test-`);
    expect(await held()).toEqual({ [B]: 'pending' });

    const entry = async () =>
      ((await call(getActivity, {})).data.entries as Record<string, unknown>[])[0];
    expect(await entry()).toMatchObject({
      action: 'territory_removed',
      by: 'Agent',
      removalId: data.removalId,
      undoable: true,
      before: { [A]: 'pending' },
      after: { [A]: 'removed' },
      summary: `Removed 1 ZIP code from Star: ${A}. Reason: Too far`,
    });
    await undoRemoval(tenant, reviewer.actor, data.removalId as string);
    expect(await entry()).toMatchObject({ removalId: data.removalId, undoable: false });
    expect(await held()).toEqual({ [A]: 'pending', [B]: 'pending' });
  });

  it('a preview has the same effects as the web pages, such as a hole', async () => {
    const { tenant, brands, call } = await start();
    const hole = '75390';
    const around = await db.query<{ zip: string }>(
      'select neighbor as zip from zip_neighbors where zip = $1',
      [hole],
    );
    await hold(tenant, brands[0], [hole, ...around.map(({ zip }) => zip)]);
    const { data, text } = await call(removeTerritory, { brand: 'star', zips: [hole] });
    const { effect } = data.preview as { effect: Record<string, unknown> };
    expect(effect).toMatchObject({
      before: { zips: around.length + 1, holes: 0 },
      after: { zips: around.length, holes: 1, households: expect.any(Number) },
      newHoles: [hole],
    });
    expect(text).toContain(`Warning, leaves a hole in the territory: ${hole}.`);
    expect(text).toMatch(
      /Effect on the territory: ZIP codes \d+ to \d+, households .*holes 0 to 1/,
    );
    const other = await call(applyTerritory, { brand: 'moon', zips: [hole] });
    expect(other.text).toContain('shared 0 to 1');
  });

  it('the activity lists the changes of a period with their actors', async () => {
    const { tenant, brands, call } = await start();
    await call(applyTerritory, { brand: 'star', zips: [A, B], confirm: true });
    await call(applyTerritory, { brand: 'moon', zips: [C], confirm: true });
    await call(removeTerritory, { brand: 'star', zips: [A], confirm: true });
    const everyone = { scope: 'organization', since: '7d' };
    const { data, text } = await call(getActivity, { ...everyone, limit: 1 });
    expect(data.entries).toHaveLength(1);
    const total = { brandName: 'Star', changes: 1 };
    expect(data.totals).toEqual([
      { brand: 'moon', brandName: 'Moon', action: 'territory_applied', changes: 1, zips: 1 },
      { brand: 'star', ...total, action: 'territory_applied', zips: 2 },
      { brand: 'star', ...total, action: 'territory_removed', zips: 1 },
    ]);
    expect(text).toContain('Total: Star, territory_applied: 1 change, 2 ZIP codes.');

    await tenant.transaction((tx) => approveReviews(tx, reviewer, { brandId: brands[0].id }));
    const actionsOf = async (input: Record<string, unknown>) =>
      ((await call(getActivity, input)).data.entries as { action: string }[]).map((e) => e.action);
    expect(await actionsOf({ actor: 'rita' })).toEqual(['territory_approved']);
    expect(await actionsOf({ actor: reviewer.actor.id })).toEqual(['territory_approved']);
    expect(await actionsOf({ actor: 'Agent', brand: brands[1].slug })).toEqual([
      'territory_applied',
    ]);

    const today = new Date().toISOString().slice(0, 10);
    expect(await actionsOf({ since: today, until: today })).toHaveLength(3);
    expect(await actionsOf({ until: '1d' })).toEqual([]);
    expect(await actionsOf({ until: new Date().toISOString() })).toHaveLength(3);
  });

  it.each([
    [{ since: 'last week' }, /since: "last week" is not a time; use a day such as/],
    [{ since: '2026-02-31' }, /is not a time/],
    [{ since: '1d', until: '2d' }, /since must be before until/],
    [{ actor: 'Nora' }, /"Nora" has made no changes\. Actors with changes: Agent\./],
  ])('the activity refuses %j and says why', async (input, why) => {
    const { call } = await start();
    await call(applyTerritory, { brand: 'star', zips: [A], confirm: true });
    const { isError, text } = await call(getActivity, input);
    expect(isError).toBe(true);
    expect(text).toMatch(why);
  });

  it('capabilities list the units used by tool and by day', async () => {
    const { call } = await start();
    await call(listBrands, {});
    await call(listBrands, {});
    await call(applyTerritory, { brand: 'star', zips: [A], confirm: true });
    const { data, text } = await call(
      getCapabilities(() => TOOLS),
      {},
    );
    const tools = { service_list_brands: 2, service_apply_territory: 1 };
    const day = new Date().toISOString().slice(0, 10);
    expect(data).toMatchObject({
      usageByTool: [
        { tool: 'service_list_brands', calls: 2, units: 2 },
        { tool: 'service_apply_territory', calls: 1, units: 1 },
      ],
      usageByDay: [{ day, units: 3, tools }],
    });
    expect(text).toContain('Used by: service_list_brands 2 (2 calls), service_apply_territory 1');
    expect(text).toContain(`By day, newest first: ${day} 3.`);
  });

  it('writes are refused without the entitlement of the subscription and the key', async () => {
    const { tenant, held } = await start();
    const reading = await toolsFor(db, tenant, { mayWrite: false });
    const asked = { brand: 'star', zips: [A], confirm: true };
    const refused = { isError: true, data: { code: 'write_not_entitled' } };
    expect(await reading(applyTerritory, asked)).toMatchObject(refused);
    await changeSubscription(tenant, { status: 'active', writeEntitlement: false });
    const writing = await toolsFor(db, tenant);
    expect(await writing(removeTerritory, asked)).toMatchObject(refused);
    expect(await held()).toEqual({});
  });

  it('a key for some brands has access only to these, and others stay unnamed', async () => {
    const { tenant, brands, call } = await start();
    await call(applyTerritory, { brand: 'star', zips: [A], confirm: true });
    await call(applyTerritory, { brand: 'moon', zips: [A, B], confirm: true });
    const narrow = await toolsFor(db, tenant, { brands: [brands[0]] });
    expect((await narrow(listBrands, {})).data).toMatchObject({ brands: [{ slug: 'star' }] });
    const { data } = await narrow(getBrandTerritory, { brand: 'star' });
    expect(data.zips).toMatchObject([
      {
        zip: A,
        shared: true,
        sharedWith: ['outside your brand scope'],
        sharedWithNames: ['outside your brand scope'],
      },
    ]);
    for (const { tool, input } of [
      { tool: getBrandTerritory, input: { brand: 'moon' } },
      { tool: listPendingReview, input: { brand: brands[1].id } },
      { tool: getActivity, input: { brand: 'Moon' } },
      { tool: applyTerritory, input: { brand: 'moon', zips: [C], confirm: true } },
      { tool: removeTerritory, input: { brand: 'moon', zips: [A], confirm: true } },
    ]) {
      expect((await narrow(tool, input)).data).toMatchObject({ code: 'not_found' });
    }
    for (const tool of [listPendingReview, getActivity]) {
      const { data } = await narrow(tool, tool === getActivity ? { scope: 'organization' } : {});
      expect(JSON.stringify(data)).not.toContain('moon');
    }
  });

  it('nothing of another organization is found', async () => {
    const theirs = await start();
    const removed = await theirs.call(applyTerritory, { brand: 'star', zips: [A], confirm: true });
    const { call } = await start();
    expect((await call(listPendingReview, { batchId: removed.data.batchId })).data).toMatchObject({
      reviews: [],
      totalPending: 0,
    });
    expect((await call(getBrandTerritory, { brand: theirs.brands[0].id })).data).toMatchObject({
      code: 'not_found',
    });
    expect((await call(getActivity, { scope: 'organization' })).data).toMatchObject({
      entries: [],
    });
  });

  it('a territory lists status and review, page by page', async () => {
    const { tenant, brands, call } = await start();
    await call(applyTerritory, { brand: 'star', zips: [A, B, C], confirm: true });
    await tenant.transaction(async (tx) => {
      await approveReviews(tx, reviewer, { brandId: brands[0].id, zips: [A] });
      await rejectReviews(tx, reviewer, { brandId: brands[0].id, zips: [C] }, 'Too far');
    });
    const first = await call(getBrandTerritory, { brand: 'star', limit: 1 });
    expect(first.text).toContain('1 ZIP code of Star (star), and more:');
    expect(first.data.zips).toMatchObject([
      { zip: A, city: 'Dallas', state: 'TX', status: 'live', review: { status: 'approved' } },
    ]);
    const cursor = first.data.nextCursor as string;
    const second = await call(getBrandTerritory, { brand: 'star', limit: 1, cursor });
    expect(second.data).toMatchObject({ zips: [{ zip: B, status: 'pending' }], nextCursor: null });

    const rejected = await call(listPendingReview, { status: 'rejected' });
    expect(rejected.text).toContain('rejected by Rita: Too far');
  });
});
