/** The brands of an organization. */
import { z } from 'zod';
import type { BrandScope } from '../account/caller.ts';
import { checkedName } from '../account/names.ts';
import type { Tenant, TenantTransaction } from '../account/tenant.ts';
import { conflict, notFound } from '../errors.ts';
import { pageOf, rowsToRead, startAfter, type Page, type PageRequest } from '../paging.ts';
import { checkedSlug, slugOfName } from '../slug.ts';
import { IS_HELD } from './held-conditions.ts';

export interface Brand {
  id: string;
  slug: string;
  name: string;
}

export interface BrandCounts extends Brand {
  /** Live ZIP codes */
  live: number;
  /** ZIP codes pending review */
  pending: number;
}

/**
 * @throws ServiceError 400 for an invalid name or slug; 409 if another brand of the organization
 *   has the same name or slug
 */
export async function createBrand(
  tx: Tenant,
  fields: { name: string; /** Default: derived from the name */ slug?: string | undefined },
): Promise<Brand> {
  const name = checkedName('A brand', fields.name);
  const slug = fields.slug === undefined ? slugOfName(name) : checkedSlug(fields.slug);
  const [brand] = await tx.query<Brand>(
    `insert into brands (organization_id, slug, name) values ($1, $2, $3)
     on conflict do nothing returning id, slug, name`,
    [slug, name],
  );
  if (brand) return brand;
  throw conflict(
    `The organization already has a brand named "${name}" or with the slug "${slug}". Choose others.`,
  );
}

/**
 * Locks brands from the next query until the transaction ends, so that changes to a territory run one
 * after another. A change to several brands locks all of them, always in the same order to avoid
 * deadlocks.
 */
export function lockBrands(tx: TenantTransaction, brandIds: readonly string[]): void {
  // "No key": rows that only refer to a brand needn't wait.
  tx.defer(
    `select from brands where organization_id = $1 and id = any($2::uuid[])
     order by id for no key update`,
    [brandIds],
  );
}

/** Returns the brands within the scope, by slug. */
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
    [brandIdsInScope(scope), after?.[0], rowsToRead(page)],
  );
  return pageOf(rows, page, ({ slug }) => [slug]);
}

/** The brand ids of a scope as an SQL parameter; null means all brands. */
export const brandIdsInScope = (scope: BrandScope): string[] | null =>
  scope === 'all' ? null : [...scope];

export const isInScope = (scope: BrandScope, brandId: string): boolean =>
  scope === 'all' || scope.has(brandId);

/**
 * Finds a brand by its id, slug, or name (case-insensitive). A brand outside the scope is reported as
 * one that doesn't exist, so that a key can't learn about other brands of the organization.
 * @throws ServiceError 404 with a list of the brands within the scope
 */
export async function findBrand(tenant: Tenant, scope: BrandScope, ref: string): Promise<Brand> {
  const [brand] = await tenant.query<Brand>(
    `select id, slug, name from brands
     where organization_id = $1 and (id::text = $2 or slug = $2 or lower(name) = $2)
       and ($3::uuid[] is null or id = any($3))
     order by id::text = $2 desc, slug = $2 desc limit 1`,
    [ref.trim().toLowerCase(), brandIdsInScope(scope)],
  );
  if (brand) return brand;
  const known = await listBrands(tenant, scope, { limit: 20 });
  const names = known.rows.map(({ slug, name }) => `${slug} (${name})`).join(', ');
  const choice = names ? `Available brands: ${names}${known.nextCursor ? ', …' : ''}.` : '';
  throw notFound(`There is no brand "${ref}". ${choice || 'The organization has no brands.'}`);
}
