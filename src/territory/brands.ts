/** Brands of an organisation: each holds ZIPs of its own. */
import { z } from 'zod';
import type { BrandScope } from '../account/caller.ts';
import { checkedName } from '../account/names.ts';
import type { Tenant } from '../account/tenant.ts';
import { conflict, notFound, ServiceError } from '../errors.ts';
import { pageOf, rowsToRead, startAfter, type Page, type PageRequest } from '../paging.ts';
import { checkedSlug, slugOfName } from '../slug.ts';
import { IS_HELD } from './held-conditions.ts';

export interface Brand {
  id: string;
  slug: string;
  name: string;
}

export interface BrandCounts extends Brand {
  /** ZIPs that are live */
  live: number;
  /** ZIPs that wait for review */
  pending: number;
}

/**
 * @throws ServiceError 400 for a name or slug that cannot be, 409 if another
 *   brand of the organisation has the name or the slug
 */
export async function createBrand(
  tx: Tenant,
  given: { name: string; /** Default: made of the name */ slug?: string | undefined },
): Promise<Brand> {
  const name = checkedName('A brand', given.name);
  const slug = given.slug === undefined ? slugOfName(name) : checkedSlug(given.slug);
  const [brand] = await tx.query<Brand>(
    `insert into brands (organization_id, slug, name) values ($1, $2, $3)
     on conflict do nothing returning id, slug, name`,
    [slug, name],
  );
  if (brand) return brand;
  throw conflict(`The organisation has a brand "${name}" or "${slug}" already.`);
}

/**
 * Changes of one brand's territory wait for each other: whoever holds this lock, until the
 * transaction ends, sees the territory as it is and nobody else changes it. Where a change is about
 * several brands, all of them are locked, in the same order everywhere.
 */
export async function lockBrands(tx: Tenant, brandIds: readonly string[]): Promise<void> {
  // "No key": what merely refers to a brand need not wait.
  await tx.query(
    `select from brands where organization_id = $1 and id = any($2::uuid[])
     order by id for no key update`,
    [brandIds],
  );
}

/** The brands within a scope, by slug. */
export async function listBrands(
  tenant: Tenant,
  scope: BrandScope,
  page: PageRequest = {},
): Promise<Page<BrandCounts>> {
  const after = startAfter(page, z.tuple([z.string()]));
  const rows = await tenant.query<BrandCounts>(
    `select id, slug, name, live, pending
     from brands b
     cross join lateral (
       select count(*) filter (where bz.state = 'live') as live,
              count(*) filter (where bz.state = 'pending') as pending
       from brand_zips bz
       where bz.organization_id = $1 and bz.brand_id = b.id and ${IS_HELD}) counts
     where b.organization_id = $1 and ($2::uuid[] is null or id = any($2))
       and ($3::text is null or slug collate "C" > $3)
     order by slug collate "C" limit $4`,
    [idsOf(scope), after?.[0] ?? null, rowsToRead(page)],
  );
  return pageOf(rows, page, ({ slug }) => [slug]);
}

/** Ids as a parameter of SQL: null stands for all. */
export const idsOf = (scope: BrandScope): string[] | null => (scope === 'all' ? null : [...scope]);

export const isInScope = (scope: BrandScope, brandId: string): boolean =>
  scope === 'all' || scope.has(brandId);

/**
 * The brand that somebody means by its id, its slug or its name in any case.
 * @throws ServiceError 404 that lists the brands within the scope, 403 brand_out_of_scope for a
 *   brand of the organisation outside it
 */
export async function brandNamed(tenant: Tenant, scope: BrandScope, ref: string): Promise<Brand> {
  const [brand] = await tenant.query<Brand>(
    `select id, slug, name from brands
     where organization_id = $1 and (id::text = $2 or slug = $2 or lower(name) = $2)
     order by id::text = $2 desc, slug = $2 desc limit 1`,
    [ref.trim().toLowerCase()],
  );
  if (brand && isInScope(scope, brand.id)) return brand;
  const known = await listBrands(tenant, scope, { limit: 20 });
  const names = known.rows.map(({ slug, name }) => `${slug} (${name})`).join(', ');
  const choice = names ? `Brands within reach: ${names}${known.nextCursor ? ', …' : ''}.` : '';
  if (brand) {
    throw new ServiceError(
      403,
      'brand_out_of_scope',
      `${brand.name} is outside the brand scope of this key or person. ${choice}`.trim(),
    );
  }
  throw notFound(`There is no brand "${ref}". ${choice || 'The organisation has no brands.'}`);
}
