/**
 * Reserves: ZIP codes that no brand of a group may request until a date. Brands that hold them keep them. Ended reserves
 * stay listed for a year after their date.
 */
import { recordChange } from '../../../people/account/activity.ts';
import type { Actor, BrandScope } from '../../../people/account/caller.ts';
import type { Tenant, TenantTransaction } from '../../../people/account/tenant.ts';
import { expiring } from '../../../base/db/expiring-rows.ts';
import { badRequest, conflict, notFound } from '../../../errors.ts';
import {
  groupByReason,
  formatMissing,
  missingBoundaries,
} from '../../../data/market/missing-boundaries.ts';
import { pluralize } from '../../../base/text/words.ts';
import { brandIdsInScope } from '../brands.ts';
import { validateZips } from '../validate-zips.ts';
import { isOpenReserve } from './facts.ts';
import { lastOpenDay, type GroupName } from './rules.ts';

export interface Reserve {
  id: string;
  /** Sorted */
  zips: string[];
  reason: string;
  /** The last day, `2027-03-31` */
  until: string;
  /** Whether it still counts */
  open: boolean;
  createdBy: Actor;
  createdAt: Date;
  /** Set if a person ended it early */
  endedAt: Date | null;
  endedBy: Actor | null;
}

export const LONG_ENDED_RESERVES = expiring({
  table: 'zip_reserves',
  column: 'until',
  before: `current_date - 365`,
});

export const MAX_REASON_LENGTH = 200;
/** Largest number of open reserves of a group */
const MAX_OPEN = 200;

const RESERVE = `r.id, r.zips, r.reason, r.until::text as until, ${isOpenReserve('$3')} as open,
  r.created_by as "createdBy", r.created_at as "createdAt",
  r.ended_at as "endedAt", r.ended_by as "endedBy"`;

const RESERVES = `select ${RESERVE} from zip_reserves r where r.organization_id = $1 and r.group_id = $2`;

/** Returns the reserves of a group: open ones first, by their last day. */
export const listReserves = (tenant: Tenant, { id }: GroupName): Promise<Reserve[]> =>
  tenant.query<Reserve & Record<string, unknown>>(
    `${RESERVES} order by open desc, r.until, r.created_at, r.id`,
    [id, lastOpenDay(new Date())],
  );

export type EndingReserve = Pick<Reserve, 'id' | 'zips' | 'reason' | 'until'> & {
  group: GroupName;
};

/** Returns the open reserves that end within some days, of groups with a brand within the scope; the next end first. */
export const endingReserves = (
  tenant: Tenant,
  scope: BrandScope,
  days: number,
): Promise<EndingReserve[]> =>
  tenant.query<EndingReserve & Record<string, unknown>>(
    `select r.id, r.zips, r.reason, r.until::text as until,
       jsonb_build_object('id', g.id, 'name', g.name) as "group"
     from zip_reserves r join brand_groups g on g.organization_id = $1 and g.id = r.group_id
     where r.organization_id = $1 and ${isOpenReserve('$3')} and r.until <= $3::date + $4::int
       and ($2::uuid[] is null or exists (
         select from brand_group_brands m
         where m.organization_id = $1 and m.group_id = g.id and m.brand_id = any($2)))
     order by r.until, r.created_at, r.id`,
    [brandIdsInScope(scope), lastOpenDay(new Date()), days],
  );

export interface ReserveFields {
  zips: readonly string[];
  reason: string;
  /** `2027-03-31` */
  until: string;
}

/**
 * Reserves ZIP codes. Pending requests for them stay, but can't be approved while the reserve lasts.
 * @throws ServiceError 400 for ZIP codes that don't exist, a missing reason, or a date that has passed; 409 if the group
 *   has too many reserves
 */
export async function createReserve(
  tx: TenantTransaction,
  actor: Actor,
  group: GroupName,
  { zips, reason, until }: ReserveFields,
): Promise<Reserve> {
  const fields = {
    zips: await knownZips(tx, zips),
    reason: checkedReason(reason),
    until: checkedDay(until),
  };
  // Approvals that have begun finish first. Those that wait see the reserve.
  await tx.query('select from brand_groups where organization_id = $1 and id = $2 for update', [
    group.id,
  ]);
  const open = await tx.query(
    `select from zip_reserves r where r.organization_id = $1 and r.group_id = $2 and ${isOpenReserve('$3')}`,
    [group.id, lastOpenDay(new Date())],
  );
  if (open.length >= MAX_OPEN) {
    throw conflict(`A group can have at most ${MAX_OPEN} reserves. End one first.`);
  }
  const [row] = await tx.query<{ id: string }>(
    `insert into zip_reserves (organization_id, group_id, zips, reason, until, created_by)
     values ($1, $2, $3, $4, $5, $6) returning id`,
    [group.id, fields.zips, fields.reason, fields.until, actor],
  );
  const { zips: reserved, until: day } = fields;
  const what = `${pluralize(reserved.length, 'ZIP code')} in the group ${group.name} until ${day}`;
  recordChange(tx, actor, 'zips_reserved', `Reserved ${what}: ${fields.reason}.`, {
    zips: reserved,
    after: { reserve: row!.id, reason: fields.reason, until: day },
  });
  return findReserve(tx, group, row!.id);
}

/** Ends a reserve now. @throws ServiceError 404 for an unknown one; 409 if it has ended */
export async function endReserve(
  tx: TenantTransaction,
  actor: Actor,
  group: GroupName,
  id: string,
): Promise<Reserve> {
  const reserve = await findReserve(tx, group, id);
  const [ended] = await tx.query(
    `update zip_reserves r set ended_at = statement_timestamp(), ended_by = $4
     where r.organization_id = $1 and r.id = $2 and ${isOpenReserve('$3')} returning r.id`,
    [reserve.id, lastOpenDay(new Date()), actor],
  );
  if (!ended) throw conflict('This reserve has already ended.');
  const what = `${pluralize(reserve.zips.length, 'ZIP code')} in the group ${group.name}`;
  recordChange(tx, actor, 'reserve_ended', `Ended the reserve of ${what}.`, {
    zips: reserve.zips,
    before: { reserve: reserve.id, reason: reserve.reason, until: reserve.until },
  });
  return findReserve(tx, group, reserve.id);
}

/** @throws ServiceError 404 */
async function findReserve(tenant: Tenant, group: GroupName, id: string): Promise<Reserve> {
  const [reserve] = await tenant.query<Reserve & Record<string, unknown>>(
    `${RESERVES} and r.id::text = $4`,
    [group.id, lastOpenDay(new Date()), id],
  );
  if (reserve) return reserve;
  throw notFound(`The group "${group.name}" has no reserve ${id}. List its reserves.`);
}

async function knownZips(tenant: Tenant, zips: readonly string[]): Promise<string[]> {
  const given = validateZips(zips);
  const rows = await tenant.common.query<{ zip: string }>(
    'select zip from zips where zip = any($1)',
    [given],
  );
  const known = new Set(rows.map(({ zip }) => zip));
  const unknown = given.filter((zip) => !known.has(zip));
  if (unknown.length === 0) return given;
  const missing = await missingBoundaries(tenant.common, unknown);
  throw badRequest(
    `These ZIP codes can’t be part of a territory: ${formatMissing(groupByReason(missing))}. Leave them out.`,
  );
}

/** @throws ServiceError 400 */
export function checkedReason(text: string): string {
  const reason = text.trim();
  if (reason !== '' && reason.length <= MAX_REASON_LENGTH && !/\p{Cc}/u.test(reason)) return reason;
  throw badRequest(
    `Give a reason of 1 to ${MAX_REASON_LENGTH} characters on one line. People whose requests are refused see it.`,
  );
}

/** @param text `2027-03-31`. @throws ServiceError 400 unless it's a day that hasn't passed */
export function checkedDay(text: string): string {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // Date.parse turns some days that don't exist, such as February 30, into later ones.
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text) {
    throw badRequest('Enter the last day as a date, such as 2027-03-31.');
  }
  if (text >= lastOpenDay(new Date())) return text;
  throw badRequest(`${text} has passed. Choose a later day.`);
}
