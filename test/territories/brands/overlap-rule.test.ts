/** The rules of groups of brands: what requests, approvals, undo, and imports may do. */
import { describe, expect, it } from 'vitest';
import { tenantOf, type TenantDatabase } from '../../../src/people/account/tenant.ts';
import { applyPlan, previewApplyPlan } from '../../../src/territories/plans/apply.ts';
import { createPlan, findPlan } from '../../../src/territories/plans/plans.ts';
import { applyZips, previewApply } from '../../../src/territories/brands/apply.ts';
import { brandZips, heldZipStatuses } from '../../../src/territories/brands/brand-zips.ts';
import type { Brand } from '../../../src/territories/brands/brands.ts';
import { changeBrands } from '../../../src/territories/brands/changes/change-brands.ts';
import { effectOfChange } from '../../../src/territories/brands/effect.ts';
import {
  groupOverlaps,
  resolutionOf,
} from '../../../src/territories/brands/groups/existing-overlaps.ts';
import {
  createGroup,
  deleteGroup,
  findGroup,
  listGroups,
  updateGroup,
} from '../../../src/territories/brands/groups/groups.ts';
import { refusedInMarket } from '../../../src/territories/brands/groups/refused-in-market.ts';
import {
  createReserve,
  endReserve,
  listReserves,
} from '../../../src/territories/brands/groups/reserves.ts';
import { lastOpenDay, type Rule } from '../../../src/territories/brands/groups/rules.ts';
import { heldCounts } from '../../../src/territories/brands/health.ts';
import { listOverlaps } from '../../../src/territories/brands/overlaps.ts';
import { listRemovals } from '../../../src/territories/brands/removals.ts';
import { removeZips } from '../../../src/territories/brands/remove.ts';
import { pendingRequests, selectedReviews } from '../../../src/territories/brands/review-queue.ts';
import { approveReviews, rejectReviews } from '../../../src/territories/brands/review.ts';
import { previewUndo, undoRemoval } from '../../../src/territories/brands/undo.ts';
import { testDatabase } from '../../support/database.ts';
import { hold } from './holding.ts';
import { expectConsistent } from './invariants.ts';
import { agent, DALLAS, organizationWith, reviewer, unlimitedViewer } from './organization.ts';
import { readImport } from './read-import.ts';

const [A, B, C, D] = DALLAS as [string, string, string, string];
const { db } = await testDatabase('sample');

/** Two brands of a group, and a third brand outside it. */
async function groupOf(rule: Rule, name = 'Franchisees') {
  const { tenant, brands } = await organizationWith(db, 'North', 'South', 'East');
  const [north, south, east] = brands;
  const group = await addGroup(tenant, rule, [north, south], name);
  return { tenant, north, south, east, group };
}

const addGroup = (tenant: TenantDatabase, rule: Rule, brands: readonly Brand[], name: string) =>
  tenant.transaction((tx) =>
    createGroup(tx, agent, { name, rule, brands: brands.map(({ slug }) => slug) }),
  );

/** The same organization for a person with only these brands */
const asOf = ({ organizationId }: TenantDatabase, ...brands: Brand[]) =>
  tenantOf(db, organizationId, new Set(brands.map(({ id }) => id)));

const setRule = (tenant: TenantDatabase, rule: Rule, name = 'Franchisees') =>
  tenant.transaction((tx) => updateGroup(tx, agent, name, { rule }));

const request = (tenant: TenantDatabase, brand: Brand, zips: readonly string[]) =>
  tenant.transaction((tx) => applyZips(tx, agent, brand, { zips }));

const approve = (tenant: TenantDatabase, brand: Brand, zips?: readonly string[]) =>
  tenant.transaction((tx) => approveReviews(tx, reviewer, { brandId: brand.id, zips }));

const remove = (tenant: TenantDatabase, brand: Brand, zips: readonly string[]) =>
  tenant.transaction((tx) => removeZips(tx, agent, brand, { zips }));

const BLOCKED = 'held by North, and the group "Franchisees" blocks overlaps';
const BLOCKED_UNSEEN = 'held by another brand of the group "Franchisees", which blocks overlaps';
const inDays = (days: number) => lastOpenDay(new Date(Date.now() + days * 86_400_000));

describe('the map of a market', () => {
  it('shows what rules refuse to each brand, and which holders are the reason', async () => {
    const { tenant, north, south, east, group } = await groupOf('block');
    await hold(tenant, north, [A, B]);
    await request(tenant, south, [D]);
    const until = inDays(30);
    await tenant.transaction((tx) =>
      createReserve(tx, agent, group, { zips: [C, A], reason: 'A sale.', until }),
    );
    const refused = await refusedInMarket(tenant, 'all', DALLAS);
    const reserved = expect.stringMatching(
      /^reserved by the group "Franchisees" until .+: A sale$/,
    );
    expect(refused).toEqual([
      { brandId: north.id, reason: reserved, holderIds: null, zips: C },
      { brandId: south.id, reason: BLOCKED, holderIds: [north.id], zips: [A, B].join(' ') },
      { brandId: south.id, reason: reserved, holderIds: null, zips: C },
    ]);
    expect(await refusedInMarket(asOf(tenant, south), new Set([south.id]), DALLAS)).toEqual([
      { brandId: south.id, reason: BLOCKED_UNSEEN, holderIds: null, zips: [A, B].join(' ') },
      { brandId: south.id, reason: reserved, holderIds: null, zips: C },
    ]);
    expect(await refusedInMarket(asOf(tenant, east), new Set([east.id]), DALLAS)).toEqual([]);
  });
});

describe('a group that blocks overlaps', () => {
  it('refuses requests of ZIP codes that another of its brands holds live, and queues the others', async () => {
    const { tenant, north, south } = await groupOf('block');
    await hold(tenant, north, [A, B]);
    const outcome = await previewApply(tenant, south, [A, B, C], { naming: 'known' });
    expect(outcome).toMatchObject({
      queued: [C],
      shared: [],
      refused: [A, B],
      refusedReasons: [{ reason: BLOCKED, zips: [A, B] }],
    });
    const applied = await request(tenant, south, [A, B, C]);
    expect(applied).toMatchObject({ queued: [C], refused: [A, B] });
    expect(await heldZipStatuses(tenant, south)).toEqual(new Map([[C, 'pending']]));
    await expectConsistent(tenant);
  });

  it('names the holder only to those who may see that brand, or its name by the group’s setting', async () => {
    const { tenant, north, south } = await groupOf('block');
    await hold(tenant, north, [A]);
    const reasonFor = async (...brands: Brand[]) => {
      const viewer = asOf(tenant, ...brands);
      const { refusedReasons } = await previewApply(viewer, south, [A], { naming: 'known' });
      return refusedReasons[0]!.reason;
    };
    expect(await reasonFor(south)).toBe(BLOCKED_UNSEEN);
    expect(await reasonFor(south, north)).toBe(BLOCKED);
    const [unnamed] = (await previewApply(tenant, south, [A])).refusedReasons;
    expect(unnamed!.reason).toBe(BLOCKED_UNSEEN);
    await tenant.query('update brand_groups set shows_names = true where organization_id = $1');
    expect(await reasonFor(south)).toBe(BLOCKED);
  });

  it('changes nothing for brands outside it', async () => {
    const { tenant, north, east } = await groupOf('block');
    await hold(tenant, north, [A]);
    expect(await request(tenant, east, [A])).toMatchObject({ queued: [A], shared: [A] });
    expect((await approve(tenant, east)).refused).toEqual([]);
  });

  it('lets several brands request a ZIP code, and approves one of them', async () => {
    const { tenant, north, south } = await groupOf('block');
    await request(tenant, north, [A]);
    expect(await request(tenant, south, [A, B])).toMatchObject({ queued: [A, B], shared: [A] });
    await approve(tenant, north);
    const { decided, refused } = await approve(tenant, south);
    expect(decided.map(({ zip }) => zip)).toEqual([B]);
    expect(refused).toMatchObject([{ zip: A, status: 'pending', reason: BLOCKED }]);
    await expect(approve(tenant, south)).rejects.toMatchObject({
      status: 409,
      message: `Nothing was approved: ${A}: ${BLOCKED}. Reject these requests, or remove the ZIP codes from the other brand first.`,
    });
    expect(await heldZipStatuses(tenant, south)).toEqual(
      new Map([
        [A, 'pending'],
        [B, 'live'],
      ]),
    );
    const rejected = await tenant.transaction((tx) =>
      rejectReviews(tx, reviewer, { brandId: south.id }, 'Held'),
    );
    expect(rejected).toMatchObject({ decided: [{ zip: A, status: 'rejected' }], refused: [] });
    await expectConsistent(tenant);
  });

  it('approves the earlier of two requests that are decided together', async () => {
    const { tenant, north, south } = await groupOf('block');
    await request(tenant, south, [A, B]);
    await request(tenant, north, [A, B, C]);
    const { requests } = await pendingRequests(tenant, 'all', {});
    const ids = requests.flatMap(({ zips }) => zips.map(({ id }) => id));
    const { decided, refused } = await tenant.transaction((tx) =>
      approveReviews(tx, reviewer, { ids }),
    );
    expect(decided.map(({ zip, brand }) => [zip, brand.name])).toEqual([
      [A, 'South'],
      [B, 'South'],
      [C, 'North'],
    ]);
    expect(refused.map(({ zip, brand }) => [zip, brand.name])).toEqual([
      [A, 'North'],
      [B, 'North'],
    ]);
    await expectConsistent(tenant);
  });

  it('shows in the queue, and before a decision, which ZIP codes can’t be approved', async () => {
    const { tenant, north, south } = await groupOf('block');
    await request(tenant, south, [A, B]);
    await hold(tenant, north, [A]);
    const { requests } = await pendingRequests(tenant, 'all', {});
    expect(requests.flatMap(({ zips }) => zips.map(({ zip, blocked }) => [zip, blocked]))).toEqual([
      [A, BLOCKED],
      [B, null],
    ]);
    const selection = { ids: [], picked: [], batchIds: [], all: true };
    const own = new Set([south.id]);
    const chosen = await selectedReviews(asOf(tenant, south), own, {}, selection);
    expect(chosen.map(({ zip, blocked }) => [zip, blocked])).toEqual([
      [A, BLOCKED_UNSEEN],
      [B, null],
    ]);
  });

  it('doesn’t restore by undo what another brand got since, and says so in the history', async () => {
    const { tenant, north, south } = await groupOf('block');
    await hold(tenant, south, [A, B]);
    const { removalId } = await remove(tenant, south, [A, B]);
    await hold(tenant, north, [A]);
    const removals = [{ id: removalId, zips: [A, B] }];
    const preview = await previewUndo(tenant, south, removals);
    const refused = [{ reason: BLOCKED, zips: [A] }];
    expect(preview.get(removalId)).toEqual({ refused, restorable: 1 });

    const undone = await undoRemoval(tenant, agent, removalId);
    expect(undone).toMatchObject({ restored: [{ zip: B }], heldAgain: [], refused });
    expect(await heldZipStatuses(tenant, south)).toEqual(new Map([[B, 'live']]));
    const [removal] = (await listRemovals(tenant, south)).rows;
    expect(removal!.undone).toMatchObject({
      restored: [B],
      left: [],
      refused: [{ reason: BLOCKED_UNSEEN, zips: [A] }],
    });
    await expectConsistent(tenant);
  });

  it('keeps a removal that can’t be undone for later', async () => {
    const { tenant, north, south } = await groupOf('block');
    await hold(tenant, south, [A]);
    const { removalId } = await remove(tenant, south, [A]);
    await hold(tenant, north, [A]);
    await expect(undoRemoval(tenant, agent, removalId)).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining(BLOCKED),
    });
    await expect(undoRemoval(asOf(tenant, south), agent, removalId)).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining(BLOCKED_UNSEEN),
    });
    await remove(tenant, north, [A]);
    expect(await undoRemoval(tenant, agent, removalId)).toMatchObject({ restored: [{ zip: A }] });
  });

  it('leaves existing overlaps alone, and says how to resolve each', async () => {
    const { tenant, north, south, group } = await groupOf('warn');
    await hold(tenant, north, [A, C]);
    await hold(tenant, south, [A, B]);
    await request(tenant, south, [C]);
    await setRule(tenant, 'block');
    expect([...(await heldZipStatuses(tenant, south)).keys()]).toEqual([A, B, C]);
    const { rows } = await groupOverlaps(tenant, group);
    expect(rows.map(resolutionOf)).toEqual([
      `Remove ${A} from South, which got it last.`,
      'Reject the request of South.',
    ]);
    expect(rows[0]!.holders.map(({ brand, status }) => [brand.name, status])).toEqual([
      ['North', 'live'],
      ['South', 'live'],
    ]);
    const first = await groupOverlaps(tenant, group, { limit: 1 });
    const second = await groupOverlaps(tenant, group, { limit: 1, cursor: first.nextCursor! });
    expect([...first.rows, ...second.rows].map(({ zip }) => zip)).toEqual([A, C]);
  });

  it('holds for imports, whose report gives the reason', async () => {
    const { tenant, north, south } = await groupOf('block');
    await hold(tenant, north, [A]);
    const { zips, findings } = await readImport(tenant, south, `${A}\n${B}`);
    expect(zips).toEqual([B]);
    expect(findings[0]).toMatchObject({
      zip: A,
      outcome: 'unknown',
      reason: 'Held by another brand of the group "Franchisees", which blocks overlaps.',
    });
  });

  it('lets a brand request what another one gives up in the same change', async () => {
    const { tenant, north, south } = await groupOf('block');
    await hold(tenant, north, [A, B]);
    const changes = [
      { brand: south, added: [A, B], removed: [] },
      { brand: north, added: [], removed: [A] },
    ];
    const { parts } = await tenant.transaction((tx) =>
      changeBrands(tx, agent, changes, { source: 'save' }),
    );
    expect(parts[0]!.requested).toMatchObject({
      queued: [A],
      refusedReasons: [{ reason: BLOCKED, zips: [B] }],
    });
    await expectConsistent(tenant);
  });

  it('holds for plans that are applied', async () => {
    const { tenant, north, south, east } = await groupOf('block');
    await hold(tenant, north, [A, D]);
    await hold(tenant, east, [D]);
    const id = await tenant.transaction((tx) =>
      createPlan(tx, agent, {
        name: 'Swap',
        market: { zips: [A, B, D] },
        zips: [A, B, D],
        settings: {},
        dataSets: [],
        territories: [
          { number: 1, name: 'South', brand: south, zips: [A, B, D] },
          { number: 2, name: 'East', brand: east, zips: [] },
        ],
      } as unknown as Parameters<typeof createPlan>[2]),
    );
    const plan = await findPlan(tenant, id);
    const expected = [
      { additions: [B], refused: [{ reason: BLOCKED, zips: [A, D] }], removals: [] },
      // What South can't get stays where it is.
      { additions: [], refused: [], removals: [], kept: 1 },
    ];
    expect(await previewApplyPlan(tenant, plan)).toMatchObject({ changes: expected });
    const applied = await tenant.transaction((tx) => applyPlan(tx, agent, id, plan.version));
    expect(applied).toMatchObject({ changes: expected });
    expect(await heldZipStatuses(tenant, south)).toEqual(new Map([[B, 'pending']]));
  });
});

describe('a group that allows overlaps', () => {
  it('drops the flag between its brands, and keeps it for others', async () => {
    const { tenant, north, south, east } = await groupOf('allow');
    await hold(tenant, north, [A, B]);
    await hold(tenant, east, [B]);
    expect(await request(tenant, south, [A, B])).toMatchObject({ queued: [A, B], shared: [B] });
    await approve(tenant, south);
    const { rows } = await brandZips(tenant, south, {});
    expect(rows.map(({ zip, sharedWith }) => [zip, sharedWith.map(({ name }) => name)])).toEqual([
      [A, []],
      [B, ['East']],
    ]);
    expect((await listOverlaps(tenant, 'all')).map(({ zip }) => zip)).toEqual([B]);
    const counts = await heldCounts(tenant, [north.id, south.id]);
    expect([north, south].map(({ id }) => counts.get(id)!.shared)).toEqual([1, 1]);
    const effect = await effectOfChange(db, unlimitedViewer(tenant), 'all', south, {});
    expect(effect.after.shared).toBe(1);
    await setRule(tenant, 'warn');
    expect((await listOverlaps(tenant, 'all')).map(({ zip }) => zip)).toEqual([A, B]);
  });
});

it('applies the strictest rule of the groups that two brands share', async () => {
  const { tenant, north, south, east } = await groupOf('allow');
  await addGroup(tenant, 'block', [north, south, east], 'All');
  await hold(tenant, north, [A]);
  const refusedAs = async () => (await previewApply(tenant, south, [A])).refusedReasons;
  expect(await refusedAs()).toMatchObject([{ reason: expect.stringContaining('"All"') }]);
  await setRule(tenant, 'warn', 'All');
  expect(await previewApply(tenant, south, [A])).toMatchObject({ refused: [], shared: [A] });
  await tenant.transaction((tx) => deleteGroup(tx, reviewer.actor, 'all'));
  expect(await previewApply(tenant, south, [A])).toMatchObject({ refused: [], shared: [] });
});

describe('a reserve', () => {
  const reserve = (tenant: TenantDatabase, zips: string[], until = inDays(30)) =>
    tenant.transaction(async (tx) =>
      createReserve(tx, agent, await findGroup(tx, 'all', 'Franchisees'), {
        zips,
        reason: 'Sale in progress.',
        until,
      }),
    );

  it('refuses requests and approvals of its ZIP codes with the reason and the date', async () => {
    const { tenant, north, south, east } = await groupOf('allow');
    await hold(tenant, north, [A]);
    await request(tenant, south, [B]);
    await reserve(tenant, [A, B], '2999-03-31');
    const reason = 'reserved by the group "Franchisees" until March 31, 2999: Sale in progress';
    expect((await request(tenant, south, [A, C])).refusedReasons).toEqual([{ reason, zips: [A] }]);
    await expect(approve(tenant, south, [B])).rejects.toMatchObject({
      message: expect.stringContaining(`${B}: ${reason}`),
    });
    expect((await heldZipStatuses(tenant, north)).get(A)).toBe('live');
    expect((await request(tenant, east, [A, B])).queued).toEqual([A, B]);
  });

  it('ends after its last day, or when someone ends it, and stays listed', async () => {
    const { tenant, south, group } = await groupOf('warn');
    const { id } = await reserve(tenant, [A]);
    const ends = await reserve(tenant, [B], inDays(0));
    expect((await previewApply(tenant, south, [A, B])).refused).toEqual([A, B]);
    await tenant.query(
      `update zip_reserves set until = until - 1 where organization_id = $1 and id = $2`,
      [ends.id],
    );
    await tenant.transaction((tx) => endReserve(tx, reviewer.actor, group, id));
    expect((await previewApply(tenant, south, [A, B])).refused).toEqual([]);
    const listed = await listReserves(tenant, group);
    expect(listed.map(({ open, endedBy }) => [open, endedBy?.name])).toEqual([
      [false, undefined],
      [false, 'Rita'],
    ]);
    await expect(
      tenant.transaction((tx) => endReserve(tx, agent, group, id)),
    ).rejects.toMatchObject({ status: 409 });
  });

  it('lasts until the day has ended in American Samoa', () => {
    expect(lastOpenDay(new Date('2027-04-01T10:59:59Z'))).toBe('2027-03-31');
    expect(lastOpenDay(new Date('2027-04-01T11:00:00Z'))).toBe('2027-04-01');
  });

  it.each([
    ['a day that has passed', { until: '2020-01-01' }, /has passed/],
    ['a day that doesn’t exist', { until: '2999-02-30' }, /as a date/],
    ['no reason', { reason: ' ' }, /Give a reason/],
    ['ZIP codes that don’t exist', { zips: ['00000'] }, /can’t be part of a territory: 00000/],
  ])('refuses %s', async (_, fields, message) => {
    const { tenant, group } = await groupOf('warn');
    const given = { zips: [A], reason: 'Sale', until: inDays(9), ...fields };
    await expect(
      tenant.transaction((tx) => createReserve(tx, agent, group, given)),
    ).rejects.toMatchObject({ status: 400, message: expect.stringMatching(message) });
  });
});

describe('groups', () => {
  it('have unique names and known brands', async () => {
    const { tenant, north } = await groupOf('warn');
    await expect(addGroup(tenant, 'warn', [north], 'FRANCHISEES')).rejects.toMatchObject({
      status: 409,
    });
    const unknown = [{ ...north, slug: 'nowhere' }];
    await expect(addGroup(tenant, 'warn', unknown, 'Other')).rejects.toMatchObject({ status: 404 });
    await expect(addGroup(tenant, 'warn', [], 'Other')).rejects.toMatchObject({ status: 400 });
    await addGroup(tenant, 'warn', [north], 'Other');
    await expect(
      tenant.transaction((tx) => updateGroup(tx, agent, 'Other', { name: 'Franchisees' })),
    ).rejects.toMatchObject({ status: 409 });
  });

  it('change their name, rule, and brands one at a time', async () => {
    const { tenant, north, east } = await groupOf('warn');
    const change = (fields: Parameters<typeof updateGroup>[3], ref: string) =>
      tenant.transaction((tx) => updateGroup(tx, reviewer.actor, ref, fields));
    await change({ name: 'Stores' }, 'franchisees');
    await change({ brands: [north.id, 'East'] }, 'Stores');
    const changed = await change({ rule: 'allow' }, 'stores');
    expect(changed).toMatchObject({
      name: 'Stores',
      rule: 'allow',
      brands: [east, north],
      createdBy: { name: 'Agent' },
      changedBy: { name: 'Rita' },
    });
  });

  it('show only the brands within a caller’s scope', async () => {
    const { tenant, north, east } = await groupOf('warn');
    expect(await listGroups(tenant, new Set([east.id]))).toEqual([]);
    expect(await listGroups(tenant, new Set([north.id]))).toMatchObject([
      { brands: [north], others: 1 },
    ]);
  });

  it('of another organization are unknown', async () => {
    const { group } = await groupOf('block');
    const other = await groupOf('warn', 'Others');
    await expect(findGroup(other.tenant, 'all', group.id)).rejects.toMatchObject({
      message: `There is no group "${group.id}". Available groups: Others.`,
    });
  });
});
