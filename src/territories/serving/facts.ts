/** What lookups answer from: who holds each ZIP code of an organization, in memory while nothing changes. */
import { cacheOf } from '../../base/cache/cache.ts';
import { gazetteerAt, type Gazetteer } from '../../data/market/gazetteer.ts';
import type { BrandScope } from '../../people/account/caller.ts';
import type { Tenant } from '../../people/account/tenant.ts';
import { brandIdsInScope, type Brand } from '../brands/brands.ts';
import type { Grant } from '../brands/terms/terms.ts';
import type { Rule } from '../brands/groups/rules.ts';
import { RULED_BRAND_JSON } from '../brands/named-brands.ts';

/** How customers reach a brand. Null: unknown */
export interface Contact {
  /** The name that customers know. Default: the brand's name */
  publicName: string;
  phone: string | null;
  email: string | null;
  url: string | null;
}

export interface FactsBrand extends Brand {
  /** Whether the caller sees it. Of others, only the name and slug may be shown, as `named-brands.ts` says */
  isVisible: boolean;
  /** Of visible brands */
  contact: Contact | null;
  /** What agreements grant, by ZIP code; of visible brands */
  terms: Readonly<Record<string, { granted: Grant | null; endsOn: string | null }>>;
}

export interface ServingPlace {
  /** Null: of the whole organization */
  brandId: string | null;
  name: string;
  kind: 'office' | 'store' | 'depot' | 'other';
  address: string | null;
  phone: string | null;
  url: string | null;
  hours: string | null;
  lng: number;
  lat: number;
}

export interface FactsGroup {
  id: string;
  name: string;
  rule: Rule;
  brandIds: string[];
}

/** A ZIP code that a brand gets or gives up on a day */
export interface PlannedServing {
  zip: string;
  brandId: string;
  part: 'added' | 'removed';
  /** `2027-01-01` */
  on: string;
}

/** Plain data, of which threads get a copy */
export interface ServingFacts {
  /** By slug */
  brands: FactsBrand[];
  /** Where the holdings of each ZIP code start, by its number; one more at the end */
  starts: Uint32Array;
  /** Positions of the brands that hold a ZIP code live */
  holders: Uint32Array;
  /** Since when, in seconds since 1970 */
  since: Float64Array;
  groups: FactsGroup[];
  reserves: { groupId: string; zips: string[]; reason: string; until: string }[];
  places: ServingPlace[];
  /** What approved changes of visible brands do on days to come, the earliest first */
  planned: PlannedServing[];
}

/** What a lookup answers from, at one moment */
export interface ServingState {
  /** Changes with the facts */
  version: string;
  facts: ServingFacts;
  gazetteer: Gazetteer;
}

const states = cacheOf<ServingState>(({ facts }) => bytesOf(facts));

const bytesOf = ({ starts, holders, since, brands, places, reserves, planned }: ServingFacts) =>
  starts.byteLength +
  holders.byteLength +
  since.byteLength +
  500 * (brands.length + places.length) +
  150 * planned.length +
  brands.reduce((sum, { terms }) => sum + 150 * Object.keys(terms).length, 0) +
  reserves.reduce((sum, { zips }) => sum + 100 + 16 * zips.length, 0);

/**
 * Returns the facts within a scope. One short query finds out whether those in memory are current, so a change shows in
 * the next lookup of every process.
 */
export async function servingState(tenant: Tenant, scope: BrandScope): Promise<ServingState> {
  const [row] = await tenant.query<{ version: string; stamp: string | null }>(
    `select coalesce((select version from serving_versions where organization_id = $1), 0)::text as version,
       (select string_agg(extract(epoch from imported_at)::text, ',' order by name) from datasets) as stamp`,
  );
  const stamp = row!.stamp ?? '';
  const who = scope === 'all' ? 'all' : [...scope].sort().join();
  const version = `${tenant.organizationId} ${who} ${row!.version} ${stamp}`;
  return states.find(version, async () => {
    const [facts, gazetteer] = await Promise.all([
      readFacts(tenant, scope),
      gazetteerAt(tenant.common, stamp),
    ]);
    return { version, facts, gazetteer };
  });
}

interface FactsRow extends Pick<ServingFacts, 'groups' | 'reserves' | 'places' | 'planned'> {
  brands: (FactsBrand & { zips: string; since: string })[];
}

/** Seconds fit into fewer characters than times. */
const SINCE = 'round(extract(epoch from bz.changed_at))::bigint';

/** One statement, so that the facts are of one moment. It reads across brands, and keeps back what the scope may not see. */
async function readFacts(tenant: Tenant, scope: BrandScope): Promise<ServingFacts> {
  const isVisible = (brandId: string) => `($2::uuid[] is null or ${brandId} = any($2))`;
  const [row] = await tenant.acrossBrands.query<FactsRow & Record<string, unknown>>(
    `select
       coalesce((
         select jsonb_agg(${RULED_BRAND_JSON} || jsonb_build_object('isVisible', ${isVisible('b.id')},
             'contact', case when ${isVisible('b.id')} then jsonb_build_object(
               'publicName', coalesce(public_name, b.name), 'phone', phone, 'email', email, 'url', url) end,
             'terms', case when ${isVisible('b.id')} then coalesce(agreed.terms, '{}') else '{}' end,
             'zips', coalesce(held.zips, ''), 'since', coalesce(held.since, '')) order by b.slug collate "C")
         from brands b left join brand_contacts contact on contact.brand_id = b.id
         cross join lateral (
           select string_agg(bz.zip, ' ' order by bz.zip) as zips,
             string_agg(${SINCE}::text, ' ' order by bz.zip) as since
           from brand_zips bz
           where bz.organization_id = $1 and bz.brand_id = b.id and bz.state = 'live') held
         cross join lateral (
           select jsonb_object_agg(t.zip, jsonb_build_object('granted', t.granted,
             'endsOn', to_char(t.ends_on, 'YYYY-MM-DD'))) as terms
           from holding_terms t
           where t.organization_id = $1 and t.brand_id = b.id and t.replaced_at is null) agreed
         where b.organization_id = $1), '[]') as brands,
       coalesce((
         select jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name, 'rule', g.rule, 'brandIds', array(
             select m.brand_id from brand_group_brands m where m.organization_id = $1 and m.group_id = g.id))
           order by lower(g.name))
         from brand_groups g where g.organization_id = $1), '[]') as groups,
       coalesce((
         select jsonb_agg(jsonb_build_object('groupId', r.group_id, 'zips', r.zips, 'reason', r.reason,
             'until', r.until) order by r.until desc, r.id)
         from zip_reserves r where r.organization_id = $1 and r.ended_at is null), '[]') as reserves,
       coalesce((
         select jsonb_agg(jsonb_build_object('brandId', brand_id, 'name', name, 'kind', kind, 'address', address,
             'phone', phone, 'url', url, 'hours', hours, 'lng', st_x(point), 'lat', st_y(point)) order by name, id)
         from places p
         where p.organization_id = $1 and kind <> 'competitor'
           and (brand_id is null or ${isVisible('brand_id')})), '[]') as places,
       coalesce((
         select jsonb_agg(jsonb_build_object('zip', cz.zip, 'brandId', cz.brand_id, 'part', cz.part, 'on', c.on_day)
           order by c.on_day, cz.zip)
         from change_zips cz join changes c on c.id = cz.change_id
         where cz.organization_id = $1 and cz.is_open and c.status = 'scheduled'
           and ${isVisible('cz.brand_id')}), '[]') as planned`,
    [brandIdsInScope(scope)],
  );
  const { brands, ...others } = row!;
  return {
    brands: brands.map(({ zips: _, since: __, ...brand }) => brand),
    ...holdingsOf(brands),
    ...others,
  };
}

const listed = (text: string) => (text === '' ? [] : text.split(' ').map(Number));

function holdingsOf(
  brands: FactsRow['brands'],
): Pick<ServingFacts, 'starts' | 'holders' | 'since'> {
  const held = brands.map(({ zips, since }) => ({ zips: listed(zips), since: listed(since) }));
  const starts = new Uint32Array(100_001);
  for (const { zips } of held) for (const zip of zips) starts[zip + 1]!++;
  for (let zip = 0; zip < 100_000; zip++) starts[zip + 1]! += starts[zip]!;
  const next = starts.slice();
  const holders = new Uint32Array(starts[100_000]!);
  const since = new Float64Array(holders.length);
  for (const [brand, { zips, since: times }] of held.entries()) {
    for (const [i, zip] of zips.entries()) {
      const at = next[zip]!++;
      holders[at] = brand;
      since[at] = times[i]!;
    }
  }
  return { starts, holders, since };
}
