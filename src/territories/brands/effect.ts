/** The effect of a change on a brand's territory: summaries before and after the change. */
import type { BrandScope } from '../../people/account/caller.ts';
import type { Tenant } from '../../people/account/tenant.ts';
import type { Queryable } from '../../base/db/database.ts';
import {
  figuresOrReason,
  isWithheld,
  recordSeenZips,
  type LimitReason,
  type Viewer,
} from '../../people/metering/figures.ts';
import { readAdjacency, readMappedFilter, type Adjacency } from './shape/adjacency.ts';
import { balanceOf, type BalancedTerritory } from './balance.ts';
import { brandIdsInScope, type Brand } from './brands.ts';
import {
  countPieces,
  findIsolated,
  findOpenings,
  findPieces,
  type Openings,
} from './shape/contiguity.ts';
import { heldZipStatuses } from './brand-zips.ts';
import { IS_HELD } from './held-conditions.ts';
import { otherHoldersOf } from './holders.ts';
import { nationalBorders } from './shape/national-borders.ts';
import { outlineOf } from './shape/outline.ts';
import { sumsOf, totalsOf, zipFacts, type ZipFacts } from './zip-facts.ts';

export interface Change {
  /** ZIP codes that aren't held yet */
  added?: readonly string[];
  /** Held ZIP codes */
  removed?: readonly string[];
  /** Whether pending ZIP codes count as held. Default: yes; for approvals, they count as added */
  countsPending?: boolean;
}

/** Summary of all ZIP codes that a brand holds, live or pending */
export interface TerritorySummary {
  zips: number;
  /** Null if the subscription doesn't include the figures */
  households: number | null;
  /** Number of connected pieces, counting ZIP codes with a boundary */
  pieces: number;
  /** Number of groups of ZIP codes that the territory surrounds but doesn't hold */
  holes: number;
  /** Number of ZIP codes that the territory mostly surrounds but doesn't hold */
  gaps: number;
  isolated: number;
  /** Number of ZIP codes that other brands of the organization hold too, if that carries a flag */
  shared: number;
  /**
   * Balance by households among the brands within the scope; null for a single brand, or if the subscription
   * doesn't include the figures
   */
  balance: Pick<BalancedTerritory<string>, 'deviationPct' | 'index'> | null;
}

/** The effect of a change. Lists are sorted. */
export interface Effect {
  before: TerritorySummary;
  after: TerritorySummary;
  /** The reason why households and balance are missing; null if they aren't */
  withheld: LimitReason | null;
  /** ZIP codes that are isolated only after the change */
  newlyIsolated: string[];
  /** ZIP codes that are isolated before the change, and held but not isolated after it */
  noLongerIsolated: string[];
  /** ZIP codes of pieces that the change splits, without the largest part of each piece */
  cutOff: string[];
  /** ZIP codes that are in holes only after the change */
  newHoles: string[];
  /** ZIP codes that are gaps only after the change */
  newGaps: string[];
  /** Other holders of the ZIP codes that the brand holds before or after the change, whose sharing carries a flag */
  sharedWith: Map<string, Brand[]>;
}

/** Computes the effect of a change. @param db the process's database, which caches national borders */
export async function effectOfChange(
  db: Queryable,
  viewer: Viewer,
  scope: BrandScope,
  brand: Pick<Brand, 'id' | 'slug'>,
  { added = [], removed = [], countsPending = true }: Change,
): Promise<Effect> {
  const { tenant } = viewer;
  const statuses = await heldZipStatuses(tenant, brand);
  const held = new Set(
    [...statuses.keys()].filter((zip) => countsPending || statuses.get(zip) === 'live'),
  );
  const after = new Set([...held, ...added]);
  for (const zip of removed) after.delete(zip);
  const all = [...new Set([...held, ...added])];
  const borders = await nationalBorders(db);
  const enclosedBy = async (zips: ReadonlySet<string>) =>
    (await outlineOf(borders, zips))?.enclosed ?? [];
  const [enclosedBefore, enclosedAfter] = [await enclosedBy(held), await enclosedBy(after)];
  const [adjacency, sharedWith, figures] = await Promise.all([
    readAdjacency(tenant.common, [...all, ...enclosedBefore, ...enclosedAfter], { around: true }),
    otherHoldersOf(tenant, brand, all),
    figuresOrReason(() => householdFigures(viewer, scope, all)),
  ]);
  const onMap = await readMappedFilter(tenant.common, all, adjacency);
  const isolatedIn = (zips: ReadonlySet<string>) => findIsolated(onMap(zips), adjacency);
  const openBefore = findOpenings(held, enclosedBefore, adjacency);
  const openAfter = findOpenings(after, enclosedAfter, adjacency);
  const summarize = (zips: ReadonlySet<string>, { holes, gaps }: Openings): TerritorySummary => {
    return {
      zips: zips.size,
      ...(isWithheld(figures) ? NO_FIGURES : householdsOf(zips, brand, figures)),
      pieces: countPieces(onMap(zips), adjacency),
      holes: holes.length,
      gaps: gaps.length,
      isolated: isolatedIn(zips).length,
      shared: [...zips].filter((zip) => sharedWith.has(zip)).length,
    };
  };
  // The same definition as `IS_ISOLATED`, computed in memory
  const isolatedBefore = new Set(isolatedIn(held));
  const isolatedAfter = new Set(isolatedIn(after));
  return {
    before: summarize(held, openBefore),
    after: summarize(after, openAfter),
    withheld: isWithheld(figures) ? figures : null,
    newlyIsolated: [...isolatedAfter].filter((zip) => !isolatedBefore.has(zip)),
    noLongerIsolated: [...isolatedBefore].filter(
      (zip) => after.has(zip) && !isolatedAfter.has(zip),
    ),
    cutOff: cutOffZips(held, after, adjacency),
    newHoles: withoutZips(enclosedAfter, enclosedBefore),
    newGaps: withoutZips(openAfter.gaps, openBefore.gaps),
    sharedWith,
  };
}

function withoutZips(zips: readonly string[], others: readonly string[]): string[] {
  const omitted = new Set(others);
  return zips.filter((zip) => !omitted.has(zip));
}

type HouseholdSummary = Pick<TerritorySummary, 'households' | 'balance'>;

const NO_FIGURES: HouseholdSummary = { households: null, balance: null };

interface HouseholdFigures {
  facts: ZipFacts[];
  /** Households of every brand within the scope. Ids are slugs. */
  brands: { id: string; total: number }[];
}

/** @throws ServiceError 402 as `recordSeenZips` */
async function householdFigures(
  viewer: Viewer,
  scope: BrandScope,
  zips: readonly string[],
): Promise<HouseholdFigures> {
  const { tenant } = viewer;
  const held = await zipsOfBrands(tenant, scope);
  await recordSeenZips(viewer, [...zips, ...held]);
  const [facts, brands] = await Promise.all([
    zipFacts(tenant.common, zips, null),
    householdsOfBrands(tenant, scope),
  ]);
  return { facts, brands };
}

function householdsOf(
  zips: ReadonlySet<string>,
  { slug }: Pick<Brand, 'slug'>,
  { facts, brands }: HouseholdFigures,
): HouseholdSummary {
  const { households } = totalsOf(sumsOf(facts.filter(({ zip }) => zips.has(zip))));
  const totals = brands.map(({ id, total }) => ({ id, total: id === slug ? households : total }));
  const own = balanceOf(totals).territories.find(({ id }) => id === slug);
  return { households, balance: own && totals.length > 1 ? own : null };
}

function cutOffZips(
  held: ReadonlySet<string>,
  after: ReadonlySet<string>,
  adjacency: Adjacency,
): string[] {
  const parts = findPieces(after, adjacency);
  const partOf = new Map(parts.flatMap((part, i) => part.map((zip) => [zip, i] as const)));
  return findPieces(held, adjacency)
    .flatMap((piece) => {
      const remaining = new Set(piece.flatMap((zip) => partOf.get(zip) ?? []));
      // The largest part has the lowest index.
      return [...remaining].sort((a, b) => a - b).slice(1);
    })
    .flatMap((i) => parts[i]!.filter((zip) => held.has(zip)))
    .sort();
}

async function zipsOfBrands(tenant: Tenant, scope: BrandScope): Promise<string[]> {
  const rows = await tenant.query<{ zip: string }>(
    `select distinct bz.zip from brand_zips bz
     where bz.organization_id = $1 and ${IS_HELD} and ($2::uuid[] is null or brand_id = any($2))`,
    [brandIdsInScope(scope)],
  );
  return rows.map(({ zip }) => zip);
}

/** Returns the households of every brand within the scope. Ids are slugs. */
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
    [brandIdsInScope(scope)],
  );
}
