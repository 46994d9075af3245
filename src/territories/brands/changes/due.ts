/**
 * Makes changes live whose day has begun. One process at a time does it, and those of one moment go live in one
 * transaction, which ends their plans, so that a process that's killed at any moment loses and doubles nothing.
 */
import { group as groupBy } from 'd3-array';
import { SERVICE, type Actor } from '../../../people/account/caller.ts';
import { tenantOf, type Tenant, type TenantTransaction } from '../../../people/account/tenant.ts';
import type { Database } from '../../../base/db/database.ts';
import { lockBrands, type Brand } from '../brands.ts';
import { settleUnderLock } from '../groups/facts.ts';
import { groupRefusals, listRefusals } from '../groups/refusal-words.ts';
import type { Refusal } from '../groups/rules.ts';
import { endHoldings } from '../terms/keep-terms.ts';
import type { ChangeDay } from './day.ts';
import { goLive } from './go-live.ts';
import { HIDDEN_REASON } from './read.ts';
import { leavingOf, lostParts, openParts, type OpenParts } from './settle.ts';
import { tellBlocked } from './tell.ts';

/** Returns the organizations that have changes whose day has begun. */
export async function organizationsWithDueChanges(db: Database): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select distinct organization_id as id from changes where status = 'scheduled' and due_at <= now()`,
  );
  return rows.map(({ id }) => id);
}

/**
 * Makes the due changes of an organization live, as on their days: the earliest first, after the terms that end before.
 * @returns the numbers of changes that went live and were blocked
 */
export async function runDueChanges(
  db: Database,
  organizationId: string,
): Promise<{ live: number; blocked: number }> {
  const tenant = tenantOf(db, organizationId);
  const done = { live: 0, blocked: 0 };
  for (const moment of await dueMoments(tenant)) {
    await endHoldings(db, organizationId, moment.day);
    const { live, blocked } = await tenant.transaction((tx) => runMoment(tx, moment));
    done.live += live;
    done.blocked += blocked;
  }
  return done;
}

/** The start of a day for which changes are planned */
interface DueMoment extends ChangeDay {
  /** The same, as PostgreSQL reads it exactly */
  exact: string;
}

const dueMoments = (tenant: Tenant): Promise<DueMoment[]> =>
  tenant.acrossBrands.query<DueMoment & Record<string, unknown>>(
    `select due_at as at, due_at::text as exact, to_char(max(on_day), 'YYYY-MM-DD') as day from changes
     where organization_id = $1 and status = 'scheduled' and due_at <= now()
     group by due_at order by due_at`,
  );

interface DueChange {
  id: string;
  /** `2027-01-01` */
  on: string;
  note: string | null;
  actor: Actor | null;
  parts: OpenParts;
}

/**
 * Makes the changes of a moment live together, so that each may get what another one gives up, also in turn. Those that
 * something keeps from it wait for people from now on.
 */
async function runMoment(
  tx: TenantTransaction,
  moment: DueMoment,
): Promise<{ live: number; blocked: number }> {
  let rest = await lockDue(tx, moment);
  tx.defer(`select set_config('territory.moment', $2, true) where $1::text <> ''`, [moment.exact]);
  let live = 0;
  for (;;) {
    const { able, reasons } = await settleTogether(tx, rest, moment);
    for (const { id, on, note, actor, parts } of able) {
      const options = { changeId: id, note, plannedFor: on, isReviewed: true };
      await goLive(tx, actor ?? SERVICE, parts, options);
    }
    live += able.length;
    rest = rest.filter((one) => !able.includes(one));
    if (able.length > 0 && rest.length > 0) continue;
    for (const { id, on, parts } of rest) {
      const found = reasons.get(id)!;
      const reason = reasonOf(found);
      tx.defer(
        `update changes set status = 'blocked', reason = $3 where organization_id = $1 and id = $2`,
        [id, reason],
      );
      tellBlocked(tx, SERVICE, id, parts, { on, reasonFor: (brand) => reasonOf(found, brand) });
    }
    return { live, blocked: rest.length };
  }
}

interface Obstacles {
  refused: readonly { brand: Brand; zip: string; refusal: Refusal }[];
  lost: OpenParts['lost'];
}

/**
 * Says what keeps a change from going live. Everyone with access to a brand can read its reasons, so they name no other
 * brands.
 * @param brand whose reasons; default: of all brands of the change
 */
function reasonOf({ refused, lost }: Obstacles, brand?: Brand): string {
  const isOf = (one: { brand: Brand }) => brand === undefined || one.brand.id === brand.id;
  const found = [...groupRefusals(refused.filter(isOf), 'none'), ...lostParts(lost.filter(isOf))];
  return found.length > 0 ? listRefusals(found) : HIDDEN_REASON;
}

/** Locks the changes of a moment with their brands. Changes that somebody has moved or ended meanwhile are missing. */
async function lockDue(tx: TenantTransaction, { exact }: DueMoment): Promise<DueChange[]> {
  const brands = await tx.acrossBrands.query<{ id: string }>(
    `select distinct cz.brand_id as id from change_zips cz join changes c on c.id = cz.change_id
     where cz.organization_id = $1 and c.status = 'scheduled' and c.due_at = $2::timestamptz`,
    [exact],
  );
  lockBrands(
    tx.acrossBrands,
    brands.map(({ id }) => id),
  );
  const rows = await tx.acrossBrands.query<Omit<DueChange, 'parts'> & Record<string, unknown>>(
    `select id, to_char(on_day, 'YYYY-MM-DD') as on, note, coalesce(decided_by, made_by) as actor
     from changes where organization_id = $1 and status = 'scheduled' and due_at = $2::timestamptz
     order by made_at, id for update`,
    [exact],
  );
  const due: DueChange[] = [];
  for (const row of rows) due.push({ ...row, parts: await openParts(tx, row.id) });
  return due;
}

/**
 * Finds the changes that can go live together: without those that are refused, the others are asked again, because they
 * may need what those give up.
 * @returns them, and why the others can't, by their ids
 */
async function settleTogether(
  tx: TenantTransaction,
  changes: readonly DueChange[],
  on: ChangeDay,
): Promise<{ able: readonly DueChange[]; reasons: Map<string, Obstacles> }> {
  const reasons = new Map<string, Obstacles>();
  let able = changes;
  for (;;) {
    const claims = able.flatMap(({ id, parts }) =>
      parts.added.map((one) => ({ ...one, change: id })),
    );
    const leaving = leavingOf(able.flatMap(({ parts }) => parts.removed));
    // Only what is live counts: what others plan for later may not come.
    const { refused } = await settleUnderLock(tx, claims, { on, countsPlanned: false, leaving });
    const refusedOf = groupBy(refused, ({ change }) => change);
    for (const { id, parts } of able) {
      const found = { refused: refusedOf.get(id) ?? [], lost: parts.lost };
      if (found.refused.length + found.lost.length > 0) reasons.set(id, found);
    }
    const left = able.filter(({ id }) => !reasons.has(id));
    if (left.length === able.length) return { able, reasons };
    able = left;
  }
}
