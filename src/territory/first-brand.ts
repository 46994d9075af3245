/** The first brand of an organization. */
import type { Tenant } from '../account/tenant.ts';
import { hasSlug } from '../text/slug.ts';
import { createBrand } from './brands.ts';

/** Creates a brand with the organization's name, unless the organization has a brand. */
export async function ensureBrand(
  tenant: Tenant,
  { name, slug }: { name: string; slug: string },
): Promise<void> {
  const [brand] = await tenant.query('select from brands where organization_id = $1 limit 1');
  if (!brand) await createBrand(tenant, hasSlug(name) ? { name } : { name, slug });
}

/** Returns whether no brand ever held a ZIP code. */
export async function hasNoTerritory(tenant: Tenant): Promise<boolean> {
  const [held] = await tenant.query('select from brand_zips where organization_id = $1 limit 1');
  return held === undefined;
}
