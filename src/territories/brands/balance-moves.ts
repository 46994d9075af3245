/** Proposes moves of ZIP codes between brands that divide a value more evenly. */
import type { BrandScope } from '../../people/account/caller.ts';
import { letOthersRun } from '../../base/workers/let-others-run.ts';
import { recordSeenZips, type Viewer } from '../../people/metering/figures.ts';
import { neighborsOf, readAdjacency, type Adjacency } from './shape/adjacency.ts';
import { balanceOf, type Balance } from './balance.ts';
import { heldZipStatuses } from './brand-zips.ts';
import { findBrand, type Brand } from './brands.ts';
import { cutOffBy } from './shape/contiguity.ts';
import { zipFacts, type ZipFacts } from './zip-facts.ts';

/** Largest number of proposed moves. More would be a redesign instead of an adjustment. */
const MAX_MOVES = 25;

interface ZipMove extends Pick<ZipFacts, 'zip' | 'city' | 'state'> {
  from: Brand;
  /** The receiving brand. It already holds a shared ZIP code. */
  to: Brand;
  /** Households, or households weighted by score */
  value: number;
}

export interface BalanceProposal {
  by: 'households' | 'opportunity';
  brands: Brand[];
  /** Ordered by effect. Each move narrows the differences further. */
  moves: ZipMove[];
  /** Ids are slugs. */
  before: Balance<string>;
  after: Balance<string>;
}

/**
 * Proposes moves between the named brands.
 * @param vertical balances its opportunity; null balances households
 * @throws ServiceError 404 for an unknown brand; 402 as `recordSeenZips`
 */
export async function proposeBalance(
  viewer: Viewer,
  scope: BrandScope,
  names: readonly string[],
  vertical: string | null,
): Promise<BalanceProposal> {
  const { tenant } = viewer;
  const found = await Promise.all(names.map((name) => findBrand(tenant, scope, name)));
  const brands = [...new Map(found.map((brand) => [brand.id, brand])).values()];
  const statuses = await Promise.all(brands.map((brand) => heldZipStatuses(tenant, brand)));
  const all = [...new Set(statuses.flatMap((held) => [...held.keys()]))];
  await recordSeenZips(viewer, all);
  const [facts, adjacency] = await Promise.all([
    zipFacts(tenant.common, all, vertical),
    readAdjacency(tenant.common, all),
  ]);
  const factsOf = new Map(facts.map((row) => [row.zip, row]));
  const valueOf = (zip: string) => {
    const { households, score } = factsOf.get(zip)!;
    return (households ?? 0) * (vertical === null ? 1 : (score ?? 0) / 100);
  };
  const territories = statuses.map((held) => ({
    held: new Set(held.keys()),
    // Pending ZIP codes may still be rejected.
    movable: new Set([...held].filter(([, status]) => status === 'live').map(([zip]) => zip)),
  }));
  const moves = await chooseMoves(territories, valueOf, adjacency);
  const balance = (zipsOf: (index: number) => Iterable<string>) =>
    balanceOf(brands.map(({ slug }, i) => ({ id: slug, total: sumOf(zipsOf(i), valueOf) })));
  return {
    by: vertical === null ? 'households' : 'opportunity',
    brands,
    moves: moves.map(({ zip, from, to }) => {
      const { city, state } = factsOf.get(zip)!;
      const value = Math.round(valueOf(zip));
      return { zip, city, state, from: brands[from]!, to: brands[to]!, value };
    }),
    before: balance((i) => statuses[i]!.keys()),
    after: balance((i) => territories[i]!.held),
  };
}

interface Territory {
  held: Set<string>;
  /** Held ZIP codes that may move */
  movable: Set<string>;
}

interface Move {
  zip: string;
  /** Indexes of territories */
  from: number;
  to: number;
}

/**
 * Moves ZIP codes between the territories, one at a time, always by the move that narrows the differences most. A
 * ZIP code moves only to a territory that it borders or that already holds it, at most once, and only if its old
 * territory stays in one piece.
 */
async function chooseMoves(
  territories: readonly Territory[],
  valueOf: (zip: string) => number,
  adjacency: Adjacency,
): Promise<Move[]> {
  const moves: Move[] = [];
  while (moves.length < MAX_MOVES) {
    await letOthersRun();
    const move = bestMove(territories, valueOf, adjacency);
    if (!move) break;
    const { zip, from, to } = move;
    territories[from]!.held.delete(zip);
    territories[from]!.movable.delete(zip);
    territories[to]!.held.add(zip);
    territories[to]!.movable.delete(zip);
    moves.push(move);
  }
  return moves;
}

function bestMove(
  territories: readonly Territory[],
  valueOf: (zip: string) => number,
  adjacency: Adjacency,
): Move | undefined {
  const totals = territories.map(({ held }) => sumOf(held, valueOf));
  const now = spreadOf(totals);
  return territories
    .flatMap(({ movable }, from) =>
      [...movable].flatMap((zip) => {
        const neighbors = neighborsOf(adjacency, zip);
        return territories.flatMap(({ held }, to) => {
          if (totals[to]! >= totals[from]! || to === from) return [];
          const isShared = held.has(zip);
          if (!isShared && !neighbors.some((neighbor) => held.has(neighbor))) return [];
          const value = valueOf(zip);
          const after = [...totals];
          after[from]! -= value;
          if (!isShared) after[to]! += value;
          return { zip, from, to, gain: now - spreadOf(after) };
        });
      }),
    )
    .filter(({ gain }) => gain > 0)
    .sort((a, b) => b.gain - a.gain || (a.zip < b.zip ? -1 : 1))
    .find(({ zip, from }) => cutOffBy(zip, territories[from]!.held, adjacency) === null);
}

/** Returns the sum of the squared deviations from the mean. */
function spreadOf(totals: readonly number[]): number {
  const mean = totals.reduce((sum, total) => sum + total, 0) / totals.length;
  return totals.reduce((sum, total) => sum + (total - mean) ** 2, 0);
}

function sumOf(zips: Iterable<string>, valueOf: (zip: string) => number): number {
  let sum = 0;
  for (const zip of zips) sum += valueOf(zip);
  return sum;
}
