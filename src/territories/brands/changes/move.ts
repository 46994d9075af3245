/** Moves changes to another day. */
import { isReviewer } from '../../../people/account/access.ts';
import type { Caller } from '../../../people/account/caller.ts';
import type { TenantTransaction } from '../../../people/account/tenant.ts';
import { conflict, ServiceError } from '../../../errors.ts';
import { listRefusals } from '../groups/refusal-words.ts';
import type { ChangeDay } from './day.ts';
import { goLive } from './go-live.ts';
import { findChange, type Change } from './read.ts';
import { obstaclesUnderLock, openParts } from './settle.ts';
import { tellMoved, tellScheduled } from './tell.ts';
import { lockOpen } from './withdraw.ts';

/**
 * Moves a change to another day, or to now. A reviewer moves what is approved, which stays approved.
 * @param on null: when it's approved, which is now for an approved change
 * @throws ServiceError 404; 403 as `withdrawChange`, and for an approved change if the caller can't review; 409 if it's
 *   live or has ended, or if something keeps it from going live then
 */
export async function moveChange(
  tx: TenantTransaction,
  caller: Pick<Caller, 'actor' | 'role' | 'brandScope'>,
  id: string,
  on: ChangeDay | null,
): Promise<Change> {
  const { actor } = caller;
  const change = await lockOpen(tx, caller, id);
  const isApproved = change.status !== 'waiting';
  if (isApproved && actor.kind !== 'operator' && !(actor.kind === 'person' && isReviewer(caller))) {
    throw new ServiceError(
      403,
      'role_required',
      'The change is approved for its day, so moving it needs a reviewer. Ask one, or withdraw it and make a new change.',
    );
  }
  if (change.on === (on?.day ?? null) && change.status !== 'blocked') {
    throw conflict('The change is planned for that day already. Choose another one.');
  }
  const parts = await openParts(tx, id);
  tx.acrossBrands.defer(
    `update changes set on_day = $3, due_at = $4, reason = null,
       status = case when status = 'waiting' or $3::date is null then 'waiting' else 'scheduled' end
     where organization_id = $1 and id = $2`,
    [id, on?.day, on?.at],
  );
  if (!isApproved) {
    tellMoved(tx, actor, id, parts, { on: on?.day ?? null, before: change.on });
    return findChange(tx, caller.brandScope, id);
  }
  const reasons = await obstaclesUnderLock(tx, parts, { on, change: id, countsPlanned: true });
  if (reasons.length > 0) {
    throw conflict(
      `The change was not moved: ${listRefusals(reasons)}. Choose another day, or resolve the reason first.`,
    );
  }
  if (on) {
    tellScheduled(tx, actor, id, parts, { on: on.day, before: change.on });
  } else {
    await goLive(tx, actor, parts, { changeId: id, note: change.note, isReviewed: true });
  }
  return findChange(tx, caller.brandScope, id);
}
