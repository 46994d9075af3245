/** The first brand of an organization. */
import type { Actor } from '../../people/account/caller.ts';
import type { Tenant, TenantDatabase } from '../../people/account/tenant.ts';
import { hasSlug } from '../../base/text/slug.ts';
import { addBrand } from './brands.ts';

/** Creates a brand with the organization's name, unless the organization has a brand. */
export async function ensureBrand(
  tenant: TenantDatabase,
  actor: Actor,
  { name, slug }: { name: string; slug: string },
): Promise<void> {
  const [brand] = await tenant.query('select from brands where organization_id = $1 limit 1');
  if (!brand) await addBrand(tenant, actor, hasSlug(name) ? { name } : { name, slug });
}

/** Returns whether no brand ever held a ZIP code. */
export async function hasNoTerritory(tenant: Tenant): Promise<boolean> {
  const [held] = await tenant.query('select from brand_zips where organization_id = $1 limit 1');
  return held === undefined;
}
