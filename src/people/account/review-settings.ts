/**
 * Settings of an organization: the trade whose scores it sees first, whether owners need reviews, where the days begin on
 * which changes take effect, and news of the census.
 */
import { joinWithAnd } from '../../base/text/words.ts';
import { TIME_ZONES } from '../../base/text/days.ts';
import { verticalBySlug } from '../../data/scoring/verticals.ts';
import { badRequest } from '../../errors.ts';
import { recordChange } from './activity.ts';
import type { Actor } from './caller.ts';
import type { Tenant, TenantDatabase } from './tenant.ts';

export interface ReviewSettings {
  /** Slug of the vertical whose scores are shown first; null if none was chosen */
  trade: string | null;
  /** Whether what owners request waits for a review. Otherwise, it goes live at once */
  ownersNeedReview: boolean;
  /** IANA name of the time zone in which the organization's days begin and end */
  timeZone: string;
  /**
   * The percentage by which a new vintage of census figures must change a brand's households, clearly, so that its
   * people are told; null: never
   */
  censusChangePercent: number | null;
}

const SETTINGS = `select trade, owners_need_review as "ownersNeedReview", time_zone as "timeZone",
    census_change_percent as "censusChangePercent"
  from organizations where id = $1`;

export async function reviewSettings(tenant: Tenant): Promise<ReviewSettings> {
  const [row] = await tenant.query<ReviewSettings & Record<string, unknown>>(SETTINGS);
  return row!;
}

/**
 * Changes the given settings and keeps the others.
 * @throws ServiceError 404 for an unknown trade; 400 for a time zone that isn't listed
 */
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
    const isZoneNew = after.timeZone !== before.timeZone;
    const isCensusNew = after.censusChangePercent !== before.censusChangePercent;
    if (!isTradeNew && !isRuleNew && !isZoneNew && !isCensusNew) return;
    const zone = TIME_ZONES[after.timeZone];
    if (isZoneNew && zone === undefined) {
      throw badRequest('Choose one of the time zones in the list.');
    }
    const changes = [
      ...(isTradeNew && after.trade
        ? [`show scores for ${verticalBySlug(after.trade).label}`]
        : []),
      ...(isRuleNew
        ? [after.ownersNeedReview ? 'review owners’ requests' : 'not review owners’ requests']
        : []),
      ...(isZoneNew ? [`begin days in ${zone}`] : []),
      ...(isCensusNew
        ? [
            after.censusChangePercent === null
              ? 'tell nobody about changes in the census'
              : `tell about changes in the census from ${after.censusChangePercent}%`,
          ]
        : []),
    ];
    tx.defer(
      `update organizations set trade = $2, owners_need_review = $3, time_zone = $4,
         census_change_percent = $5
       where id = $1`,
      [after.trade, after.ownersNeedReview, after.timeZone, after.censusChangePercent],
    );
    recordChange(tx, by, 'review_settings_changed', `Set reviews to ${joinWithAnd(changes)}.`, {
      before: { ...before },
      after,
    });
  });

/** Sets an organization's time zone to that of a browser, before anyone chooses one. A zone that isn't listed is ignored. */
export async function beginDaysIn(tenant: Tenant, timeZone: string): Promise<void> {
  if (!Object.hasOwn(TIME_ZONES, timeZone)) return;
  await tenant.query('update organizations set time_zone = $2 where id = $1', [timeZone]);
}

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
