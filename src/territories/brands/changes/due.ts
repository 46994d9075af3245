/**
 * Makes changes live whose day has begun. One process at a time does it, and each change goes live in one transaction
 * that ends its plan, so that a process that's killed at any moment loses and doubles nothing.
 */
import { SERVICE, type Actor } from '../../../people/account/caller.ts';
import {
  tenantOf,
  type TenantDatabase,
  type TenantTransaction,
} from '../../../people/account/tenant.ts';
import type { Database } from '../../../base/db/database.ts';
import { listRefusals } from '../groups/refusal-words.ts';
import { goLive } from './go-live.ts';
import { lockChange, obstaclesUnderLock, openParts } from './settle.ts';
import { tellBlocked } from './tell.ts';

/** Returns the organizations that have changes whose day has begun. */
export async function organizationsWithDueChanges(db: Database): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select distinct organization_id as id from changes where status = 'scheduled' and due_at <= now()`,
  );
  return rows.map(({ id }) => id);
}

/**
 * Makes the due changes of an organization live, the earliest first. A change may need what another one of the same day
 * gives up, so a change that can't go live is tried again after the others, and blocked only if none of them helped.
 * @returns the numbers of changes that went live and were blocked
 */
export async function runDueChanges(
  db: Database,
  organizationId: string,
): Promise<{ live: number; blocked: number }> {
  const tenant = tenantOf(db, organizationId);
  const done = { live: 0, blocked: 0 };
  let waiting = await dueChanges(tenant);
  while (waiting.length > 0) {
    const left: typeof waiting = [];
    for (const id of waiting) {
      const outcome = await tenant.transaction((tx) => attempt(tx, id, { blocks: false }));
      if (outcome === 'live') done.live++;
      if (outcome === 'refused') left.push(id);
    }
    if (left.length === waiting.length) break;
    waiting = left;
  }
  for (const id of waiting) {
    const outcome = await tenant.transaction((tx) => attempt(tx, id, { blocks: true }));
    if (outcome === 'live') done.live++;
    if (outcome === 'refused') done.blocked++;
  }
  return done;
}

async function dueChanges(tenant: TenantDatabase): Promise<string[]> {
  const rows = await tenant.query<{ id: string }>(
    `select id from changes where organization_id = $1 and status = 'scheduled' and due_at <= now()
     order by due_at, made_at, id`,
  );
  return rows.map(({ id }) => id);
}

/**
 * Makes a change live if nothing keeps it from that.
 * @param blocks whether a change that can't go live waits for people from now on
 * @returns `gone` if it isn't due any more, such as after somebody has moved it
 */
async function attempt(
  tx: TenantTransaction,
  id: string,
  { blocks }: { blocks: boolean },
): Promise<'live' | 'refused' | 'gone'> {
  const { status, on, dueAt, isDue } = await lockChange(tx, id);
  if (status !== 'scheduled' || !isDue || on === null) return 'gone';
  const parts = await openParts(tx, id);
  // Only what is live now counts: what others plan for the same moment may not come.
  const time = { on: { day: on, at: dueAt! }, change: id, countsPlanned: false };
  // Everyone with access to a brand of the change can read the reasons, so they name no other brands.
  const reasons = await obstaclesUnderLock(tx, parts, time, 'none');
  const [about] = await tx.query<{ note: string | null; actor: Actor | null }>(
    `select note, coalesce(decided_by, made_by) as actor from changes
     where organization_id = $1 and id = $2`,
    [id],
  );
  const actor = about!.actor ?? SERVICE;
  if (reasons.length === 0) {
    tx.defer(`select set_config('territory.moment', $2, true) where $1::text <> ''`, [
      dueAt!.toISOString(),
    ]);
    await goLive(tx, actor, parts, {
      changeId: id,
      note: about!.note,
      plannedFor: on,
      isReviewed: true,
    });
    return 'live';
  }
  if (blocks) {
    const reason = listRefusals(reasons);
    tx.defer(
      `update changes set status = 'blocked', reason = $3 where organization_id = $1 and id = $2`,
      [id, reason],
    );
    tellBlocked(tx, SERVICE, id, parts, { on, reason });
  }
  return 'refused';
}
