/** Withdraws changes that aren't live yet. */
import { isReviewer } from '../../../people/account/access.ts';
import type { Caller } from '../../../people/account/caller.ts';
import type { TenantTransaction } from '../../../people/account/tenant.ts';
import { conflict, ServiceError } from '../../../errors.ts';
import { closeReviews, restoreStates } from '../review.ts';
import { group as groupBy } from 'd3-array';
import { closeParts } from './go-live.ts';
import { findChange, isOpen, requireWhole, type Change } from './read.ts';
import { lockChange, openParts } from './settle.ts';
import { tellWithdrawn } from './tell.ts';

type Author = Pick<Caller, 'actor' | 'role' | 'brandScope'>;

/**
 * Withdraws a change: its requests end, and its removals don't happen. Its author may, and reviewers.
 * @throws ServiceError 404; 403 `brand_out_of_scope`, or `role_required` if it's someone else's and the caller can't
 *   review; 409 if it's live or has ended
 */
export async function withdrawChange(
  tx: TenantTransaction,
  caller: Author,
  id: string,
): Promise<Change> {
  const change = await lockOpen(tx, caller, id);
  const parts = await openParts(tx, id);
  closeReviews(tx, caller.actor, parts.added, { status: 'withdrawn', reason: null });
  for (const ofBrand of groupBy(parts.added, ({ brand }) => brand.id).values()) {
    restoreStates(tx, ofBrand);
  }
  tx.acrossBrands.defer(
    `update changes set status = 'withdrawn', ended_by = $3, ended_at = statement_timestamp()
     where organization_id = $1 and id = $2`,
    [id, caller.actor],
  );
  closeParts(tx, id);
  tellWithdrawn(tx, caller.actor, id, parts, change.on);
  return findChange(tx, caller.brandScope, id);
}

/** Locks a change that its author or a reviewer may still alter. @throws as `withdrawChange` */
export async function lockOpen(tx: TenantTransaction, caller: Author, id: string): Promise<Change> {
  const found = await findChange(tx, caller.brandScope, id);
  requireWhole(found);
  requireAuthor(caller, found);
  await lockChange(tx, id);
  const change = await findChange(tx, caller.brandScope, id);
  if (isOpen(change)) return change;
  throw conflict(
    change.status === 'live'
      ? 'The change is live, so it can’t be altered. Undo it instead.'
      : `The change was ${change.status}, so it can’t be altered. Make a new one.`,
  );
}

function requireAuthor(caller: Author, { madeBy }: Change): void {
  const { actor } = caller;
  if (actor.kind === 'operator' || actor.id === madeBy.id) return;
  if (actor.kind === 'person' && isReviewer(caller)) return;
  throw new ServiceError(
    403,
    'role_required',
    `The change was made by ${madeBy.name}, and only its author or a reviewer can alter it. Ask one of them.`,
  );
}
