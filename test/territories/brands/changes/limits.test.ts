/** What changes and terms do at their limits: large, empty, partly refused, told before, and of a moved day. */
import { describe, expect, it } from 'vitest';
import { addDays } from '../../../../src/base/text/days.ts';
import { changeReviewSettings } from '../../../../src/people/account/review-settings.ts';
import { tenantOf, type TenantDatabase } from '../../../../src/people/account/tenant.ts';
import type { Brand } from '../../../../src/territories/brands/brands.ts';
import { changeBrands } from '../../../../src/territories/brands/changes/change-brands.ts';
import { changeDay } from '../../../../src/territories/brands/changes/day.ts';
import { approveChange } from '../../../../src/territories/brands/changes/decide.ts';
import { runDueChanges } from '../../../../src/territories/brands/changes/due.ts';
import { findChange, listChanges } from '../../../../src/territories/brands/changes/read.ts';
import { obstacles, openParts } from '../../../../src/territories/brands/changes/settle.ts';
import { undoChange } from '../../../../src/territories/brands/changes/undo.ts';
import { importZips } from '../../../../src/territories/brands/import/import.ts';
import { undoRemoval } from '../../../../src/territories/brands/undo.ts';
import { setTerms, type Terms } from '../../../../src/territories/brands/terms/terms.ts';
import { keepTerms } from '../../../../src/territories/notify/terms.ts';
import { testDatabase } from '../../../support/database.ts';
import { hold, storeZips } from '../holding.ts';
import { agent, DALLAS, reviewer } from '../organization.ts';
import { change, dayComes, franchise, nextYear, passing, statesOf } from './setting.ts';

const [A, B, C] = DALLAS as [string, string, string];
const { db } = await testDatabase('sample');

const grant = (
  tenant: TenantDatabase,
  brand: Brand,
  zips: readonly string[],
  terms: Partial<Terms>,
) => tenant.transaction((tx) => setTerms(tx, reviewer.actor, brand, { zips, ...terms }));

const inDays = (days: number) => addDays(new Date().toISOString().slice(0, 10), days);

/** Lets the last day of all terms be so many days ago. */
const endDaysAgo = (tenant: TenantDatabase, days: number) =>
  tenant.query(
    `update holding_terms t set ends_on = (now() at time zone o.time_zone)::date - $2::int
     from organizations o where t.organization_id = $1 and o.id = $1`,
    [days],
  );

async function countEvents(tenant: TenantDatabase, type: string): Promise<number> {
  const [row] = await tenant.query<{ n: number }>(
    'select count(*)::int as n from events where organization_id = $1 and type = $2',
    [type],
  );
  return row!.n;
}

const liveOf = async (tenant: TenantDatabase, brand: Brand) =>
  Object.values(await statesOf(tenant, brand)).filter((state) => state === 'live').length;

describe('terms', () => {
  it('are told of once, also if another field changes later', async () => {
    const { tenant, north } = await franchise(db);
    await hold(tenant, north, [A]);
    await grant(tenant, north, [A], { endsOn: inDays(30) });
    await keepTerms(db);
    await grant(tenant, north, [A], { note: 'Agreement 12' });
    await keepTerms(db);
    expect(await countEvents(tenant, 'territory.term_ending')).toBe(1);
    await grant(tenant, north, [A], { endsOn: inDays(60) });
    await keepTerms(db);
    expect(await countEvents(tenant, 'territory.term_ending')).toBe(2);
  });

  it('end a holding once: what people restored stays when a note changes', async () => {
    const { tenant, north } = await franchise(db);
    await hold(tenant, north, [A]);
    await grant(tenant, north, [A], { endsOn: inDays(30), atEnd: 'ends' });
    await endDaysAgo(tenant, 1);
    await keepTerms(db);
    expect(await statesOf(tenant, north)).toEqual({ [A]: 'removed' });
    const [removal] = await tenant.query<{ id: string }>(
      'select id from removals where organization_id = $1',
    );
    await undoRemoval(tenant, reviewer.actor, removal!.id);
    await grant(tenant, north, [A], { note: 'The renewal is being negotiated' });
    await keepTerms(db);
    expect(await statesOf(tenant, north)).toEqual({ [A]: 'live' });
    expect(await countEvents(tenant, 'territory.term_ended')).toBe(1);
  });

  it('whose last day has passed can’t be made to end then', async () => {
    const { tenant, north } = await franchise(db);
    await hold(tenant, north, [A]);
    await grant(tenant, north, [A], { endsOn: inDays(30) });
    await endDaysAgo(tenant, 20);
    await keepTerms(db);
    await expect(grant(tenant, north, [A], { atEnd: 'ends' })).rejects.toThrow('has passed');
    await grant(tenant, north, [A], { atEnd: 'ends', endsOn: inDays(1) });
  });

  it('end for more ZIP codes than one change can name, and keep no change from going live', async () => {
    const { tenant, north, south } = await franchise(db);
    const zips = Array.from({ length: 5_001 }, (_, i) => String(10_000 + i));
    await storeZips(tenant, north, zips);
    for (const some of [zips.slice(0, 5_000), zips.slice(5_000)]) {
      await grant(tenant, north, some, { endsOn: inDays(30), atEnd: 'ends' });
    }
    await endDaysAgo(tenant, 1);
    const { id } = await change(tenant, [{ brand: south, added: [A], removed: [] }], {
      on: await nextYear(tenant),
    });
    await tenant.transaction((tx) => approveChange(tx, reviewer, id!));
    await dayComes(tenant, id!);
    expect(await runDueChanges(db, tenant.organizationId)).toEqual({ live: 1, blocked: 0 });
    expect(await liveOf(tenant, north)).toBe(0);
  });

  it('that ended after a change was due, in a downtime, end after it', async () => {
    const { tenant, north, south } = await franchise(db);
    await hold(tenant, north, [A]);
    for (const table of ['holdings', 'brand_zips']) {
      const earlier = table === 'holdings' ? `, held_from = held_from - interval '9 days'` : '';
      await tenant.query(
        `update ${table} set changed_at = changed_at - interval '9 days'${earlier} where organization_id = $1`,
      );
    }
    await grant(tenant, north, [A], { endsOn: inDays(30), atEnd: 'ends' });
    const { id } = await change(tenant, passing(north, south, [A]), { on: await nextYear(tenant) });
    await tenant.transaction((tx) => approveChange(tx, reviewer, id!));
    await tenant.query(
      `update changes c set on_day = day, due_at = day::timestamp at time zone time_zone
       from (select (now() at time zone time_zone)::date - 3 as day, time_zone from organizations where id = $1) o
       where c.organization_id = $1`,
    );
    await endDaysAgo(tenant, 2);
    await keepTerms(db);
    expect(await runDueChanges(db, tenant.organizationId)).toEqual({ live: 1, blocked: 0 });
    await keepTerms(db);
    expect(await statesOf(tenant, south)).toEqual({ [A]: 'live' });
  });
});

describe('a change', () => {
  it('of an import with more ZIP codes than others is undone as one', async () => {
    const { tenant, north } = await franchise(db);
    const rows = await db.query<{ zip: string }>('select zip from zips order by zip limit 5001');
    await importZips(tenant, agent, north, { zips: rows.map(({ zip }) => zip) });
    const [imported] = (await listChanges(tenant, 'all')).rows;
    await tenant.transaction((tx) => approveChange(tx, reviewer, imported!.id));
    expect(await liveOf(tenant, north)).toBe(5_001);
    await tenant.transaction((tx) => undoChange(tx, reviewer, imported!.id));
    expect(await liveOf(tenant, north)).toBe(0);
  });

  it('takes nothing that its new brand can’t get', async () => {
    const { tenant, north, south, east } = await franchise(db);
    await hold(tenant, north, [A, B]);
    const transfer = (zips: string[]) =>
      tenant.transaction((tx) =>
        changeBrands(tx, agent, passing(east, south, zips), { source: 'transfer' }),
      );
    // North blocks South.
    await hold(tenant, east, [A, C]);
    await expect(transfer([A, C])).rejects.toThrow(`Nothing was changed: ${A}: held by North`);
    // South has requested it already, and nobody has decided yet.
    await hold(tenant, south, [C], 'pending');
    await expect(transfer([C])).rejects.toThrow('requested already');
    expect(await statesOf(tenant, east)).toEqual({ [A]: 'live', [C]: 'live' });
  });

  it('of several brands leaves with a brand what a rule refuses to the next one', async () => {
    const { tenant, north, south, east } = await franchise(db);
    await hold(tenant, north, [A]);
    await hold(tenant, east, [A, C]);
    const { id, parts } = await change(tenant, passing(east, south, [A, C]));
    expect(parts).toMatchObject([{ leaving: [C] }, { requested: { queued: [C], refused: [A] } }]);
    await tenant.transaction((tx) => approveChange(tx, reviewer, id!));
    expect(await statesOf(tenant, east)).toEqual({ [A]: 'live', [C]: 'removed' });
  });

  it('doesn’t give back what has passed on since it was live', async () => {
    const { tenant, north, south, east } = await franchise(db);
    await hold(tenant, north, [A, B]);
    const pass = async (from: Brand, to: Brand, zips: string[]) => {
      const { id } = await change(tenant, passing(from, to, zips));
      await tenant.transaction((tx) => approveChange(tx, reviewer, id!));
      return id!;
    };
    const first = await pass(north, south, [A, B]);
    await pass(south, east, [A]);
    const { changedSince } = await tenant.transaction((tx) => undoChange(tx, reviewer, first));
    expect(changedSince).toEqual([A]);
    expect(await statesOf(tenant, north)).toEqual({ [A]: 'removed', [B]: 'live' });
    expect(await statesOf(tenant, east)).toEqual({ [A]: 'live' });
  });

  it('passes nothing on that another change takes later', async () => {
    const { tenant, south, east } = await franchise(db);
    await hold(tenant, east, [A]);
    await change(tenant, [{ brand: east, added: [], removed: [A] }], {
      on: await nextYear(tenant),
    });
    await expect(
      tenant.transaction((tx) =>
        changeBrands(tx, agent, passing(east, south, [A]), { source: 'transfer' }),
      ),
    ).rejects.toThrow('given up by another change that waits');
  });

  it('that only withdraws requests is none, also with a day', async () => {
    const { tenant, north } = await franchise(db);
    await hold(tenant, north, [A], 'pending');
    const made = await change(tenant, [{ brand: north, added: [], removed: [A] }], {
      on: await nextYear(tenant),
    });
    expect(made).toMatchObject({ id: null, status: 'live', on: null });
    expect((await listChanges(tenant, 'all')).rows).toEqual([]);
    expect(await statesOf(tenant, north)).toEqual({ [A]: 'removed' });
  });

  it('tells people with some of its brands nothing about what keeps the others', async () => {
    const { tenant, north, south, east } = await franchise(db);
    await hold(tenant, east, [C]);
    const { id } = await change(tenant, [
      { brand: east, added: [], removed: [C] },
      { brand: south, added: [A], removed: [] },
    ]);
    await hold(tenant, north, [A]);
    const reasonsFor = async (brand: Brand) => {
      const scope = new Set([brand.id]);
      const limited = tenantOf(db, tenant.organizationId, scope);
      const time = { on: null, change: id!, countsPlanned: true };
      return obstacles(limited, scope, await openParts(limited, id!), time);
    };
    expect(await reasonsFor(east)).toEqual([]);
    expect(await reasonsFor(south)).toMatchObject([{ zips: [A] }]);
  });

  it('that couldn’t go live tells them nothing about the others either', async () => {
    const { tenant, north, south, east } = await franchise(db);
    await hold(tenant, east, [C]);
    const parts = [
      { brand: east, added: [], removed: [C] },
      { brand: south, added: [A], removed: [] },
    ];
    const { id } = await change(tenant, parts, { on: await nextYear(tenant) });
    await tenant.transaction((tx) => approveChange(tx, reviewer, id!));
    await storeZips(tenant, north, [A]);
    await dayComes(tenant, id!);
    expect(await runDueChanges(db, tenant.organizationId)).toEqual({ live: 0, blocked: 1 });
    const hidden = 'a part of it can’t go live';
    const ofEast = await findChange(tenant, new Set([east.id]), id!);
    expect(ofEast).toMatchObject({ status: 'blocked', reason: hidden });
    const reason = `${A}: held by another brand of the group "Franchisees", which blocks overlaps`;
    expect(await findChange(tenant, 'all', id!)).toMatchObject({ reason });
    const events = await tenant.query<{ brand: string; reason: string }>(
      `select brand_id as brand, data->>'reason' as reason from events
       where organization_id = $1 and type = 'territory.blocked'`,
    );
    expect(new Map(events.map(({ brand, reason: one }) => [brand, one]))).toEqual(
      new Map([
        [east.id, hidden],
        [south.id, reason],
      ]),
    );
  });

  it('goes live when its day begins in a new time zone of the organization', async () => {
    const { tenant, north, south } = await franchise(db);
    await hold(tenant, north, [A]);
    const on = await nextYear(tenant);
    const { id } = await change(tenant, passing(north, south, [A]), { on });
    await tenant.transaction((tx) => approveChange(tx, reviewer, id!));
    await changeReviewSettings(tenant, reviewer.actor, { timeZone: 'Pacific/Honolulu' });
    const { at } = await changeDay(tenant, on.day);
    expect(at).not.toEqual(on.at);
    expect(await findChange(tenant, 'all', id!)).toMatchObject({ on: on.day, dueAt: at });
  });
});
