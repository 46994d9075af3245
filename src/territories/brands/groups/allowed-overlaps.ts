/** Overlaps that a group allows, which therefore carry no flag. In statements where `$1` is the organization. */
import type { Tenant } from '../../../people/account/tenant.ts';
import type { Brand } from '../brands.ts';

/** SQL condition: a group of the organization allows overlaps. */
export const ALLOWS_SOME_OVERLAPS = `exists (
  select from brand_groups where organization_id = $1 and rule = 'allow')`;

/**
 * SQL condition: the two brands have a common group, and all of their common groups allow overlaps. Most organizations
 * have no such group, which is found once for a statement.
 */
export const mayOverlap = (
  brandId: string,
  otherId: string,
) => `(${ALLOWS_SOME_OVERLAPS} and coalesce((
  select bool_and(common.rule = 'allow')
  from brand_group_brands mine
  join brand_group_brands theirs on theirs.group_id = mine.group_id and theirs.brand_id = ${otherId}
  join brand_groups common on common.id = mine.group_id
  where mine.organization_id = $1 and mine.brand_id = ${brandId}), false))`;

/** Returns the ids of the brands that may hold the same ZIP codes as a brand without a flag. */
export async function brandsThatMayOverlap(
  tenant: Tenant,
  { id }: Pick<Brand, 'id'>,
): Promise<ReadonlySet<string>> {
  const rows = await tenant.acrossBrands.query<{ id: string }>(
    `select id from brands other where organization_id = $1 and ${mayOverlap('$2', 'other.id')}`,
    [id],
  );
  return new Set(rows.map((one) => one.id));
}
