/**
 * Applies a plan: within the plan's market, each brand requests the ZIP codes of its territory that it doesn't
 * hold and gives up those outside it. All of that is one change: it's reviewed as one, goes live as one, at once or on a
 * day, and is undone as one.
 */
import { recordChange } from '../../people/account/activity.ts';
import type { Actor } from '../../people/account/caller.ts';
import type { Tenant, TenantTransaction } from '../../people/account/tenant.ts';
import { badRequest } from '../../errors.ts';
import { eventBrand, eventPlan } from '../../people/events/catalog.ts';
import { recordEvent } from '../../people/events/events.ts';
import { lockBrands, type Brand } from '../brands/brands.ts';
import { changeBrands, type MadeChange } from '../brands/changes/change-brands.ts';
import type { ChangeDay } from '../brands/changes/day.ts';
import { plannedZips } from '../brands/changes/read.ts';
import { readRuleFacts } from '../brands/groups/facts.ts';
import { groupRefusals, type RefusedZips } from '../brands/groups/refusal-words.ts';
import { afterLeaving, settleClaims } from '../brands/groups/rules.ts';
import { MAX_ZIPS_PER_CHANGE } from '../brands/validate-zips.ts';
import { formatCount, joinWithAnd } from '../../base/text/words.ts';
import { requireVersion } from './edit.ts';
import { heldInMarket } from '../brands/held-in-market.ts';
import { findPlan, splitZips, type PlanTerritory, type SavedPlan } from './plans.ts';

/** The changes that a plan makes to a brand. Lists are sorted. */
interface BrandChange {
  brand: Brand;
  /** Name of the brand's territory in the plan */
  territory: string;
  /** ZIP codes to request */
  additions: string[];
  /** New ZIP codes of the territory that a rule of a group refuses, by reason */
  refused: RefusedZips[];
  /** Held ZIP codes of the market to remove, because they aren't in the territory */
  removals: string[];
  /** Number of held ZIP codes that stay */
  kept: number;
  /** Number of live ZIP codes of the market: the brand's territory there until the change goes live */
  liveMeanwhile: number;
}

/** What a plan changes, and what it leaves as it is */
export interface PlanApplication<Change = BrandChange> {
  changes: Change[];
  /** Territories with ZIP codes that can't go live */
  withoutBrand: PlanTerritory[];
  /** Brands without a territory in the plan that hold ZIP codes of its market. They keep these. */
  untouched: { brand: Brand; zipCount: number }[];
  /** Held ZIP codes outside the brand's territory that stay, because another change that waits includes them. Sorted */
  inOtherChanges: string[];
}

export interface AppliedChange extends BrandChange {
  /** Batch of the requests; null without additions */
  batchId: string | null;
  /** Id of the removals; null without removals, and while they wait */
  removalId: string | null;
}

export interface AppliedPlan extends PlanApplication<AppliedChange> {
  made: Pick<MadeChange, 'id' | 'status' | 'on'>;
}

/** Returns what `applyPlan` would do. @throws as `applyPlan` */
export async function previewApplyPlan(
  tenant: Tenant,
  plan: SavedPlan,
  on: ChangeDay | null = null,
): Promise<PlanApplication> {
  const live = await heldInMarket(tenant, 'all', plan.zips);
  const waiting = await plannedZips(tenant, { zips: plan.zips });
  const isWaiting = new Set(waiting.map(({ brandId, zip }) => `${brandId} ${zip}`));
  const inOtherChanges = new Set<string>();
  const changes = plan.territories.flatMap<BrandChange>(({ brand, name, zips }) => {
    if (brand === null) return [];
    const { zips: own = '', pending = '' } = live.find((one) => one.brand.id === brand.id) ?? {};
    const held = new Set(splitZips(own));
    const planned = new Set(zips);
    const additions = zips.filter((zip) => !held.has(zip));
    const outside = [...held].filter((zip) => !planned.has(zip));
    const removals = outside.filter((zip) => !isWaiting.has(`${brand.id} ${zip}`));
    for (const zip of outside) if (isWaiting.has(`${brand.id} ${zip}`)) inOtherChanges.add(zip);
    const kept = held.size - outside.length;
    const liveMeanwhile = held.size - splitZips(pending).length;
    return [{ brand, territory: name, additions, refused: [], removals, kept, liveMeanwhile }];
  });
  if (changes.length === 0) {
    throw badRequest(
      'No territory of this plan has a brand, so there is nothing to apply. Choose a brand for each territory that should go live.',
    );
  }
  for (const { brand, additions, removals } of changes) {
    const most = Math.max(additions.length, removals.length);
    if (most > MAX_ZIPS_PER_CHANGE) {
      throw badRequest(
        `One change can include at most ${formatCount(MAX_ZIPS_PER_CHANGE)} ZIP codes, and ${brand.name} would have ${formatCount(most)}. Apply a plan of a smaller market.`,
      );
    }
  }
  const allowed = await withoutRefused(tenant, changes, on);
  const planned = new Set(changes.map(({ brand }) => brand.id));
  return {
    changes: allowed,
    withoutBrand: plan.territories.filter(({ brand, zips }) => brand === null && zips.length > 0),
    untouched: live
      .filter(({ brand, zips }) => !planned.has(brand.id) && zips !== '')
      .map(({ brand, zips }) => ({ brand, zipCount: splitZips(zips).length })),
    inOtherChanges: [...inOtherChanges].sort(),
  };
}

/**
 * Takes out the additions that rules of groups refuse after the plan's removals, and the removals that would make room for
 * them.
 */
async function withoutRefused(
  tenant: Tenant,
  changes: readonly BrandChange[],
  on: ChangeDay | null,
): Promise<BrandChange[]> {
  const brandIds = changes.map(({ brand }) => brand.id);
  const zips = [...new Set(changes.flatMap(({ additions }) => additions))];
  const leaving = new Map(changes.map(({ brand, removals }) => [brand.id, new Set(removals)]));
  const time = { on, countsPlanned: true };
  const facts = afterLeaving(await readRuleFacts(tenant, brandIds, zips, time), leaving);
  const settled = changes.map(({ brand, additions }) =>
    settleClaims(
      additions.map((zip) => ({ brand, zip })),
      facts,
    ),
  );
  const allowed = new Set(settled.flatMap((one) => one.allowed.map(({ zip }) => zip)));
  const refused = new Set(settled.flatMap((one) => one.refused.map(({ zip }) => zip)));
  return changes.map((change, i) => {
    const additions = settled[i]!.allowed.map(({ zip }) => zip);
    const removals = change.removals.filter((zip) => allowed.has(zip) || !refused.has(zip));
    const kept = change.kept + change.removals.length - removals.length;
    // Only callers with access to all brands work with plans.
    return { ...change, additions, refused: groupRefusals(settled[i]!.refused), removals, kept };
  });
}

/**
 * Applies a plan.
 * @param version the version that was previewed
 * @param on the day on which it goes live. Null: when it's approved
 * @throws ServiceError 404 as `findPlan`; 409 if the plan has another version; 400 without brands or
 *   with too many ZIP codes
 */
export async function applyPlan(
  tx: TenantTransaction,
  actor: Actor,
  ref: string,
  version: number,
  on: ChangeDay | null = null,
): Promise<AppliedPlan> {
  const plan = await findPlan(tx, ref, 'for update of p');
  requireVersion(plan, version);
  lockBrands(
    tx,
    plan.territories.flatMap(({ brand }) => brand?.id ?? []),
  );
  const application = await previewApplyPlan(tx, plan, on);
  const { changes } = application;
  const isEmpty = changes.every((one) => one.additions.length + one.removals.length === 0);
  const made: MadeChange = isEmpty
    ? { id: null, status: 'live', on: null, parts: [] }
    : await changeBrands(
        tx,
        actor,
        changes.map(({ brand, additions, removals }) => ({
          brand,
          added: additions,
          removed: removals,
        })),
        { source: 'plan', note: `Plan "${plan.name}"`, on },
      );
  const applied = changes.map((change, i) => ({
    ...change,
    batchId: made.parts[i]?.requested?.batchId ?? null,
    removalId: made.parts[i]?.removed?.removalId ?? null,
  }));
  const names = joinWithAnd(applied.map(({ brand }) => brand.name));
  recordChange(tx, actor, 'plan_applied', `Applied the plan ${plan.name} to ${names}.`, {
    after: { plan: plan.id, name: plan.name, version },
  });
  recordEvent(tx, {
    type: 'plan.applied',
    actor,
    data: {
      plan: eventPlan(plan),
      brands: applied.map(({ brand, additions, removals, batchId, removalId }) => ({
        brand: eventBrand(brand),
        requestedZipCount: additions.length,
        removedZipCount: removals.length,
        requestId: batchId,
        removalId,
      })),
      ...(made.id === null ? {} : { changeId: made.id }),
    },
  });
  const { id, status, on: day } = made;
  return { ...application, changes: applied, made: { id, status, on: day } };
}
