/** Reads what the decision about claims depends on, and settles claims in a transaction. */
import type { Tenant, TenantTransaction } from '../../../people/account/tenant.ts';
import { RULED_BRAND_JSON } from '../named-brands.ts';
import type { Brand } from '../brands.ts';
import { lastOpenDay, settleClaims, type Claim, type RuleFacts, type Settled } from './rules.ts';

/** SQL condition: the brand is in a group. `$1` is the organization. */
export const isGrouped = (brandId: string) => `exists (
  select from brand_group_brands grouped
  where grouped.organization_id = $1 and grouped.brand_id = ${brandId})`;

/** SQL condition on a row `r` of zip_reserves: it hasn't ended. @param day parameter with the `lastOpenDay` */
export const isOpenReserve = (day: string) => `(r.ended_at is null and r.until >= ${day}::date)`;

interface FactsRow {
  groups: {
    id: string;
    name: string;
    rule: RuleFacts['groups'][number]['rule'];
    brandIds: string[];
  }[];
  holders: { zip: string; brands: Brand[] }[];
  reserves: { groupId: string; zips: string[]; reason: string; until: string }[];
}

/**
 * Returns the rules that apply to brands that want to hold ZIP codes. Rules look across brands: they refuse what a brand
 * holds that the viewer doesn't see.
 */
export async function readRuleFacts(
  tenant: Tenant,
  brandIds: readonly string[],
  zips: readonly string[],
): Promise<RuleFacts> {
  const [row] = await tenant.acrossBrands.query<FactsRow & Record<string, unknown>>(
    `with own as materialized (
       select g.id, g.name, g.rule, array(
         select m.brand_id from brand_group_brands m
         where m.organization_id = $1 and m.group_id = g.id) as "brandIds"
       from brand_groups g
       where g.organization_id = $1 and g.id in (
         select group_id from brand_group_brands where organization_id = $1 and brand_id = any($2::uuid[]))
     ), held as (
       select bz.zip, jsonb_agg(${RULED_BRAND_JSON} order by b.slug) as brands
       from brand_zips bz join brands b on b.id = bz.brand_id
       where bz.organization_id = $1 and bz.zip = any($3::text[]) and bz.state = 'live'
         and bz.brand_id in (select unnest("brandIds") from own where rule = 'block')
       group by bz.zip
     )
     select
       coalesce((select jsonb_agg(to_jsonb(own) order by lower(name)) from own), '[]') as groups,
       coalesce((select jsonb_agg(to_jsonb(held)) from held), '[]') as holders,
       coalesce((
         select jsonb_agg(jsonb_build_object('groupId', r.group_id, 'reason', r.reason, 'until', r.until,
             'zips', array(select unnest(r.zips) intersect select unnest($3::text[]))) order by r.until desc, r.id)
         from zip_reserves r
         where r.organization_id = $1 and r.group_id in (select id from own)
           and ${isOpenReserve('$4')} and r.zips && $3::text[]), '[]') as reserves`,
    [brandIds, zips, lastOpenDay(new Date())],
  );
  const { groups, holders, reserves } = row!;
  return {
    groups: groups.map(({ brandIds, ...group }) => ({ ...group, brandIds: new Set(brandIds) })),
    holders: new Map(holders.map(({ zip, brands }) => [zip, brands])),
    reserves: reserves.map(({ zips, ...reserve }) => ({ ...reserve, zips: new Set(zips) })),
  };
}

/**
 * Decides which claims become live in this transaction. Of two brands that claim a ZIP code, the first in the list gets
 * it. The rows of the groups stay locked until the transaction ends, so two transactions can't both give a ZIP code to
 * brands of a group: the second one waits, then sees the holder. The brands are locked before (`lockBrands`), and the
 * groups in the order of their ids, which avoids deadlocks.
 */
export async function settleUnderLock<T extends Claim>(
  tx: TenantTransaction,
  claims: readonly T[],
): Promise<Settled<T>> {
  const brandIds = [...new Set(claims.map(({ brand }) => brand.id))];
  tx.acrossBrands.defer(
    `select from brand_groups where organization_id = $1 and id in (
       select group_id from brand_group_brands where organization_id = $1 and brand_id = any($2::uuid[]))
     order by id for update`,
    [brandIds],
  );
  // A later statement than the lock, so that it sees what the transaction that held the lock has committed
  const facts = await readRuleFacts(tx, brandIds, [...new Set(claims.map(({ zip }) => zip))]);
  return settleClaims(claims, facts);
}
