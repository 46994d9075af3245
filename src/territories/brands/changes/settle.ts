/** What a change does when it goes live, and what keeps it from doing so. */
import type { Actor, BrandScope } from '../../../people/account/caller.ts';
import type { Tenant, TenantTransaction } from '../../../people/account/tenant.ts';
import { isInScope, lockBrands, type Brand } from '../brands.ts';
import { readRuleFacts, settleUnderLock, type ClaimTime } from '../groups/facts.ts';
import { groupRefusals, type RefusedZips } from '../groups/refusal-words.ts';
import { afterLeaving, settleClaims, type Leaving } from '../groups/rules.ts';
import { BRAND_JSON } from '../named-brands.ts';
import type { OpenReview } from '../review.ts';

/** The parts of a change that wait */
export interface OpenParts {
  /** Requests, with their reviews */
  added: OpenReview[];
  /** ZIP codes that brands hold live and give up */
  removed: { brand: Brand; zip: string }[];
  /** Requests that were lost: their ZIP codes aren't pending any more */
  lost: { brand: Brand; zip: string }[];
}

interface PartRow {
  brand: Brand;
  zip: string;
  part: 'added' | 'removed';
  state: string | null;
  review: { id: string; batchId: string; stateBefore: 'removed' | null } | null;
}

/** Returns the ids of a change's brands, in order. */
export async function brandIdsOf(tenant: Tenant, changeId: string): Promise<string[]> {
  const rows = await tenant.acrossBrands.query<{ id: string }>(
    `select distinct brand_id as id from change_zips
     where organization_id = $1 and change_id = $2 order by id`,
    [changeId],
  );
  return rows.map(({ id }) => id);
}

/** Returns who made a change; null for an unknown one. */
export async function authorOf(tenant: Tenant, changeId: string): Promise<Actor | null> {
  const [row] = await tenant.acrossBrands.query<{ author: Actor }>(
    'select made_by as author from changes where organization_id = $1 and id = $2',
    [changeId],
  );
  return row?.author ?? null;
}

/** Returns what still waits in a change, by brand and ZIP code. Read it under a lock of its brands to act on it. */
export async function openParts(tenant: Tenant, changeId: string): Promise<OpenParts> {
  const rows = await tenant.acrossBrands.query<PartRow & Record<string, unknown>>(
    `select ${BRAND_JSON} as brand, cz.zip, cz.part, bz.state,
       case when r.id is not null then
         jsonb_build_object('id', r.id, 'batchId', r.batch_id, 'stateBefore', r.state_before) end as review
     from change_zips cz
     join brands b on b.id = cz.brand_id
     left join brand_zips bz on bz.organization_id = $1 and bz.brand_id = cz.brand_id and bz.zip = cz.zip
     left join reviews r on r.organization_id = $1 and r.change_id = cz.change_id
       and r.brand_id = cz.brand_id and r.zip = cz.zip and cz.part = 'added'
     where cz.organization_id = $1 and cz.change_id = $2 and cz.is_open
     order by b.slug, cz.zip`,
    [changeId],
  );
  const parts: OpenParts = { added: [], removed: [], lost: [] };
  for (const { brand, zip, part, state, review } of rows) {
    if (part === 'removed') {
      if (state === 'live') parts.removed.push({ brand, zip });
    } else if (state === 'pending' && review) {
      parts.added.push({ brand, zip, ...review });
    } else if (state !== 'live') {
      parts.lost.push({ brand, zip });
    }
  }
  return parts;
}

export const leavingOf = (removed: OpenParts['removed']): Leaving => {
  const leaving = new Map<string, Set<string>>();
  for (const { brand, zip } of removed) {
    leaving.set(brand.id, (leaving.get(brand.id) ?? new Set()).add(zip));
  }
  return leaving;
};

/** Returns what keeps a change from going live, by reason. Nobody can take its ZIP codes before the transaction ends. */
export async function obstaclesUnderLock(
  tx: TenantTransaction,
  { added, removed, lost }: OpenParts,
  time: ClaimTime,
): Promise<RefusedZips[]> {
  const { refused } =
    added.length > 0
      ? await settleUnderLock(tx, added, { ...time, leaving: leavingOf(removed) })
      : { refused: [] };
  return [...groupRefusals(refused), ...lostParts(lost)];
}

/** Returns what would keep the parts of brands within the scope from going live, without a lock. */
export async function obstacles(
  tenant: Tenant,
  scope: BrandScope,
  { added, removed, lost }: OpenParts,
  time: ClaimTime,
): Promise<RefusedZips[]> {
  const facts = await readRuleFacts(
    tenant,
    [...new Set(added.map(({ brand }) => brand.id))],
    [...new Set(added.map(({ zip }) => zip))],
    time,
  );
  const { refused } = settleClaims(added, afterLeaving(facts, leavingOf(removed)));
  const isShown = ({ brand }: { brand: Brand }) => isInScope(scope, brand.id);
  return [...groupRefusals(refused.filter(isShown)), ...lostParts(lost.filter(isShown))];
}

export const lostParts = (lost: OpenParts['lost']): RefusedZips[] =>
  lost.length === 0
    ? []
    : [{ reason: 'no longer requested', zips: lost.map(({ zip }) => zip).sort() }];

/** Locks a change with its brands until the transaction ends. @returns its status and day then */
export async function lockChange(
  tx: TenantTransaction,
  changeId: string,
): Promise<{ status: string; on: string | null; dueAt: Date | null; isDue: boolean }> {
  lockBrands(tx.acrossBrands, await brandIdsOf(tx, changeId));
  const [row] = await tx.acrossBrands.query<{
    status: string;
    on: string | null;
    dueAt: Date | null;
    isDue: boolean;
  }>(
    `select status, to_char(on_day, 'YYYY-MM-DD') as on, due_at as "dueAt",
       coalesce(due_at <= statement_timestamp(), true) as "isDue"
     from changes where organization_id = $1 and id = $2 for update`,
    [changeId],
  );
  return row!;
}
