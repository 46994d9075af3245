/**
 * Plans a territory: recommends ZIP codes of a market, with reasons and next steps. A plan reveals no
 * weights; service_score_territory returns the whole ranking.
 */
import type { Caller } from '../account/caller.ts';
import type { Database } from '../db/database.ts';
import { notFound } from '../errors.ts';
import { rankZips, type RankedZipRow } from '../market/ranked-zips.ts';
import { recordSeenZips } from '../metering/figures.ts';
import { driversOf } from '../scoring/drivers.ts';
import { nationalSignals, type NationalSignals } from '../scoring/national-signals.ts';
import { type Vertical, verticalBySlug } from '../scoring/verticals.ts';
import { neighborsOf, readAdjacency, readMapped, type Adjacency } from '../territory/adjacency.ts';
import { countPieces } from '../territory/contiguity.ts';
import { holdersOf } from '../territory/holders.ts';
import { holderFields } from './fields.ts';
import { growTerritory } from './grow.ts';
import { resolveCallMarket, type CallMarket } from './market.ts';
import {
  DEMAND,
  type PlanRequest,
  type PlanConstraints,
  type TerritoryPlan,
} from './territory-plan-schema.ts';
import { joinFirst, pluralize } from '../words.ts';
import { whyWritesAreDenied } from './write-denial.ts';

/** Signals named for and against a ZIP code */
const MAX_REASONS = 3;
const MAX_CAUTIONS = 1;

/**
 * @throws ServiceError 400 unless either a metro or ZIP codes are given; 404 for an unknown metro, or
 *   if no ZIP code has a score or meets the constraints; 503 before data exist; 402 as
 *   `recordSeenZips`
 */
export async function planTerritory(
  db: Database,
  caller: Caller,
  request: PlanRequest,
): Promise<TerritoryPlan> {
  const { size, constraints = {} } = request;
  const vertical = verticalBySlug(request.vertical);
  const market = await resolveCallMarket(db, request);
  const [candidates, adjacency, holders, signals] = await Promise.all([
    candidatesOf(db, market, request),
    readAdjacency(db, market.zips),
    holdersOf(caller.tenant, caller.brandScope, market.zips),
    nationalSignals(db),
  ]);
  const allowed = candidates.filter(({ zip }) => isAllowed(zip, constraints, holders));
  if (allowed.length === 0) {
    await recordSeenZips(caller, [], { among: market.zips });
    throw notFound(
      `No ZIP code of the market (${market.name}) meets the constraints. Lower minScore or exclude fewer ZIP codes.`,
    );
  }
  const chosen = constraints.contiguous
    ? growTerritory(allowed, adjacency, size)
    : allowed.slice(0, size);
  const planned = new Set(chosen.map(({ zip }) => zip));
  await recordSeenZips(caller, planned, { among: market.zips });
  const recommendations = chosen.map((row, index) => {
    const { zip, city, state, score } = row;
    const adjacentZips = neighborsInPlan(planned, zip, adjacency);
    const { lifts, lowers } = driversOfZip(zip, vertical, signals);
    return {
      rank: index + 1,
      ...{ zipCode: zip, city, state, score, demand: demandOf(score) },
      reasons: [demandReason(score), ...lifts, ...adjacencyReason(adjacentZips)],
      cautions: lowers.slice(0, MAX_CAUTIONS),
      adjacentZips,
      ...holderFields(holders.get(zip) ?? []),
    };
  });
  const onMap = await readMapped(db, planned, adjacency);
  const pieceCount = countPieces(onMap(planned), adjacency);
  return {
    market: {
      name: market.name,
      metroSlug: market.metroSlug,
      zipCount: market.zips.length,
      scoredZipCount: market.zips.length - market.withoutScore.length,
    },
    verticalSlug: vertical.slug,
    verticalLabel: vertical.label,
    summary: summaryOf(market, vertical, chosen, pieceCount, size),
    recommendations,
    pieces: pieceCount,
    nextActions: nextActions(caller, recommendations, { size, constraints, pieceCount }),
    sourceNotes: sourceNotes(market, signals.vintage),
  };
}

/** Returns all ZIP codes with a sufficient score, best first. */
async function candidatesOf(db: Database, market: CallMarket, request: PlanRequest) {
  const ranking = { zips: market.zips, vertical: request.vertical, ...request.constraints };
  return (await rankZips(db, ranking, { limit: market.zips.length })).rows;
}

function isAllowed(
  zip: string,
  { excludeZips, excludeHeld }: PlanConstraints,
  holders: ReadonlyMap<string, unknown>,
): boolean {
  return !excludeZips?.includes(zip) && !(excludeHeld && holders.has(zip));
}

const neighborsInPlan = (planned: ReadonlySet<string>, zip: string, adjacency: Adjacency) =>
  neighborsOf(adjacency, zip)
    .filter((neighbor) => planned.has(neighbor))
    .sort();

const demandOf = (score: number) =>
  DEMAND[DEMAND.length - 1 - Math.min(Math.floor(score / 20), DEMAND.length - 1)]!;

/** Caps the percentage at 99: the best ZIP codes are in the top hundredth, not above all. */
const demandReason = (score: number) =>
  `Demand is ${demandOf(score)}, higher than in about ${Math.min(score, 99)}% of ZIP codes`;

const adjacencyReason = (adjacentZips: readonly string[]) =>
  adjacentZips.length === 0
    ? []
    : [`Borders ${pluralize(adjacentZips.length, 'other ZIP code')} of the plan`];

/** A ZIP code that is newer than the demographics has no signals. */
function driversOfZip(zip: string, { inputs }: Vertical, { rowOf, ranks }: NationalSignals) {
  const row = rowOf.get(zip);
  return row === undefined ? { lifts: [], lowers: [] } : driversOf(inputs, ranks, row, MAX_REASONS);
}

function summaryOf(
  market: CallMarket,
  { label }: Vertical,
  chosen: readonly RankedZipRow[],
  pieceCount: number,
  size: number,
): string {
  const scores = chosen.map(({ score }) => score);
  const households = chosen.reduce((sum, zip) => sum + (zip.households ?? 0), 0);
  const [lowest, highest] = [Math.min(...scores), Math.max(...scores)];
  const range =
    lowest === highest ? `a score of ${highest}` : `scores from ${highest} to ${lowest}`;
  return [
    `${pluralize(chosen.length, 'ZIP code')} of ${market.name} for ${label}, with ${range} and ` +
      `${pluralize(households, 'household')}.`,
    ...(chosen.length > 1
      ? [
          pieceCount === 1
            ? 'They form one connected area.'
            : `They form ${pieceCount} separate areas.`,
        ]
      : []),
    ...(chosen.length < size ? [`Only these meet the constraints; ${size} were requested.`] : []),
  ].join(' ');
}

function nextActions(
  caller: Caller,
  recommendations: TerritoryPlan['recommendations'],
  plan: { size: number; constraints: PlanConstraints; pieceCount: number },
): TerritoryPlan['nextActions'] {
  const held = recommendations.filter(({ heldBy }) => heldBy.length > 0).map((r) => r.zipCode);
  const actions: TerritoryPlan['nextActions'] = [];
  if (held.length > 0) {
    actions.push({
      action:
        `Check the ZIP codes that your brands already hold (${joinFirst(held, 10)}): ` +
        'requesting them for another brand makes them shared.',
      tool: 'service_get_brand_territory',
    });
  }
  const denial = whyWritesAreDenied(caller);
  actions.push(
    denial === undefined
      ? {
          action:
            'Request these ZIP codes for one of your brands. They go live once a reviewer approves them.',
          tool: 'service_apply_territory',
        }
      : { action: `Get write access first. ${denial}`, tool: null },
    {
      action: 'View the brand’s territory on a map.',
      tool: 'service_render_territory_map',
    },
  );
  if (recommendations.length < plan.size) {
    actions.push({
      action: plan.constraints.contiguous
        ? 'For a larger territory, drop the contiguous constraint or lower the minimum score.'
        : 'For a larger territory, lower the minimum score or search nearby.',
      tool: 'service_discover_zips',
    });
  } else if (plan.pieceCount > 1) {
    actions.push({
      action: 'For one connected area, plan again with constraints.contiguous.',
      tool: null,
    });
  }
  return actions;
}

function sourceNotes({ vintage, withoutScoreReasons }: CallMarket, demographics: string) {
  const notes = [
    `Scores: ${vintage}. A score of 83 means higher demand than in about 83% of ZIP codes.`,
    `Reasons compare with all populated ZIP codes of the country: ${demographics}.`,
  ];
  return [
    ...notes,
    ...withoutScoreReasons.map(
      ({ reason, zips }) => `Left out, no score (${reason}): ${joinFirst(zips, 10)}.`,
    ),
  ];
}
