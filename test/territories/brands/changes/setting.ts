/** Organizations and days for tests of changes. */
import type { TenantDatabase } from '../../../../src/people/account/tenant.ts';
import type { Database } from '../../../../src/base/db/database.ts';
import type { Brand } from '../../../../src/territories/brands/brands.ts';
import { changeBrands } from '../../../../src/territories/brands/changes/change-brands.ts';
import type {
  BrandChange,
  ChangeOptions,
} from '../../../../src/territories/brands/changes/preview.ts';
import { changeDay, type ChangeDay } from '../../../../src/territories/brands/changes/day.ts';
import { createGroup } from '../../../../src/territories/brands/groups/groups.ts';
import type { Rule } from '../../../../src/territories/brands/groups/rules.ts';
import { agent, organizationWith } from '../organization.ts';

/** Three brands, of which the first two are in a group with a rule. */
export async function franchise(db: Database, rule: Rule = 'block') {
  const { tenant, brands } = await organizationWith(db, 'North', 'South', 'East');
  const [north, south, east] = brands;
  await group(tenant, rule, [north, south]);
  return { tenant, north, south, east };
}

export const group = (tenant: TenantDatabase, rule: Rule, brands: readonly Brand[]) =>
  tenant.transaction((tx) =>
    createGroup(tx, agent, { name: 'Franchisees', rule, brands: brands.map(({ slug }) => slug) }),
  );

/** Makes a change as a key, which needs a review. */
export const change = (
  tenant: TenantDatabase,
  changes: readonly BrandChange[],
  { on = null, ...options }: Omit<ChangeOptions, 'source' | 'on'> & { on?: ChangeDay | null } = {},
) =>
  tenant.transaction((tx) => changeBrands(tx, agent, changes, { source: 'save', on, ...options }));

/** A ZIP code passes from one brand to another. */
export const passing = (from: Brand, to: Brand, zips: readonly string[]): BrandChange[] => [
  { brand: from, added: [], removed: zips },
  { brand: to, added: zips, removed: [] },
];

/** A day in a year, `2027-11-30`, and its start where the organization is */
export async function nextYear(tenant: TenantDatabase, days = 0): Promise<ChangeDay> {
  const date = new Date(Date.now() + (365 + days) * 86_400_000);
  return changeDay(tenant, date.toISOString().slice(0, 10));
}

/** Lets the day of changes come. */
export const dayComes = (tenant: TenantDatabase, ...changeIds: string[]) =>
  tenant.query(
    `update changes set due_at = date_trunc('milliseconds', now() - interval '10 milliseconds'),
       on_day = (now() at time zone 'UTC')::date
     where organization_id = $1 and id = any($2)`,
    [changeIds],
  );

/** Returns the states of a brand's ZIP codes. */
export async function statesOf(
  tenant: TenantDatabase,
  brand: Brand,
): Promise<Record<string, string>> {
  const rows = await tenant.query<{ zip: string; state: string }>(
    `select zip, state from brand_zips where organization_id = $1 and brand_id = $2 order by zip`,
    [brand.id],
  );
  return Object.fromEntries(rows.map(({ zip, state }) => [zip, state]));
}
