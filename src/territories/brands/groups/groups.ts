/** Groups of brands and their rules. A brand may be in several groups. */
import { recordChange } from '../../../people/account/activity.ts';
import type { Actor, BrandScope } from '../../../people/account/caller.ts';
import { checkedName } from '../../../people/account/names.ts';
import type { Tenant, TenantTransaction } from '../../../people/account/tenant.ts';
import { badRequest, conflict, notFound } from '../../../errors.ts';
import { joinFirst } from '../../../base/text/words.ts';
import { BRAND_JSON } from '../named-brands.ts';
import { brandIdsInScope, brandsInScope, findBrand, lockBrands, type Brand } from '../brands.ts';
import type { GroupName, Rule } from './rules.ts';

export interface BrandGroup extends GroupName {
  rule: Rule;
  /** Whether people with only some brands see the names of the others where these hold a ZIP code */
  showsNames: boolean;
  /** Brands within the scope, by slug; at least one */
  brands: Brand[];
  /** Number of brands outside the scope. Their names stay hidden. */
  others: number;
  createdBy: Actor;
  createdAt: Date;
  changedBy: Actor;
  changedAt: Date;
}

/** Largest number of groups. Each request of a brand reads the rules of all its groups. */
const MAX_GROUPS = 200;

const IN_SCOPE = '($2::uuid[] is null or b.id = any($2))';

/** Groups with a brand within the scope `$2`; all groups, if the scope is all brands */
const GROUPS = `select g.id, g.name, g.rule, g.shows_names as "showsNames", members.brands, members.others,
    g.created_by as "createdBy", g.created_at as "createdAt",
    g.changed_by as "changedBy", g.changed_at as "changedAt"
  from brand_groups g
  cross join lateral (
    select coalesce(jsonb_agg(${BRAND_JSON} order by b.slug) filter (where ${IN_SCOPE}), '[]') as brands,
      count(*) filter (where not ${IN_SCOPE}) as others
    from brand_group_brands m join brands b on b.id = m.brand_id
    where m.organization_id = $1 and m.group_id = g.id) members
  where g.organization_id = $1 and ($2::uuid[] is null or members.brands <> '[]')`;

/** Returns the groups with a brand within the scope, by name. */
export const listGroups = (tenant: Tenant, scope: BrandScope): Promise<BrandGroup[]> =>
  tenant.acrossBrands.query<BrandGroup & Record<string, unknown>>(
    `${GROUPS} order by lower(g.name)`,
    [brandIdsInScope(scope)],
  );

/**
 * Finds a group by its id or name (case-insensitive).
 * @throws ServiceError 404 with the names of the others
 */
export async function findGroup(
  tenant: Tenant,
  scope: BrandScope,
  ref: string,
): Promise<BrandGroup> {
  const [group] = await tenant.acrossBrands.query<BrandGroup & Record<string, unknown>>(
    `${GROUPS} and (g.id::text = $3 or lower(g.name) = $3) order by g.id::text = $3 desc limit 1`,
    [brandIdsInScope(scope), ref.trim().toLowerCase()],
  );
  if (group) return group;
  const known = await listGroups(tenant, scope);
  throw notFound(
    `There is no group "${ref}". ${
      known.length === 0
        ? 'The organization has no groups.'
        : `Available groups: ${joinFirst(known.map(({ name }) => name))}.`
    }`,
  );
}

/** Locks a group until the transaction ends. Approvals of its brands wait, because they lock it too. */
async function lockGroup(tx: TenantTransaction, ref: string): Promise<BrandGroup> {
  const { id } = await findGroup(tx, 'all', ref);
  tx.defer(`select from brand_groups where organization_id = $1 and id = $2 for update`, [id]);
  return findGroup(tx, 'all', id);
}

interface GroupFields {
  name: string;
  rule: Rule;
  /** As in `BrandGroup` */
  showsNames: boolean;
  /** Ids, slugs, or names */
  brands: readonly string[];
}

/**
 * Creates a group. Changes no territory.
 * @throws ServiceError 400 for an invalid name or no brands; 404 for an unknown brand; 409 if the name is taken or there
 *   are too many groups
 */
export async function createGroup(
  tx: TenantTransaction,
  actor: Actor,
  fields: Omit<GroupFields, 'showsNames'> & Partial<GroupFields>,
): Promise<BrandGroup> {
  const name = checkedName('A group', fields.name);
  const brands = await findBrands(tx, fields.brands);
  lockBrandsOf(tx, brands);
  const [count] = await tx.query<{ groups: number }>(
    'select count(*) as groups from brand_groups where organization_id = $1',
  );
  if (count!.groups >= MAX_GROUPS) {
    throw conflict(`An organization can have at most ${MAX_GROUPS} groups. Delete one first.`);
  }
  const [group] = await tx.query<{ id: string }>(
    `insert into brand_groups (organization_id, name, rule, shows_names, created_by, changed_by)
     values ($1, $2, $3, $5, $4, $4) on conflict do nothing returning id`,
    [name, fields.rule, actor, fields.showsNames ?? false],
  );
  if (!group) throw nameTaken(name);
  setBrands(tx, group.id, brands);
  const { rule, showsNames = false } = fields;
  const after = { name, rule, showsNames, brands: brands.map((brand) => brand.name) };
  recordChange(tx, actor, 'group_created', `Created the group ${name}.`, { after });
  return findGroup(tx, 'all', group.id);
}

/**
 * Changes the name, the rule, or the brands of a group; fields that are missing stay. Changes no territory, so overlaps
 * that exist remain until people resolve them.
 * @throws ServiceError as `createGroup` and `findGroup`
 */
export async function updateGroup(
  tx: TenantTransaction,
  actor: Actor,
  ref: string,
  { name, rule, showsNames, brands }: Partial<GroupFields>,
): Promise<BrandGroup> {
  // Brands before groups, as for approvals. Approvals of brands that join wait until the group has them.
  const members = brands === undefined ? undefined : await findBrands(tx, brands);
  if (members) lockBrandsOf(tx, members);
  const group = await lockGroup(tx, ref);
  const checked = name === undefined ? group.name : checkedName('A group', name);
  await tx
    .query(
      `update brand_groups set name = $3, rule = $4, shows_names = $6, changed_by = $5, changed_at = statement_timestamp()
       where organization_id = $1 and id = $2`,
      [group.id, checked, rule ?? group.rule, actor, showsNames ?? group.showsNames],
    )
    .catch((error: unknown) => {
      throw isNameTaken(error) ? nameTaken(checked) : error;
    });
  if (members) setBrands(tx, group.id, members);
  const changed = await findGroup(tx, 'all', group.id);
  recordChange(tx, actor, 'group_changed', `Changed the group ${changed.name}.`, {
    before: factsOf(group),
    after: factsOf(changed),
  });
  return changed;
}

const factsOf = ({ name, rule, showsNames, brands }: BrandGroup) => ({
  name,
  rule,
  showsNames,
  brands: brands.map((brand) => brand.name),
});

/** Deletes a group with its reserves. Changes no territory. @throws ServiceError 404 as `findGroup` */
export async function deleteGroup(
  tx: TenantTransaction,
  actor: Actor,
  ref: string,
): Promise<BrandGroup> {
  const group = await lockGroup(tx, ref);
  tx.defer('delete from brand_groups where organization_id = $1 and id = $2', [group.id]);
  recordChange(tx, actor, 'group_deleted', `Deleted the group ${group.name}.`, {
    before: factsOf(group),
  });
  return group;
}

const isNameTaken = (error: unknown) =>
  (error as { constraint?: string }).constraint === 'brand_groups_name';

const nameTaken = (name: string) =>
  conflict(`The organization already has a group named "${name}". Choose another name.`);

const lockBrandsOf = (tx: TenantTransaction, brands: readonly Brand[]) =>
  lockBrands(
    tx,
    brands.map(({ id }) => id),
  );

function setBrands(tx: TenantTransaction, groupId: string, brands: readonly Brand[]): void {
  const values = [groupId, brands.map(({ id }) => id)];
  tx.defer(
    `delete from brand_group_brands
     where organization_id = $1 and group_id = $2 and brand_id <> all($3::uuid[])`,
    values,
  );
  tx.defer(
    `insert into brand_group_brands (organization_id, group_id, brand_id)
     select $1, $2, id from unnest($3::uuid[]) as given (id) on conflict do nothing`,
    values,
  );
}

/** @param refs ids, slugs, or names. @throws ServiceError 400 without brands, 404 for an unknown one */
export async function findBrands(tenant: Tenant, refs: readonly string[]): Promise<Brand[]> {
  if (refs.length === 0) throw badRequest('Choose the brands of the group.');
  const all = await brandsInScope(tenant, 'all');
  const found = new Map<string, Brand>();
  for (const ref of refs) {
    const name = ref.trim().toLowerCase();
    const brand =
      all.find(({ id, slug }) => id === name || slug === name) ??
      all.find((one) => one.name.toLowerCase() === name) ??
      (await findBrand(tenant, 'all', ref));
    found.set(brand.id, brand);
  }
  return [...found.values()];
}
