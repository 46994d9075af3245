/** What every page of the account area tells of whoever looks at it. */
import { organizationsOf } from '../../account/sessions.ts';
import type { Database } from '../../db/database.ts';
import type { Resident } from '../../site/account/frame.ts';
import type { MemberVisit } from './visit.ts';

export async function residentOf(
  db: Database,
  { session, caller, query }: MemberVisit,
): Promise<{ resident: Resident; done: string | null }> {
  const { person } = session;
  const organizations = await organizationsOf(db, person.id);
  return {
    resident: { name: person.name, organization: caller.organization, organizations },
    done: query.get('done'),
  };
}
