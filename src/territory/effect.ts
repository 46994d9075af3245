/** What a change would make of a brand's territory: how it stands before and after. */
import type { BrandScope } from '../account/caller.ts';
import type { Tenant } from '../account/tenant.ts';
import { neighborsOf, readAdjacency, type Adjacency } from './adjacency.ts';
import { balanceOf, type BalancedTerritory } from './balance.ts';
import { idsOf, type Brand } from './brands.ts';
import { pieces } from './contiguity.ts';
import { heldZipStatuses } from './brand-zips.ts';
import { IS_HELD } from './held-conditions.ts';
import { holdersOf } from './holders.ts';
import { totalsOf, zipFacts } from './zip-facts.ts';

export interface Change {
  /** Not held yet */
  added?: readonly string[];
  /** Held */
  removed?: readonly string[];
}

/** Of all that the brand holds, live and pending. */
export interface Standing {
  zips: number;
  households: number;
  /** Connected pieces */
  pieces: number;
  isolated: number;
  /** Held by other brands of the organisation too */
  shared: number;
  /** Among the brands within the scope, by households; null where it is the only one */
  balance: Pick<BalancedTerritory<string>, 'deviationPct' | 'index'> | null;
}

/** Lists are in order. */
export interface Effect {
  before: Standing;
  after: Standing;
  /** Of what is held after it: ZIPs that border no other, and did before or were not held */
  newlyIsolated: string[];
  /** Isolated before, not any more */
  joined: string[];
  /** Of a piece that falls apart: all but the largest of its parts */
  cutOff: string[];
  /** Of what is held before or after it: those that other brands hold too, with the short names of these */
  sharedWith: Map<string, string[]>;
}

export async function effectOf(
  tenant: Tenant,
  scope: BrandScope,
  brand: Pick<Brand, 'id' | 'slug'>,
  { added = [], removed = [] }: Change,
): Promise<Effect> {
  const held = new Set((await heldZipStatuses(tenant, brand)).keys());
  const after = new Set(held);
  for (const zip of added) after.add(zip);
  for (const zip of removed) after.delete(zip);
  const all = [...new Set([...held, ...added])];
  const [adjacency, facts, holders, households] = await Promise.all([
    readAdjacency(tenant.common, all),
    zipFacts(tenant.common, all, null),
    holdersOf(tenant, 'all', all),
    householdsOfBrands(tenant, scope),
  ]);
  const sharedWith = new Map(
    [...holders]
      .map(([zip, slugs]) => [zip, slugs.filter((slug) => slug !== brand.slug)] as const)
      .filter(([, slugs]) => slugs.length > 0),
  );
  const standing = (zips: ReadonlySet<string>): Standing => {
    const totals = totalsOf(facts.filter(({ zip }) => zips.has(zip)));
    const brands = households.map(({ id, total }) => ({
      id,
      total: id === brand.slug ? totals.households : total,
    }));
    const own = balanceOf(brands).territories.find(({ id }) => id === brand.slug);
    return {
      zips: zips.size,
      households: totals.households,
      pieces: pieces(zips, adjacency).length,
      isolated: isolatedOf(zips, adjacency).size,
      shared: [...zips].filter((zip) => sharedWith.has(zip)).length,
      balance: own && brands.length > 1 ? own : null,
    };
  };
  const [isolatedBefore, isolatedAfter] = [
    isolatedOf(held, adjacency),
    isolatedOf(after, adjacency),
  ];
  return {
    before: standing(held),
    after: standing(after),
    newlyIsolated: [...isolatedAfter].filter((zip) => !isolatedBefore.has(zip)).sort(),
    joined: [...isolatedBefore].filter((zip) => after.has(zip) && !isolatedAfter.has(zip)).sort(),
    cutOff: cutOff(held, after, adjacency),
    sharedWith,
  };
}

/** As `IS_ISOLATED` means it. */
const isolatedOf = (zips: ReadonlySet<string>, adjacency: Adjacency): Set<string> =>
  new Set([...zips].filter((zip) => ![...neighborsOf(adjacency, zip)].some((n) => zips.has(n))));

function cutOff(
  held: ReadonlySet<string>,
  after: ReadonlySet<string>,
  adjacency: Adjacency,
): string[] {
  const parts = pieces(after, adjacency);
  const partOf = new Map(parts.flatMap((part, i) => part.map((zip) => [zip, i] as const)));
  return pieces(held, adjacency)
    .flatMap((piece) => {
      const left = new Set(piece.flatMap((zip) => partOf.get(zip) ?? []));
      // The largest part comes first.
      return [...left].sort((a, b) => a - b).slice(1);
    })
    .flatMap((i) => parts[i]!.filter((zip) => held.has(zip)))
    .sort();
}

/** Of every brand within the scope, by slug. */
function householdsOfBrands(
  tenant: Tenant,
  scope: BrandScope,
): Promise<{ id: string; total: number }[]> {
  return tenant.query(
    `select b.slug as id, coalesce(sum(households_total), 0) as total
     from brands b
     left join brand_zips bz on bz.brand_id = b.id and ${IS_HELD}
     left join zip_demographics using (zip)
     where b.organization_id = $1 and ($2::uuid[] is null or b.id = any($2))
     group by b.slug order by b.slug`,
    [idsOf(scope)],
  );
}
