/**
 * Applies a plan: within the plan's market, each brand requests the ZIP codes of its territory that it doesn't
 * hold and removes those outside it. Requests go to review, and the removals of each brand can be undone.
 */
import type { Actor } from '../account/caller.ts';
import type { Tenant, TenantTransaction } from '../account/tenant.ts';
import { badRequest } from '../errors.ts';
import { eventBrand, eventPlan } from '../events/catalog.ts';
import { recordEvent } from '../events/events.ts';
import { lockBrands, type Brand } from '../territory/brands.ts';
import { changeBrands } from '../territory/change-brands.ts';
import { readRuleFacts } from '../territory/groups/facts.ts';
import { groupRefusals, type RefusedZips } from '../territory/groups/refusal-words.ts';
import { afterLeaving, settleClaims } from '../territory/groups/rules.ts';
import { MAX_ZIPS_PER_CHANGE } from '../territory/validate-zips.ts';
import { formatCount } from '../text/words.ts';
import { requireVersion } from './edit.ts';
import { liveTerritories } from './live.ts';
import { findPlan, type SavedPlan } from './plans.ts';

/** The changes that a plan makes to a brand. Lists are sorted. */
export interface BrandChange {
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
}

export interface AppliedChange extends BrandChange {
  /** Batch of the requests; null without additions */
  batchId: string | null;
  /** Id that undoes the removals; null without removals */
  removalId: string | null;
}

/** Returns the changes that `applyPlan` would make. @throws as `applyPlan` */
export async function previewApplyPlan(tenant: Tenant, plan: SavedPlan): Promise<BrandChange[]> {
  const live = await liveTerritories(tenant, plan.zips);
  const changes = plan.territories.flatMap<BrandChange>(({ brand, name, zips }) => {
    if (brand === null) return [];
    const held = new Set(live.find((one) => one.brand.id === brand.id)?.zips);
    const planned = new Set(zips);
    const additions = zips.filter((zip) => !held.has(zip));
    const removals = [...held].filter((zip) => !planned.has(zip));
    const kept = held.size - removals.length;
    return [{ brand, territory: name, additions, refused: [], removals, kept }];
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
  return withoutRefused(tenant, changes);
}

/** Takes out the additions that rules of groups refuse after the plan's removals. */
async function withoutRefused(
  tenant: Tenant,
  changes: readonly BrandChange[],
): Promise<BrandChange[]> {
  const brandIds = changes.map(({ brand }) => brand.id);
  const zips = [...new Set(changes.flatMap(({ additions }) => additions))];
  const leaving = new Map(changes.map(({ brand, removals }) => [brand.id, new Set(removals)]));
  const facts = afterLeaving(await readRuleFacts(tenant, brandIds, zips), leaving);
  return changes.map((change) => {
    const claims = change.additions.map((zip) => ({ brand: change.brand, zip }));
    const { allowed, refused } = settleClaims(claims, facts);
    const additions = allowed.map(({ zip }) => zip);
    // Only callers with access to all brands work with plans.
    return { ...change, additions, refused: groupRefusals(refused, 'all') };
  });
}

/**
 * Applies a plan.
 * @param version the version that was previewed
 * @throws ServiceError 404 as `findPlan`; 409 if the plan has another version; 400 without brands or
 *   with too many ZIP codes
 */
export async function applyPlan(
  tx: TenantTransaction,
  actor: Actor,
  ref: string,
  version: number,
): Promise<AppliedChange[]> {
  const plan = await findPlan(tx, ref, 'for update of p');
  requireVersion(plan, version);
  lockBrands(
    tx,
    plan.territories.flatMap(({ brand }) => brand?.id ?? []),
  );
  const changes = await previewApplyPlan(tx, plan);
  const made = await changeBrands(
    tx,
    actor,
    changes.map(({ brand, additions, removals }) => ({
      ...{ brand, added: additions, removed: removals },
    })),
    { note: `Plan "${plan.name}"`, visibleTo: 'all' },
  );
  const applied = changes.map((change, i) => ({
    ...change,
    batchId: made[i]!.requested?.batchId ?? null,
    removalId: made[i]!.removed?.removalId ?? null,
  }));
  recordEvent(tx, {
    type: 'plan.applied',
    actor,
    data: {
      plan: eventPlan(plan),
      brands: applied.map(({ brand, additions, removals, batchId, removalId }) => ({
        brand: eventBrand(brand),
        requestedZipCount: additions.length,
        removedZipCount: removals.length,
        ...{ requestId: batchId, removalId },
      })),
    },
  });
  return applied;
}
