/** The brands of an organization. */
import { recordActivity } from '../../people/account/activity.ts';
import type { Actor, BrandScope } from '../../people/account/caller.ts';
import { checkedName } from '../../people/account/names.ts';
import type { Tenant, TenantDatabase, TenantTransaction } from '../../people/account/tenant.ts';
import { conflict, notFound } from '../../errors.ts';
import { parseSlug, slugOfName } from '../../base/text/slug.ts';

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
 * Creates a brand of a new organization, such as the demo, without an entry in the activity log.
 * @throws ServiceError 400 for an invalid name or slug; 409 if another brand of the organization
 *   has the same name or slug
 */
export async function createBrand(
  tx: Tenant,
  fields: { name: string; /** Default: derived from the name */ slug?: string | undefined },
): Promise<Brand> {
  const name = checkedName('A brand', fields.name);
  const slug = fields.slug === undefined ? slugOfName(name) : parseSlug(fields.slug);
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

/** Creates a brand, and records who did. @throws ServiceError as `createBrand` */
export const addBrand = (
  tenant: TenantDatabase,
  actor: Actor,
  fields: Parameters<typeof createBrand>[1],
): Promise<Brand> =>
  tenant.transaction(async (tx) => {
    const brand = await createBrand(tx, fields);
    recordActivity(tx, {
      actor,
      action: 'brand_created',
      brandId: brand.id,
      summary: `Created the brand ${brand.name}.`,
      zips: [],
      before: {},
      after: { ...brand },
    });
    return brand;
  });

/**
 * Locks brands until the transaction ends, starting with its next query, so that changes to a territory run one after
 * another. A change to several brands locks all of them in the same order, which avoids deadlocks.
 */
export function lockBrands(tx: TenantTransaction, brandIds: readonly string[]): void {
  // "No key" lets transactions insert rows that refer to a brand.
  tx.defer(
    `select from brands where organization_id = $1 and id = any($2::uuid[])
     order by id for no key update`,
    [brandIds],
  );
}

/** The brand ids of a scope as an SQL parameter; null means all brands. */
export const brandIdsInScope = (scope: BrandScope): string[] | null =>
  scope === 'all' ? null : [...scope];

export const isInScope = (scope: BrandScope, brandId: string): boolean =>
  scope === 'all' || scope.has(brandId);

/** Largest number of brands that an error names */
const MAX_SUGGESTED = 20;

/**
 * Finds a brand by its id, slug, or name (case-insensitive). A brand outside the scope gives the same error as an
 * unknown one, so that a key can't learn about other brands of the organization.
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
  const known = await tenant.query<Brand>(
    `select slug, name from brands
     where organization_id = $1 and ($2::uuid[] is null or id = any($2))
     order by slug collate "C" limit ${MAX_SUGGESTED + 1}`,
    [brandIdsInScope(scope)],
  );
  const suggested = known.slice(0, MAX_SUGGESTED).map(({ slug, name }) => `${slug} (${name})`);
  const rest = known.length > MAX_SUGGESTED ? ', …' : '';
  const choice = known.length > 0 ? `Available brands: ${suggested.join(', ')}${rest}.` : '';
  throw notFound(`There is no brand "${ref}". ${choice || 'The organization has no brands.'}`);
}

/** Returns the brands within the scope, by slug. */
export function brandsInScope(tenant: Tenant, scope: BrandScope): Promise<Brand[]> {
  return tenant.query<Brand & Record<string, unknown>>(
    `select id, slug, name from brands
     where organization_id = $1 and ($2::uuid[] is null or id = any($2)) order by slug collate "C"`,
    [brandIdsInScope(scope)],
  );
}
