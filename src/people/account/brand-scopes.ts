/** Which brands a member, an invitation, or a first sign-in through the company gives access to. */
import { badRequest } from '../../errors.ts';
import { joinWithAnd } from '../../base/text/words.ts';
import type { Tenant } from './tenant.ts';

/**
 * Reads the brands of a scope, by name.
 * @param brandIds null: all brands, also future ones
 * @throws ServiceError 400 for no brand, or one that the organization doesn't have
 */
export async function requireBrands(
  tenant: Tenant,
  brandIds: readonly string[] | null,
): Promise<{ id: string; name: string }[] | null> {
  if (brandIds === null) return null;
  const brands = await tenant.query<{ id: string; name: string }>(
    `select id, name from brands where organization_id = $1 and id::text = any($2::text[])
     order by lower(name)`,
    [brandIds],
  );
  if (brands.length > 0 && brands.length === new Set(brandIds).size) return brands;
  throw badRequest(
    brandIds.length === 0
      ? 'Choose at least one brand, or all brands.'
      : 'A chosen brand doesn’t exist anymore. Reload the page, and choose again.',
  );
}

/** Returns a scope as words: `all brands`, or `the brand North`. */
export const scopeText = (brands: readonly { name: string }[] | null): string =>
  brands === null
    ? 'all brands'
    : `the ${brands.length === 1 ? 'brand' : 'brands'} ${joinWithAnd(brands.map(({ name }) => name))}`;
