/** Chooses ZIP codes of a market for a territory: the best ones, or the best connected ones. */
import type { Caller } from '../../people/account/caller.ts';
import type { Queryable } from '../../base/db/database.ts';
import { notFound } from '../../errors.ts';
import { rankZips, type RankedZipRow } from '../../data/market/ranked-zips.ts';
import { recordSeenZips } from '../../people/metering/figures.ts';
import type { VerticalSlug } from '../../data/scoring/verticals.ts';
import {
  neighborsOf,
  readAdjacency,
  type Adjacency,
  readMappedFilter,
} from '../brands/shape/adjacency.ts';
import type { Brand } from '../brands/brands.ts';
import { countPieces } from '../brands/shape/contiguity.ts';
import { holdersOf } from '../brands/holders.ts';
import { resolveCallMarket, type CallMarket } from './market.ts';

export interface Constraints {
  /** Whether the ZIP codes form one connected area */
  contiguous?: boolean | undefined;
  minScore?: number | undefined;
  excludeZips?: readonly string[] | undefined;
  /** Leaves out ZIP codes that brands within the caller's scope hold */
  excludeHeld?: boolean | undefined;
}

export interface MarketRequest {
  vertical: VerticalSlug;
  metro?: string | undefined;
  zips?: readonly string[] | undefined;
}

interface TerritoryRequest extends MarketRequest, Constraints {
  /** Maximum number of ZIP codes */
  size: number;
}

export interface ChosenTerritory {
  market: CallMarket;
  /** Best first. Ranks are within the territory. */
  zips: ChosenZip[];
  /** Number of connected areas */
  pieces: number;
}

export interface ChosenZip extends RankedZipRow {
  /** ZIP codes of the territory that border it */
  adjacentZips: string[];
  /** Brands within the scope that hold it */
  heldBy: Brand[];
}

/**
 * Chooses a territory.
 * @throws ServiceError 400 unless either a metro or ZIP codes are given; 404 for an unknown metro, or if no ZIP code
 *   has a score or meets the constraints; 503 before data is imported; 402 as `recordSeenZips`
 */
export async function chooseTerritory(
  db: Queryable,
  caller: Caller,
  { size, contiguous, minScore, ...request }: TerritoryRequest,
): Promise<ChosenTerritory> {
  const { vertical } = request;
  const market = await resolveCallMarket(db, request);
  const [candidates, adjacency, holders] = await Promise.all([
    rankZips(db, { zips: market.zips, vertical, minScore }, { limit: market.zips.length }),
    readAdjacency(db, market.zips),
    holdersOf(caller.tenant, caller.brandScope, market.zips),
  ]);
  const isExcluded = makeExclusion(request, holders);
  const allowed = candidates.rows.filter(({ zip }) => !isExcluded(zip));
  if (allowed.length === 0) {
    await recordSeenZips(caller, [], { among: market.zips });
    throw notFound(
      `No ZIP code of the market (${market.name}) meets the constraints. Lower minScore or exclude fewer ZIP codes.`,
    );
  }
  const chosen = contiguous ? growTerritory(allowed, adjacency, size) : allowed.slice(0, size);
  const zips = new Set(chosen.map(({ zip }) => zip));
  await recordSeenZips(caller, zips, { among: market.zips });
  const onMap = await readMappedFilter(db, zips, adjacency);
  return {
    market,
    zips: chosen.map((row, index) => ({
      ...row,
      rank: index + 1,
      adjacentZips: neighborsOf(adjacency, row.zip)
        .filter((neighbor) => zips.has(neighbor))
        .sort(),
      heldBy: holders.get(row.zip) ?? [],
    })),
    pieces: countPieces(onMap(zips), adjacency),
  };
}

/** Returns a check whether a ZIP code is excluded, by name or because a brand holds it. */
export function makeExclusion(
  { excludeZips = [], excludeHeld = false }: Constraints,
  holders: ReadonlyMap<string, unknown>,
): (zip: string) => boolean {
  const excluded = new Set(excludeZips);
  return (zip) => excluded.has(zip) || (excludeHeld && holders.has(zip));
}

/** Number of starting points, because the best ZIP code may be isolated or have poor neighbors */
const STARTS = 20;

/**
 * Grows a connected territory from each of the best ZIP codes, by adding the best neighbor repeatedly.
 * @param ranked candidates, best first
 * @returns the largest result, with at most `size` ZIP codes in the order of `ranked`. Of equally large results, the
 *   one with the highest sum of scores wins.
 */
export function growTerritory<Candidate extends { zip: string; score: number }>(
  ranked: readonly Candidate[],
  adjacency: Adjacency,
  size: number,
): Candidate[] {
  const positionOf = new Map(ranked.map(({ zip }, position) => [zip, position]));
  const grown = ranked
    .slice(0, STARTS)
    .map((start) => growFrom(start.zip, positionOf, adjacency, size));
  const sumOf = (positions: readonly number[]) =>
    positions.reduce((sum, position) => sum + ranked[position]!.score, 0);
  const [best = []] = grown.sort((a, b) => b.length - a.length || sumOf(b) - sumOf(a));
  return best.sort((a, b) => a - b).map((position) => ranked[position]!);
}

/** Returns positions in the ranking, in the order of growth. */
function growFrom(
  start: string,
  positionOf: ReadonlyMap<string, number>,
  adjacency: Adjacency,
  size: number,
): number[] {
  const zipAt = [...positionOf.keys()];
  const taken: number[] = [];
  const edge = new Set([positionOf.get(start)!]);
  const seen = new Set(edge);
  while (taken.length < size && edge.size > 0) {
    // The lowest position is the best ZIP code.
    const next = Math.min(...edge);
    edge.delete(next);
    taken.push(next);
    for (const neighbor of neighborsOf(adjacency, zipAt[next]!)) {
      const position = positionOf.get(neighbor);
      if (position === undefined || seen.has(position)) continue;
      seen.add(position);
      edge.add(position);
    }
  }
  return taken;
}
