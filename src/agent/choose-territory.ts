/**
 * Chooses ZIP codes of a market for a territory: the best ones, or the best connected ones. The territory plan and
 * service_score_territory use it.
 */
import type { Caller } from '../account/caller.ts';
import type { Queryable } from '../db/database.ts';
import { notFound } from '../errors.ts';
import { rankZips, type RankedZipRow } from '../market/ranked-zips.ts';
import { recordSeenZips } from '../metering/figures.ts';
import type { VerticalSlug } from '../scoring/verticals.ts';
import { neighborsOf, readAdjacency, readMappedFilter } from '../territory/shape/adjacency.ts';
import type { Brand } from '../territory/brands.ts';
import { countPieces } from '../territory/shape/contiguity.ts';
import { holdersOf } from '../territory/holders.ts';
import { growTerritory } from './grow.ts';
import { resolveCallMarket, type CallMarket } from './market.ts';
import type { PlanConstraints } from './territory-plan-schema.ts';

export interface MarketRequest {
  vertical: VerticalSlug;
  metro?: string | undefined;
  zips?: readonly string[] | undefined;
}

export interface TerritoryRequest extends MarketRequest, PlanConstraints {
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
  { excludeZips = [], excludeHeld = false }: PlanConstraints,
  holders: ReadonlyMap<string, unknown>,
): (zip: string) => boolean {
  const excluded = new Set(excludeZips);
  return (zip) => excluded.has(zip) || (excludeHeld && holders.has(zip));
}
