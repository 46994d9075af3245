/**
 * Applying for ZIPs: they go to the review queue. Nothing here makes a ZIP live: that is for people
 * (review.ts).
 */
import { randomUUID } from 'node:crypto';
import type { Actor } from '../account/caller.ts';
import type { Tenant } from '../account/tenant.ts';
import { notFound } from '../errors.ts';
import { counted, listed } from '../words.ts';
import { recordActivity } from './activity.ts';
import { lockBrands, type Brand } from './brands.ts';
import type { ZipState } from './brand-zips.ts';
import { checkedZips } from './zip-list.ts';

/** ZIPs by what became, or would become, of each; every list is in order. */
export interface ApplyOutcome {
  /** Wait for review now */
  queued: string[];
  /** Of the queued: those that another brand of the organisation holds too */
  shared: string[];
  alreadyLive: string[];
  alreadyPending: string[];
  /** Not among the ZIPs with a boundary: PO boxes and single buildings have none */
  unknown: string[];
}

export interface Applied extends ApplyOutcome {
  /** Names the reviews of this call; null if nothing was queued */
  batchId: string | null;
}

/**
 * What an application would do; changes nothing.
 * @throws ServiceError 400 for malformed ZIPs, none or too many, 404 if none of them is known
 */
export async function previewApply(
  tenant: Tenant,
  brand: Brand,
  zips: readonly string[],
): Promise<ApplyOutcome> {
  const { outcome } = await planApply(tenant, brand, zips);
  return outcome;
}

/** @throws as `previewApply` */
export async function applyZips(
  tx: Tenant,
  actor: Actor,
  brand: Brand,
  { zips, note }: { zips: readonly string[]; note?: string | undefined },
): Promise<Applied> {
  await lockBrands(tx, [brand.id]);
  const { outcome, before } = await planApply(tx, brand, zips);
  const { queued } = outcome;
  if (queued.length === 0) return { ...outcome, batchId: null };

  const batchId = randomUUID();
  await tx.query(
    `insert into reviews (organization_id, brand_id, zip, batch_id, state_before, note, requested_by)
     select $1, $2, zip, $3, state_before, $4, $5
     from unnest($6::text[], $7::text[]) as asked (zip, state_before)`,
    [brand.id, batchId, note ?? null, actor, queued, queued.map((zip) => before[zip])],
  );
  await tx.query(
    `insert into brand_zips (organization_id, brand_id, zip, state)
     select $1, $2, zip, 'pending' from unnest($3::text[]) as asked (zip)
     on conflict (brand_id, zip) do update set state = excluded.state, changed_at = statement_timestamp()`,
    [brand.id, queued],
  );
  await recordActivity(tx, {
    actor,
    action: 'territory_applied',
    brandId: brand.id,
    summary: `Applied for ${counted(queued.length, 'ZIP')} for ${brand.name}, to be reviewed: ${listed(queued)}.`,
    zips: queued,
    before,
    after: Object.fromEntries(queued.map((zip) => [zip, 'pending'])),
  });
  return { ...outcome, batchId };
}

interface ApplyPlan {
  outcome: ApplyOutcome;
  /** Of the queued: what a rejection leads back to */
  before: Record<string, 'removed' | null>;
}

interface AskedZip {
  zip: string;
  known: boolean;
  /** Null: the brand has never held it */
  state: ZipState | null;
  shared: boolean;
}

async function planApply(
  tenant: Tenant,
  brand: Brand,
  zips: readonly string[],
): Promise<ApplyPlan> {
  const rows = await tenant.query<AskedZip>(
    `select asked.zip, zips.zip is not null as known, bz.state,
       exists (
         select from brand_zips other
         where other.organization_id = $1 and other.zip = asked.zip and other.brand_id <> $2
           and other.state <> 'removed') as shared
     from unnest($3::text[]) as asked (zip)
     left join zips on zips.zip = asked.zip
     left join brand_zips bz
       on bz.organization_id = $1 and bz.brand_id = $2 and bz.zip = asked.zip
     order by asked.zip`,
    [brand.id, checkedZips(zips)],
  );
  const outcome: ApplyOutcome = {
    queued: [],
    shared: [],
    alreadyLive: [],
    alreadyPending: [],
    unknown: [],
  };
  const before: ApplyPlan['before'] = {};
  for (const { zip, known, state, shared } of rows) {
    if (state === 'live') outcome.alreadyLive.push(zip);
    else if (state === 'pending') outcome.alreadyPending.push(zip);
    else if (!known) outcome.unknown.push(zip);
    else {
      outcome.queued.push(zip);
      before[zip] = state;
      if (shared) outcome.shared.push(zip);
    }
  }
  if (outcome.unknown.length === rows.length) {
    throw notFound(
      `None of these ZIPs has a boundary: ${listed(outcome.unknown)}. PO-box and single-building ZIPs have none and cannot be territory.`,
    );
  }
  return { outcome, before };
}
