/** Organizations for tests. */
import { randomBytes } from 'node:crypto';
import { addMember } from '../../../src/people/account/members.ts';
import {
  createOrganization,
  type Organization,
} from '../../../src/people/account/organizations.ts';
import { startSession } from '../../../src/people/account/sessions.ts';
import { tenantOf, type TenantDatabase } from '../../../src/people/account/tenant.ts';
import type { Database } from '../../../src/base/db/database.ts';

/** Creates an organization on trial. */
export async function newOrganization(
  db: Database,
): Promise<{ organization: Organization; tenant: TenantDatabase }> {
  const organization = await createOrganization(db, {
    name: `Acme ${randomBytes(5).toString('hex')}`,
  });
  return { organization, tenant: tenantOf(db, organization.id) };
}

/** Creates an organization whose owner is signed in. */
export async function newSignedInOwner(
  db: Database,
): Promise<{ tenant: TenantDatabase; session: string }> {
  const { organization, tenant } = await newOrganization(db);
  const { id } = await addMember(tenant, {
    email: `${organization.slug}@example.com`,
    name: 'Pat',
    role: 'owner',
  });
  const where = { userAgent: '', client: '' };
  const session = await startSession(db, id, where, { organizationId: organization.id });
  return { tenant, session };
}

/** Returns a person for `addMember`. */
export const person = (
  name: string,
  role: 'owner' | 'admin' | 'reviewer' | 'member' = 'member',
) => ({ email: `${name.toLowerCase()}@example.com`, name, role });
