/** The member as whom an operator decides. */
import { InvalidArgumentError } from 'commander';
import { callerOfPerson } from '../../people/account/callers.ts';
import { memberByEmail } from '../../people/account/members.ts';
import type { Organization } from '../../people/account/organizations.ts';
import type { Tenant } from '../../people/account/tenant.ts';
import type { Database } from '../../base/db/database.ts';
import { badRequest } from '../../errors.ts';
import type { Reviewer } from '../../territories/brands/review.ts';

/** @throws ServiceError 404 for an unknown member; 400 for a former one */
export async function reviewerOf(
  db: Database,
  { id, name }: Organization,
  tenant: Tenant,
  email: string,
): Promise<Reviewer> {
  const member = await memberByEmail(tenant, email);
  const caller = await callerOfPerson(db, id, member.id);
  if (caller) return caller;
  throw badRequest(`${member.name} is no longer a member of ${name}.`);
}

/** Reads the id of a request or a change. */
export function parseId(text: string): string {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return text;
  throw new InvalidArgumentError('Expected an id from list --json.');
}
