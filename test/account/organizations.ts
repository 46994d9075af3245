/** Organisations for tests. */
import { randomBytes } from 'node:crypto';
import { createOrganization, type Organization } from '../../src/account/organizations.ts';
import { tenantOf, type TenantDatabase } from '../../src/account/tenant.ts';
import type { Database } from '../../src/db/database.ts';

/** One of its own, on trial. */
export async function newOrganization(
  db: Database,
): Promise<{ organization: Organization; tenant: TenantDatabase }> {
  const organization = await createOrganization(db, {
    name: `Acme ${randomBytes(5).toString('hex')}`,
  });
  return { organization, tenant: tenantOf(db, organization.id) };
}

/** Whose number of people, names and roles do not matter. */
export const person = (
  name: string,
  role: 'owner' | 'admin' | 'reviewer' | 'member' = 'member',
) => ({
  email: `${name.toLowerCase()}@example.com`,
  name,
  role,
});
