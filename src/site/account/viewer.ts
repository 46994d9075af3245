/** What every page of the account area tells of whoever looks at it. */
import { REVIEWERS } from '../../account/access.ts';
import { organizationsOf } from '../../account/sessions.ts';
import type { Database } from '../../db/database.ts';
import type { Resident } from './frame.ts';
import { countPendingReviews } from '../../territory/review.ts';
import type { MemberVisit } from '../framework/visit.ts';

export async function residentOf(
  db: Database,
  { session, caller, query }: MemberVisit,
): Promise<{ resident: Resident; done: string | null }> {
  const { person } = session;
  const { tenant, role, brandScope, organization } = caller;
  const decides = role !== null && REVIEWERS.includes(role);
  const [organizations, waiting] = await Promise.all([
    organizationsOf(db, person.id),
    decides ? countPendingReviews(tenant, brandScope) : null,
  ]);
  return {
    resident: { name: person.name, organization, organizations, waiting },
    done: query.get('done'),
  };
}
