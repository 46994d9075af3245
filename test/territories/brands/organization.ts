/** A separate organization with brands for a test. */
import { randomBytes } from 'node:crypto';
import { createOrganization } from '../../../src/people/account/organizations.ts';
import type { Actor } from '../../../src/people/account/caller.ts';
import { tenantOf, type TenantDatabase } from '../../../src/people/account/tenant.ts';
import type { Database } from '../../../src/base/db/database.ts';
import type { DataViewer } from '../../../src/territories/brands/targeting/own-ranks.ts';
import { createBrand, type Brand } from '../../../src/territories/brands/brands.ts';
import type { Reviewer } from '../../../src/territories/brands/review.ts';

/** ZIP codes of the sample, in order. */
export const DALLAS = ['75201', '75202', '75203', '75204', '75205', '75206', '75207', '75208'];

export const agent: Actor = {
  kind: 'key',
  id: '00000000-0000-4000-8000-000000000001',
  name: 'Agent',
};

export const reviewer: Reviewer = {
  actor: { kind: 'person', id: '00000000-0000-4000-8000-000000000002', name: 'Rita' },
  role: 'reviewer',
  brandScope: 'all',
};

/** Sees the figures of all ZIP codes, like an organization on a paid subscription. */
export const unlimitedViewer = (tenant: TenantDatabase): DataViewer => ({
  tenant,
  brandScope: 'all',
  subscription: { monthlyZips: null },
});

export async function organizationWith<const Names extends readonly string[]>(
  db: Database,
  ...names: Names
): Promise<{ tenant: TenantDatabase; slug: string; brands: { [I in keyof Names]: Brand } }> {
  const slug = `test-${randomBytes(4).toString('hex')}`;
  const { id } = await createOrganization(db, { name: 'Test', slug });
  const tenant = tenantOf(db, id);
  const brands: Brand[] = [];
  for (const name of names) brands.push(await createBrand(tenant, { name }));
  return { tenant, slug, brands: brands as { [I in keyof Names]: Brand } };
}
