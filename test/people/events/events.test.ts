/** Which changes record which event, in which order, and what readers of the list see. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Actor, Caller } from '../../../src/people/account/caller.ts';
import type { TenantDatabase, TenantTransaction } from '../../../src/people/account/tenant.ts';
import { EVENTS, type EventType } from '../../../src/people/events/catalog.ts';
import {
  lastPosition,
  listEvents,
  recordEvent,
  recordEventOnce,
  type NewEvent,
  type RecordedEvent,
} from '../../../src/people/events/events.ts';
import { recordSeenZips } from '../../../src/people/metering/figures.ts';
import { reserveUnits } from '../../../src/people/metering/units.ts';
import { storeFile } from '../../../src/territories/own-data/store-file.ts';
import { applyPlan } from '../../../src/territories/plans/apply.ts';
import { editPlan } from '../../../src/territories/plans/edit.ts';
import { createPlan } from '../../../src/territories/plans/plans.ts';
import { mintPlanShare, revokePlanShare } from '../../../src/territories/plans/shares.ts';
import { mintShare, revokeShare } from '../../../src/territories/share/links.ts';
import { randomCode } from '../../../src/territories/share/token.ts';
import { applyZips } from '../../../src/territories/brands/apply.ts';
import type { Brand } from '../../../src/territories/brands/brands.ts';
import { changeBrands } from '../../../src/territories/brands/changes/change-brands.ts';
import { changeDay } from '../../../src/territories/brands/changes/day.ts';
import { approveChange } from '../../../src/territories/brands/changes/decide.ts';
import { runDueChanges } from '../../../src/territories/brands/changes/due.ts';
import { withdrawChange } from '../../../src/territories/brands/changes/withdraw.ts';
import { createGroup } from '../../../src/territories/brands/groups/groups.ts';
import { removeZips } from '../../../src/territories/brands/remove.ts';
import { approveReviews, rejectReviews } from '../../../src/territories/brands/review.ts';
import { undoRemoval } from '../../../src/territories/brands/undo.ts';
import { untilBlocked } from '../../support/blocked.ts';
import { testDatabase } from '../../support/database.ts';
import {
  agent,
  DALLAS,
  organizationWith,
  reviewer,
} from '../../territories/brands/organization.ts';
import { hold } from '../../territories/brands/holding.ts';

const { db } = await testDatabase('sample');
const rita = reviewer.actor;
const seen = new Set<EventType>();

let tenant: TenantDatabase;
let north: Brand;
let south: Brand;

beforeEach(async () => {
  ({
    tenant,
    brands: [north, south],
  } = await organizationWith(db, 'North', 'South'));
});

/** All events, whose data is checked by the catalog. */
async function eventsOf(one = tenant): Promise<RecordedEvent[]> {
  const { events } = await listEvents(one, 0, 1_000);
  for (const { type, data } of events) {
    EVENTS[type].data.strict().parse(data);
    seen.add(type);
  }
  return events;
}

const summaryOf = (events: readonly RecordedEvent[]) =>
  events.map(({ type, brandId, data }) => ({ type, brandId, data }));

const request = (brand: Brand, zips: readonly string[], note?: string) =>
  tenant.transaction((tx) => applyZips(tx, agent, brand, { zips, note }));

const key = { kind: 'key', name: 'Agent' };
const person = { kind: 'person', name: 'Rita' };

describe('changes of territories', () => {
  it('record a request, its approval, a removal, and its undo', async () => {
    const [live, pending] = [DALLAS.slice(0, 2), DALLAS.slice(2, 3)];
    const first = await request(north, live, ' A growing market ');
    await tenant.transaction((tx) => approveReviews(tx, reviewer, { batchId: first.batchId! }));
    const second = await request(north, pending);
    const zips = [...live, ...pending];
    const { removalId } = await tenant.transaction((tx) =>
      removeZips(tx, agent, north, { zips, reason: 'Sold' }),
    );
    await undoRemoval(tenant, rita, removalId);
    const brandId = north.id;
    const brand = { id: north.id, slug: 'north', name: 'North' };
    const both = { pendingZips: pending, pendingZipCount: 1, zips: live, zipCount: 2, removalId };
    expect(summaryOf(await eventsOf())).toEqual([
      {
        type: 'territory.requested',
        brandId,
        data: {
          brand,
          zips: live,
          zipCount: 2,
          requestId: first.batchId,
          note: 'A growing market',
          by: key,
        },
      },
      {
        type: 'territory.approved',
        brandId,
        data: { brand, zips: live, zipCount: 2, requestIds: [first.batchId], by: person },
      },
      {
        type: 'territory.requested',
        brandId,
        data: { brand, zips: pending, zipCount: 1, requestId: second.batchId, note: null, by: key },
      },
      { type: 'territory.removed', brandId, data: { brand, ...both, reason: 'Sold', by: key } },
      { type: 'territory.restored', brandId, data: { brand, ...both, by: person } },
    ]);
  });

  it('record what becomes of a change with a day, for each brand', async () => {
    const change = (zip: string) =>
      tenant.transaction(async (tx) => {
        const on = await changeDay(tx, '2099-01-01');
        const changes = [
          { brand: north, added: [zip], removed: [] },
          { brand: south, added: [], removed: [DALLAS[6]!] },
        ];
        const { id } = await changeBrands(tx, agent, changes, { source: 'request', on });
        await approveChange(tx, reviewer, id!);
        return id!;
      });
    await hold(tenant, south, [DALLAS[6]!]);
    const id = await change(DALLAS[5]!);
    await tenant.transaction((tx) => withdrawChange(tx, reviewer, id));
    const second = await change(DALLAS[4]!);
    await hold(tenant, south, [DALLAS[4]!]);
    await tenant.transaction((tx) =>
      createGroup(tx, agent, { name: 'All', rule: 'block', brands: [north.slug, south.slug] }),
    );
    await tenant.query(
      `update changes set due_at = now() - interval '1 second' where organization_id = $1 and id = $2`,
      [second],
    );
    await runDueChanges(db, tenant.organizationId);
    const of = (name: Brand, zips: string[], removedZips: string[]) => ({
      brand: { id: name.id, slug: name.slug, name: name.name },
      zips,
      zipCount: zips.length,
      removedZips,
      removedZipCount: removedZips.length,
      on: '2099-01-01',
    });
    const events = (await eventsOf()).filter(({ type }) =>
      ['territory.scheduled', 'territory.withdrawn', 'territory.blocked'].includes(type),
    );
    const [a, b] = [of(north, [DALLAS[5]!], []), of(south, [], [DALLAS[6]!])];
    const [c, d] = [of(north, [DALLAS[4]!], []), of(south, [], [DALLAS[6]!])];
    const reason = `${DALLAS[4]!}: held by another brand of the group "All", which blocks overlaps`;
    const service = { kind: 'operator', name: 'The service' };
    expect(events.map(({ type, data }) => [type, data])).toEqual([
      ['territory.scheduled', { ...a, changeId: id, by: person }],
      ['territory.scheduled', { ...b, changeId: id, by: person }],
      ['territory.withdrawn', { ...a, changeId: id, by: person }],
      ['territory.withdrawn', { ...b, changeId: id, by: person }],
      ['territory.scheduled', { ...c, changeId: second, by: person }],
      ['territory.scheduled', { ...d, changeId: second, by: person }],
      ['territory.blocked', { ...c, changeId: second, reason, by: service }],
      // South doesn't read of a ZIP code of North.
      [
        'territory.blocked',
        { ...d, changeId: second, reason: 'a part of it can’t go live', by: service },
      ],
    ]);
    await tenant.query('delete from brand_groups where organization_id = $1');
  });

  it('record one event per brand for a decision about several requests', async () => {
    const requests = [
      await request(north, DALLAS.slice(0, 2)),
      await request(north, DALLAS.slice(2, 4)),
      await request(south, DALLAS.slice(0, 1)),
    ];
    const rows = await tenant.query<{ id: string }>(
      'select id from reviews where organization_id = $1',
    );
    await tenant.transaction((tx) =>
      rejectReviews(tx, reviewer, { ids: rows.map(({ id }) => id) }, 'Too far'),
    );
    const rejected = (await eventsOf()).filter(({ type }) => type === 'territory.rejected');
    const byBrand = new Map(rejected.map((event) => [event.brandId, event.data]));
    expect(rejected).toHaveLength(2);
    expect(byBrand.get(north.id)).toMatchObject({ zipCount: 4, reason: 'Too far', by: person });
    const { requestIds } = byBrand.get(north.id) as { requestIds: string[] };
    expect(new Set(requestIds)).toEqual(new Set(requests.slice(0, 2).map((one) => one.batchId)));
    expect(byBrand.get(south.id)).toMatchObject({ zips: DALLAS.slice(0, 1) });
  });

  it('record nothing when they fail', async () => {
    const failing = tenant.transaction(async (tx) => {
      await applyZips(tx, agent, north, { zips: DALLAS });
      throw new Error('later');
    });
    await expect(failing).rejects.toThrow('later');
    expect(await eventsOf()).toEqual([]);
    expect(await lastPosition(tenant)).toBe(0);
  });

  it('list at most 1,000 ZIP codes, and count all', async () => {
    const rows = await db.query<{ zip: string }>(
      'select zip from zips where bbox is not null order by zip limit 1200',
    );
    const zips = rows.map(({ zip }) => zip);
    await request(north, zips);
    const [event] = await eventsOf();
    expect(event!.data).toMatchObject({ zips: zips.slice(0, 1_000), zipCount: zips.length });
    expect(zips.length).toBeGreaterThan(1_000);
  });
});

describe('shares, plans, and data', () => {
  const ann: Actor = { kind: 'person', id: '00000000-0000-4000-8000-00000000000a', name: 'Ann' };

  const planOf = (actor: Actor) =>
    tenant.transaction((tx) =>
      createPlan(tx, actor, {
        name: 'Texas 2027',
        market: 'Dallas',
        zips: DALLAS,
        dataSets: [],
        settings: { balance: 'households' } as never,
        territories: [{ number: 1, name: 'Downtown', brand: north, zips: DALLAS.slice(0, 2) }],
      }),
    );

  it('record links when they are created and revoked, once', async () => {
    const short = randomCode();
    await tenant.transaction((tx) =>
      mintShare(
        tx,
        rita,
        north,
        { kind: 'brand', title: 'Ours', days: 3, hideBranding: false },
        () => short,
      ),
    );
    for (let i = 0; i < 2; i++) {
      await tenant.transaction((tx) => revokeShare(tx, 'all', rita, short));
    }
    const id = await planOf(ann);
    const plan = { id, name: 'Texas 2027' };
    const { code } = await tenant.transaction((tx) => mintPlanShare(tx, rita, plan, 3));
    for (let i = 0; i < 2; i++) {
      await tenant.transaction((tx) => revokePlanShare(tx, agent, plan, code));
    }
    const brand = { id: north.id, slug: 'north', name: 'North' };
    const ofBrand = { code: short, kind: 'brand', brand, plan: null, title: 'Ours' };
    const ofPlan = { code, kind: 'plan', brand: null, plan, title: null };
    expect(summaryOf(await eventsOf())).toMatchObject([
      { type: 'share.created', brandId: north.id, data: { ...ofBrand, by: person } },
      { type: 'share.revoked', brandId: north.id, data: { ...ofBrand, by: person } },
      { type: 'share.created', brandId: null, data: { ...ofPlan, by: person } },
      { type: 'share.revoked', brandId: null, data: { ...ofPlan, by: key } },
    ]);
  });

  it('record an applied plan after its requests and removals', async () => {
    const id = await planOf(rita);
    const { changes } = await tenant.transaction((tx) => applyPlan(tx, rita, id, 1));
    const events = await eventsOf();
    expect(events.map(({ type }) => type)).toEqual(['territory.requested', 'plan.applied']);
    expect(events[1]!.data).toEqual({
      plan: { id, name: 'Texas 2027' },
      brands: [
        {
          brand: { id: north.id, slug: 'north', name: 'North' },
          requestedZipCount: 2,
          removedZipCount: 0,
          requestId: changes[0]!.batchId,
          removalId: null,
        },
      ],
      by: person,
    });
  });

  it('record the first edit of a day of a plan of another person', async () => {
    const id = await planOf(ann);
    const edit = (actor: Actor, version: number) =>
      tenant.transaction((tx) => editPlan(tx, actor, id, version, { name: `Texas ${version}` }));
    await edit(ann, 1);
    expect(await eventsOf()).toEqual([]);
    await edit(rita, 2);
    await edit(rita, 3);
    await edit(agent, 4);
    expect(summaryOf(await eventsOf())).toEqual([
      { type: 'plan.edited', brandId: null, data: { plan: { id, name: 'Texas 2' }, by: person } },
      { type: 'plan.edited', brandId: null, data: { plan: { id, name: 'Texas 4' }, by: key } },
    ]);
  });

  it('record an upload of own data with its data sets', async () => {
    const caller = {
      tenant,
      actor: rita,
      brandScope: 'all',
      subscription: { status: 'active', seats: 5 },
    } as unknown as Caller;
    const [set] = await storeFile(
      caller,
      { summary: 'A test.', rows: 3, counts: {} } as never,
      { name: 'Jobs' },
      [
        {
          name: 'Jobs',
          unit: 'count',
          set: { kind: 'count', zips: ['75201'] } as never,
          kept: { zips: ['75201'], amounts: [3], rows: [3] },
        },
      ],
    );
    expect(summaryOf(await eventsOf())).toEqual([
      {
        type: 'data.imported',
        brandId: null,
        data: { dataSets: [{ id: set!.id, slug: 'jobs', name: 'Jobs' }], rows: 3, by: person },
      },
    ]);
  });
});

describe('thresholds', () => {
  const july = new Date('2026-07-15T12:00:00Z');
  const thresholds = async () =>
    (await eventsOf()).map(({ data }) => data as { meter: string; percent: number; used: number });

  it('of units are recorded when they are charged, once a month', async () => {
    const use = async (units: number, charged = true, at = july) => {
      const reservation = await reserveUnits(tenant, { monthlyUnits: 10 }, 'tool', units, at);
      await (charged ? reservation.settle() : reservation.release());
    };
    await use(7);
    await use(3, false);
    expect(await thresholds()).toEqual([]);
    await use(1);
    await use(1);
    expect(await thresholds()).toMatchObject([{ meter: 'units', percent: 80, used: 8 }]);
    await use(1);
    expect(await thresholds()).toMatchObject([
      { percent: 80 },
      {
        percent: 100,
        used: 10,
        included: 10,
        period: '2026-07',
        resetsAt: '2026-08-01T00:00:00.000Z',
      },
    ]);
    await use(10, true, new Date('2026-08-15T12:00:00Z'));
    expect((await thresholds()).slice(2)).toMatchObject([
      { percent: 80, period: '2026-08' },
      { percent: 100, period: '2026-08' },
    ]);
  });

  it('of units are recorded with the transaction that charges', async () => {
    const reservation = await reserveUnits(tenant, { monthlyUnits: 10 }, 'tool', 9, july);
    const failing = tenant.transaction(async (tx) => {
      await reservation.settle(tx);
      await tx.query('select 1 where $1::uuid is not null');
      throw new Error('later');
    });
    await expect(failing).rejects.toThrow('later');
    await reservation.release();
    expect(await thresholds()).toEqual([]);
  });

  it('of ZIP codes with figures are recorded when they are seen, not when they are refused', async () => {
    const viewer = { tenant, subscription: { monthlyZips: 5 } };
    const see = (zips: readonly string[]) => recordSeenZips(viewer, zips, { at: july });
    await see(DALLAS.slice(0, 3));
    await expect(see(DALLAS)).rejects.toMatchObject({ status: 402 });
    expect(await thresholds()).toEqual([]);
    await see(DALLAS.slice(0, 5));
    await see(DALLAS.slice(0, 5));
    expect(await thresholds()).toMatchObject([
      { meter: 'figures', percent: 80, used: 5, included: 5 },
      { meter: 'figures', percent: 100, used: 5, included: 5 },
    ]);
  });

  it('of ZIP codes with figures count those of concurrent calls', async () => {
    const viewer = { tenant, subscription: { monthlyZips: 5 } };
    const see = (zips: readonly string[]) => recordSeenZips(viewer, zips, { at: july });
    await see(DALLAS.slice(0, 3));
    let calls: Promise<void>[] = [];
    await tenant.transaction(async (tx) => {
      await tx.query('select from zip_ledger where organization_id = $1 for update');
      calls = DALLAS.slice(3, 5).map((zip) => see([zip]));
      await untilBlocked(db, calls.length);
    });
    await Promise.all(calls);
    expect(await thresholds()).toMatchObject([
      { percent: 80, used: 4 },
      { percent: 100, used: 5 },
    ]);
  });
});

describe('the list', () => {
  const shared = (code: string, brandId?: string): NewEvent => ({
    type: 'share.created',
    actor: rita,
    brandId,
    data: {
      code,
      kind: 'brand' as const,
      brand: null,
      plan: null,
      title: null,
      expiresAt: '2027-01-01T00:00:00.000Z',
    },
  });
  const record = (...events: NewEvent[]) =>
    tenant.transaction(async (tx) => {
      for (const event of events) recordEvent(tx, event);
    });
  const codes = ({ events }: { events: RecordedEvent[] }) =>
    events.map(({ data }) => (data as { code: string }).code);

  it('has positions in the order of the commits, although transactions overlap', async () => {
    const WRITERS = 8;
    const reading = { done: false, read: [] as string[] };
    const readAll = async () => {
      for (let after = 0; ;) {
        const isLast = reading.done;
        const page = await listEvents(tenant, after, 3);
        after = page.nextAfter;
        reading.read.push(...codes(page));
        if (isLast && page.events.length === 0) return;
      }
    };
    const reader = readAll();
    const write = async (writer: number) => {
      for (let i = 0; i < 10; i++) {
        await tenant.transaction(async (tx: TenantTransaction) => {
          recordEvent(tx, shared(`${writer}-${i}`));
          await tx.query('select pg_sleep(random() * 0.01) where $1::uuid is not null');
        });
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
    reading.done = true;
    await reader;
    const all = await listEvents(tenant, 0, 1_000);
    expect(reading.read).toEqual(codes(all));
    const positions = all.events.map(({ position }) => position);
    expect(new Set(positions).size).toBe(WRITERS * 10);
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
  });

  it('continues after events that the filter excludes', async () => {
    await record(shared('a', north.id), shared('b', south.id), shared('c'), shared('d', south.id));
    const ofNorth = { brandScope: new Set([north.id]) };
    const { events, nextAfter: last } = await listEvents(tenant, 0, 10);
    expect(last).toBe(events[3]!.position);
    expect(await listEvents(tenant, 0, 10, { types: ['plan.applied'] })).toEqual({
      events: [],
      nextAfter: last,
    });
    const page = await listEvents(tenant, 0, 10, ofNorth);
    expect([codes(page), page.nextAfter]).toEqual([['a'], last]);
    expect(await listEvents(tenant, last, 10)).toEqual({ events: [], nextAfter: last });
    const full = await listEvents(tenant, 0, 2);
    expect([codes(full), full.nextAfter]).toEqual([['a', 'b'], events[1]!.position]);
  });

  it('never goes back from a position beyond the last event', async () => {
    await record(shared('a'));
    const { nextAfter: last } = await listEvents(tenant, 0, 10);
    const beyond = { events: [], nextAfter: last + 1_000 };
    expect(await listEvents(tenant, last + 1_000, 10)).toEqual(beyond);
  });

  it('has positions that grow, although the clock is set back', async () => {
    await record(shared('a'));
    const tomorrow = (Date.now() + 86_400_000) * 1_000;
    await db.query('update event_positions set position = $2 where organization_id = $1', [
      tenant.organizationId,
      tomorrow,
    ]);
    await record(shared('b'), shared('c'));
    const { events } = await listEvents(tenant, tomorrow, 10);
    expect(events.map(({ position }) => position)).toEqual([tomorrow + 1, tomorrow + 2]);
  });

  it('has an event with a key once, even if several transactions record it', async () => {
    const once = () =>
      tenant.transaction(async (tx) => recordEventOnce(tx, shared('a'), 'share.created a'));
    await Promise.all(Array.from({ length: 6 }, once));
    expect(codes(await listEvents(tenant, 0, 10))).toEqual(['a']);
    const other = await organizationWith(db, 'Other');
    await other.tenant.transaction(async (tx) =>
      recordEventOnce(tx, shared('a'), 'share.created a'),
    );
    expect(codes(await listEvents(other.tenant, 0, 10))).toEqual(['a']);
  });

  it('shows no event of another organization', async () => {
    await record(shared('a'));
    const other = await organizationWith(db, 'Other');
    expect(await listEvents(other.tenant, 0, 10)).toEqual({ events: [], nextAfter: 0 });
  });
});

it('all occur in these tests, except for those of terms, imports, and requests that wait', () => {
  const unseen = Object.keys(EVENTS).filter((type) => !seen.has(type as EventType));
  expect(unseen).toEqual([
    'territory.term_ending',
    'territory.term_ended',
    'census.changed',
    'boundaries.changed',
    'territory.waiting',
  ]);
});
