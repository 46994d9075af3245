/** Invariants of an organization's territories, which hold after any changes in any order. */
import { expect } from 'vitest';
import type { Tenant } from '../../../src/people/account/tenant.ts';

export async function expectConsistent(tenant: Tenant): Promise<void> {
  const zips = await tenant.query<{ place: string; state: string }>(
    `select brand_id || ' ' || zip as place, state from brand_zips where organization_id = $1`,
  );
  await expectOneReviewPerPendingZip(tenant, zips);
  await expectCompleteRecord(tenant);
  await expectCompleteActivity(tenant, zips);
  await expectRemovalsUndoneOnce(tenant);
}

/** A ZIP code is pending exactly while it has one pending review, or an approved one of a change that waits for its day. */
async function expectOneReviewPerPendingZip(
  tenant: Tenant,
  zips: { place: string; state: string }[],
): Promise<void> {
  const open = await tenant.query<{ place: string }>(
    `select r.brand_id || ' ' || r.zip as place from reviews r left join changes c on c.id = r.change_id
     where r.organization_id = $1 and (r.status = 'pending'
       or r.status = 'approved' and c.status in ('scheduled', 'blocked'))`,
  );
  const pending = zips.filter(({ state }) => state === 'pending');
  expect(open.map(({ place }) => place).sort()).toEqual(pending.map(({ place }) => place).sort());
}

/** The open periods of the record are the territories, each with the entry that began it, and no two overlap. */
async function expectCompleteRecord(tenant: Tenant): Promise<void> {
  const differences = await tenant.query(
    `select brand_id, zip, bz.state, h.state as recorded, h.changed_at, h.started_entry
     from (select * from brand_zips where organization_id = $1) bz
     full join (select * from holdings where organization_id = $1 and held_until is null) h
       using (brand_id, zip)
     where (bz.state, bz.changed_at) is distinct from (h.state, h.changed_at) or h.started_entry is null`,
  );
  expect(differences).toEqual([]);
  const overlaps = await tenant.query(
    `select from holdings a join holdings b using (brand_id, zip)
     where a.organization_id = $1 and a.held_from < b.held_from
       and (a.held_until is null or a.held_until > b.held_from)`,
  );
  expect(overlaps).toEqual([]);
}

type States = Record<string, string | null>;

/** Each entry starts where the earlier ones ended, and the last one ends at the current state. */
async function expectCompleteActivity(
  tenant: Tenant,
  zips: { place: string; state: string }[],
): Promise<void> {
  const activity = await tenant.query<{
    brandId: string;
    zips: string[];
    before: States;
    after: States;
    summary: string;
  }>(
    `select brand_id as "brandId", zips, before, after, summary from activity
     where organization_id = $1 and (action like 'territory%' or action = 'removal_undone')
     order by id`,
  );
  const changes = new Map<string, string>();
  for (const { brandId, zips, before, after, summary } of activity) {
    const stateOf = (zip: string) => changes.get(`${brandId} ${zip}`) ?? null;
    expect({ summary, before, after: Object.keys(after).sort() }).toEqual({
      summary,
      before: Object.fromEntries(zips.map((zip) => [zip, stateOf(zip)])),
      after: zips,
    });
    for (const zip of zips) {
      const place = `${brandId} ${zip}`;
      if (after[zip]) changes.set(place, after[zip]);
      else changes.delete(place);
    }
  }
  expect(Object.fromEntries(changes)).toEqual(
    Object.fromEntries(zips.map(({ place, state }) => [place, state])),
  );
}

async function expectRemovalsUndoneOnce(tenant: Tenant): Promise<void> {
  const removals = await tenant.query(
    `select (undone_at is not null)::int as undone, 1 as done,
       (select count(*) from activity a where a.organization_id = $1 and a.removal_id = r.id
          and a.action = 'territory_removed') as "recordedRemoval",
       (select count(*) from activity a where a.organization_id = $1 and a.removal_id = r.id
          and a.action = 'removal_undone') as "recordedUndo"
     from removals r where r.organization_id = $1`,
  );
  for (const { undone, done, recordedRemoval, recordedUndo } of removals) {
    expect({ recordedRemoval, recordedUndo }).toEqual({
      recordedRemoval: done,
      recordedUndo: undone,
    });
  }
}
