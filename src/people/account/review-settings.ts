/** Settings of an organization's reviews: the trade whose scores they show, and whether owners need one. */
import { verticalBySlug } from '../../data/scoring/verticals.ts';
import { recordChange } from './activity.ts';
import type { Actor } from './caller.ts';
import type { Tenant, TenantDatabase } from './tenant.ts';

export interface ReviewSettings {
  /** Slug of the vertical whose scores are shown first; null if none was chosen */
  trade: string | null;
  /** Whether what owners request waits for a review. Otherwise, it goes live at once */
  ownersNeedReview: boolean;
}

const SETTINGS = `select trade, owners_need_review as "ownersNeedReview"
  from organizations where id = $1`;

export async function reviewSettings(tenant: Tenant): Promise<ReviewSettings> {
  const [row] = await tenant.query<ReviewSettings & Record<string, unknown>>(SETTINGS);
  return row!;
}

/** Changes the given settings and keeps the others. @throws ServiceError 404 for an unknown trade */
export const changeReviewSettings = (
  tenant: TenantDatabase,
  by: Actor,
  change: Partial<ReviewSettings>,
): Promise<void> =>
  tenant.transaction(async (tx) => {
    const [row] = await tx.query<ReviewSettings & Record<string, unknown>>(
      `${SETTINGS} for update`,
    );
    const before = row!;
    const after = { ...before, ...change };
    const isTradeNew = after.trade !== before.trade;
    const isRuleNew = after.ownersNeedReview !== before.ownersNeedReview;
    if (!isTradeNew && !isRuleNew) return;
    const changes = [
      ...(isTradeNew && after.trade
        ? [`show scores for ${verticalBySlug(after.trade).label}`]
        : []),
      ...(isRuleNew
        ? [after.ownersNeedReview ? 'review owners’ requests' : 'not review owners’ requests']
        : []),
    ];
    tx.defer('update organizations set trade = $2, owners_need_review = $3 where id = $1', [
      after.trade,
      after.ownersNeedReview,
    ]);
    recordChange(tx, by, 'review_settings_changed', `Set reviews to ${changes.join(' and ')}.`, {
      before: { ...before },
      after,
    });
  });

/**
 * Whether what an actor requests goes live at once: the person is an owner, and owners need no review. Keys always need
 * one, because they have no role. A connector has the role of its person.
 */
export async function needsNoReview(tenant: Tenant, actor: Actor): Promise<boolean> {
  if (actor.kind !== 'person') return false;
  const [row] = await tenant.query<{ isFree: boolean }>(
    `select exists (
       select from organizations o join memberships m on m.organization_id = o.id
       where o.id = $1 and not o.owners_need_review and m.person_id = $2 and m.role = 'owner'
     ) as "isFree"`,
    [actor.id],
  );
  return row!.isFree;
}
