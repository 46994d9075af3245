/**
 * A plan for a territory: which ZIPs of a market to go for, why, in words, and what to do next. It
 * tells neither weights nor more ZIPs than a territory has: the ranking itself is a tool's.
 */
import type { Caller } from '../account/caller.ts';
import type { Database } from '../db/database.ts';
import { notFound } from '../errors.ts';
import { rankZips, type RankedZipRow } from '../market/ranked-zips.ts';
import { verticalBySlug } from '../market/public/launched.ts';
import { driversOf } from '../scoring/drivers.ts';
import { nationalSignals, type NationalSignals } from '../scoring/national-signals.ts';
import type { Vertical } from '../scoring/verticals.ts';
import { neighborsOf, readAdjacency, type Adjacency } from '../territory/adjacency.ts';
import { pieces } from '../territory/contiguity.ts';
import { holdersOf } from '../territory/holders.ts';
import { grow } from './grow.ts';
import { askedMarket, type AskedMarket } from './market.ts';
import {
  DEMAND,
  type PlanAsked,
  type PlanConstraints,
  type TerritoryPlan,
} from './territory-plan-schema.ts';
import { counted, listed } from '../words.ts';
import { writeHindrance } from './write-hindrance.ts';

/** Signals that are named for a ZIP, and against it. */
const MOST_REASONS = 3;
const MOST_CAUTIONS = 1;

/**
 * @throws ServiceError 400 unless the market is either a metro or ZIPs; 404 for a metro that is not
 *   launched, and where no ZIP has a score or meets the constraints; 503 before there are data
 */
export async function planTerritory(
  db: Database,
  caller: Caller,
  asked: PlanAsked,
): Promise<TerritoryPlan> {
  const { size, constraints = {} } = asked;
  const vertical = verticalBySlug(asked.vertical);
  const market = await askedMarket(db, asked);
  const [candidates, adjacency, holders, signals] = await Promise.all([
    candidatesOf(db, market, asked),
    readAdjacency(db, market.zips),
    holdersOf(caller.tenant, caller.brandScope, market.zips),
    nationalSignals(db),
  ]);
  const allowed = candidates.filter(({ zip }) => isAllowed(zip, constraints, holders));
  if (allowed.length === 0) {
    throw notFound(
      `No ZIP of ${market.name} meets the constraints: lower minScore or exclude fewer ZIPs.`,
    );
  }
  const chosen = constraints.contiguous ? grow(allowed, adjacency, size) : allowed.slice(0, size);
  const planned = new Set(chosen.map(({ zip }) => zip));
  const recommendations = chosen.map((row, index) => {
    const { zip, city, state, score } = row;
    const adjacentZips = neighborsWithin(planned, zip, adjacency);
    const { lifts, lowers } = driversOfZip(zip, vertical, signals);
    return {
      rank: index + 1,
      ...{ zipCode: zip, city, state, score, demand: demandOf(score) },
      reasons: [demandReason(score), ...lifts, ...adjacencyReason(adjacentZips)],
      cautions: lowers.slice(0, MOST_CAUTIONS),
      adjacentZips,
      heldBy: holders.get(zip) ?? [],
    };
  });
  const pieceCount = pieces(planned, adjacency).length;
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

/** All that have a score that is high enough, best first. */
async function candidatesOf(db: Database, market: AskedMarket, asked: PlanAsked) {
  const ranking = { zips: market.zips, vertical: asked.vertical, ...asked.constraints };
  return (await rankZips(db, ranking, { limit: market.zips.length })).rows;
}

function isAllowed(
  zip: string,
  { excludeZips, excludeHeld }: PlanConstraints,
  holders: ReadonlyMap<string, string[]>,
): boolean {
  return !excludeZips?.includes(zip) && !(excludeHeld && holders.has(zip));
}

const neighborsWithin = (planned: ReadonlySet<string>, zip: string, adjacency: Adjacency) =>
  [...neighborsOf(adjacency, zip)].filter((neighbor) => planned.has(neighbor)).sort();

const demandOf = (score: number) =>
  DEMAND[DEMAND.length - 1 - Math.min(Math.floor(score / 20), DEMAND.length - 1)]!;

/** The best are in the highest hundredth, not above all. */
const demandReason = (score: number) =>
  `Demand is ${demandOf(score)}: it fits better than about ${Math.min(score, 99)} % of the country`;

const adjacencyReason = (adjacentZips: readonly string[]) =>
  adjacentZips.length === 0
    ? []
    : [`Borders on ${counted(adjacentZips.length, 'other ZIP')} of the plan`];

/** A ZIP that came with later boundaries than the demographics has no signals to be told. */
function driversOfZip(zip: string, { inputs }: Vertical, { rowOf, ranks }: NationalSignals) {
  const row = rowOf.get(zip);
  return row === undefined
    ? { lifts: [], lowers: [] }
    : driversOf(inputs, ranks, row, MOST_REASONS);
}

function summaryOf(
  market: AskedMarket,
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
    `${counted(chosen.length, 'ZIP')} of ${market.name} for ${label}, with ${range} and ` +
      `${counted(households, 'household')}.`,
    ...(chosen.length > 1
      ? [pieceCount === 1 ? 'They hang together.' : `They fall into ${pieceCount} separate areas.`]
      : []),
    ...(chosen.length < size ? [`${size} were asked for; no more meet the constraints.`] : []),
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
        `Look at what your brands hold already (${listed(held, 10)}): ` +
        'applying again makes the ZIPs shared.',
      tool: 'service_get_brand_territory',
    });
  }
  const hindrance = writeHindrance(caller);
  actions.push(
    hindrance === undefined
      ? {
          action:
            'Apply for these ZIPs for one of your brands: they go live when a person has approved them.',
          tool: 'service_apply_territory',
        }
      : { action: `Have changes allowed first. ${hindrance}`, tool: null },
    {
      action: 'Look at the brand’s territory on a map before and after.',
      tool: 'service_render_territory_map',
    },
  );
  if (recommendations.length < plan.size) {
    actions.push({
      action: plan.constraints.contiguous
        ? 'For a larger territory, allow ZIPs that do not hang together or a lower score.'
        : 'For a larger territory, allow a lower score or look around it.',
      tool: 'service_discover_zips',
    });
  } else if (plan.pieceCount > 1) {
    actions.push({
      action: 'If one connected territory is wanted, ask again with constraints.contiguous.',
      tool: null,
    });
  }
  return actions;
}

function sourceNotes({ vintage, withoutScore, metroSlug }: AskedMarket, demographics: string) {
  const notes = [
    `Scores: ${vintage}. A score of 83 fits better than about 83 % of the country's ZIPs.`,
    `Reasons compare a ZIP with all populated ZIPs of the country: ${demographics}.`,
  ];
  if (withoutScore.length > 0) {
    const why = metroSlug
      ? 'of them the census tells too little'
      : 'of them the census tells too little, or they are PO-box ZIPs, which cover no ground';
    notes.push(`Without a score and so left out: ${listed(withoutScore, 10)}; ${why}.`);
  }
  return notes;
}
