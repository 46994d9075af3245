/** Loads the content of the frame of account pages, which is about the person viewing them. */
import { isReviewer } from '../../account/access.ts';
import { organizationsOf } from '../../account/sessions.ts';
import { countPendingReviews } from '../../territory/review.ts';
import type { MemberVisit } from '../framework/visit.ts';
import type { AccountFrame } from './frame.ts';

export async function loadFrame(visit: MemberVisit): Promise<AccountFrame> {
  const { db, session, caller, query } = visit;
  const { person } = session;
  const { tenant, brandScope, organization } = caller;
  const [organizations, pendingReviews] = await Promise.all([
    organizationsOf(db, session),
    isReviewer(caller) ? countPendingReviews(tenant, brandScope) : null,
  ]);
  return {
    viewer: { name: person.name, organization, organizations, pendingReviews },
    done: query.get('done'),
  };
}
