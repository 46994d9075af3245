/** Reads what the decision about claims depends on, and settles claims in a transaction. */
import type { Tenant, TenantTransaction } from '../../../people/account/tenant.ts';
import { RULED_BRAND_JSON } from '../named-brands.ts';
import { endsBefore, isNonExclusive } from './terms-conditions.ts';
import {
  afterLeaving,
  lastOpenDay,
  settleClaims,
  type Claim,
  type Holder,
  type Leaving,
  type RuleFacts,
  type Settled,
} from './rules.ts';

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
  holders: { zip: string; brands: Holder[] }[];
  reserves: { groupId: string; zips: string[]; reason: string; until: string }[];
}

/** When claims take effect, and what is planned by then */
export interface ClaimTime {
  /** Null: now */
  on: { /** The start of the day */ at: Date; /** `2027-01-01` */ day: string } | null;
  /** The change that makes the claims, whose own plan doesn't count */
  change?: string | undefined;
  /**
   * Whether ZIP codes that others will get by approved changes count as held, and those that they will have given up by
   * then as free: by approved changes, or at the end of a term. Otherwise only what is live now counts.
   */
  countsPlanned: boolean;
}

const NOW: ClaimTime = { on: null, countsPlanned: true };

/**
 * Returns the rules that apply to brands that want to hold ZIP codes. Rules look across brands: they refuse what a brand
 * holds that the viewer doesn't see.
 */
export async function readRuleFacts(
  tenant: Tenant,
  brandIds: readonly string[],
  zips: readonly string[],
  { on, change, countsPlanned }: ClaimTime = NOW,
  /**
   * Whether the transaction makes claims live that the facts allow. Its moment (`territory_moment`) may have passed, such
   * as after a day of downtime, so that a brand which has held a ZIP code since then counts, too.
   */
  isUnderLock = false,
): Promise<RuleFacts> {
  const [row] = await tenant.acrossBrands.query<FactsRow & Record<string, unknown>>(
    `with own as materialized (
       select g.id, g.name, g.rule, array(
         select m.brand_id from brand_group_brands m
         where m.organization_id = $1 and m.group_id = g.id) as "brandIds"
       from brand_groups g
       where g.organization_id = $1 and g.id in (
         select group_id from brand_group_brands where organization_id = $1 and brand_id = any($2::uuid[]))
     ), blocking as materialized (
       select unnest("brandIds") as brand_id from own where rule = 'block'
     ), planned as materialized (
       select cz.brand_id, cz.zip, cz.part, c.on_day
       from change_zips cz join changes c on c.id = cz.change_id
       where cz.organization_id = $1 and cz.is_open and cz.zip = any($3::text[])
         and cz.brand_id in (select brand_id from blocking)
         and c.status = 'scheduled' and c.id is distinct from $6::uuid and $7
         and (cz.part = 'added' or c.due_at <= $5)
     ), leaving as materialized (
       select brand_id, zip from planned where part = 'removed'
       union all
       select t.brand_id, t.zip from holding_terms t
       where t.organization_id = $1 and t.zip = any($3::text[]) and $7 and ${endsBefore('$8::date')}
     ), holders as (
       select bz.brand_id, bz.zip, null::date as since, false as has_left
       from brand_zips bz
       where bz.organization_id = $1 and bz.zip = any($3::text[]) and bz.state = 'live'
         and (bz.brand_id, bz.zip) not in (select brand_id, zip from leaving)
       union all
       select brand_id, zip, on_day, false from planned where part = 'added'
       union all
       select distinct h.brand_id, h.zip, null::date, true
       from holdings h
       where $9 and h.organization_id = $1 and h.zip = any($3::text[]) and h.state = 'live'
         and h.held_until > (select territory_moment())
     ), held as (
       select h.zip, jsonb_agg(${RULED_BRAND_JSON}
         || case when since is null then '{}' else jsonb_build_object('from', since) end
         || case when has_left then '{"hasLeft": true}'::jsonb else '{}' end order by b.slug) as brands
       from holders h join brands b on b.id = h.brand_id
       where h.brand_id in (select brand_id from blocking) and not ${isNonExclusive('h.brand_id', 'h.zip')}
       group by h.zip
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
    [
      brandIds,
      zips,
      // A reserve ends with its last day where the organization is, if the claim names a day.
      on?.day ?? lastOpenDay(new Date()),
      on?.at,
      change,
      countsPlanned,
      on?.day,
      isUnderLock,
    ],
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
 * @param options when they become live, and what is given up at the same moment
 */
export async function settleUnderLock<T extends Claim>(
  tx: TenantTransaction,
  claims: readonly T[],
  { leaving = new Map(), ...time }: ClaimTime & { leaving?: Leaving } = NOW,
): Promise<Settled<T>> {
  const brandIds = [...new Set(claims.map(({ brand }) => brand.id))];
  tx.acrossBrands.defer(
    `select from brand_groups where organization_id = $1 and id in (
       select group_id from brand_group_brands where organization_id = $1 and brand_id = any($2::uuid[]))
     order by id for update`,
    [brandIds],
  );
  // A later statement than the lock, so that it sees what the transaction that held the lock has committed
  const zips = [...new Set(claims.map(({ zip }) => zip))];
  const facts = await readRuleFacts(tx, brandIds, zips, time, true);
  return settleClaims(claims, afterLeaving(facts, leaving));
}
