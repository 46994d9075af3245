/** Organizations for tests. */
import { randomBytes } from 'node:crypto';
import { createOrganization, type Organization } from '../../src/account/organizations.ts';
import { tenantOf, type TenantDatabase } from '../../src/account/tenant.ts';
import type { Database } from '../../src/db/database.ts';

/** Creates an organization on trial. */
export async function newOrganization(
  db: Database,
): Promise<{ organization: Organization; tenant: TenantDatabase }> {
  const organization = await createOrganization(db, {
    name: `Acme ${randomBytes(5).toString('hex')}`,
  });
  return { organization, tenant: tenantOf(db, organization.id) };
}

/** Returns a person for `addMember`. */
export const person = (
  name: string,
  role: 'owner' | 'admin' | 'reviewer' | 'member' = 'member',
) => ({
  email: `${name.toLowerCase()}@example.com`,
  name,
  role,
});
