/** Whether a person may sign in only at their company. Separate, so that passwords and passkeys load no provider. */
import type { Queryable } from '../../base/db/database.ts';

/**
 * Returns whether the person has organizations, and all of them require company sign-in. Passwords and passkeys are then
 * refused as if they were wrong.
 */
export async function signsInOnlyByCompany(db: Queryable, personId: string): Promise<boolean> {
  const [row] = await db.query<{ only: boolean }>('select signs_in_only_by_company($1) as only', [
    personId,
  ]);
  return row!.only;
}

/** Finds such a person by email address. */
export async function personOnlyByCompany(
  db: Queryable,
  email: string,
): Promise<{ name: string; email: string } | null> {
  const [person] = await db.query<{ name: string; email: string }>(
    `select name, email from people where lower(email) = lower($1) and signs_in_only_by_company(id)`,
    [email.trim()],
  );
  return person ?? null;
}

export interface RequiringCompany {
  organizationId: string;
  name: string;
}

/** Lists the organizations of a person that open only after company sign-in. */
export function companiesRequiring(db: Queryable, personId: string): Promise<RequiringCompany[]> {
  return db.query(
    `select organizations.id as "organizationId", name
     from memberships m join organizations on organizations.id = m.organization_id
     where m.person_id = $1 and needs_company_sign_in(m.organization_id, m.person_id)
     order by lower(name), organizations.id`,
    [personId],
  );
}
