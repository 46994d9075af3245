/**
 * Plans a territory: recommends ZIP codes of a market, with reasons and next steps. A plan reveals no weights.
 * service_score_territory returns the whole ranking.
 */
import type { Caller } from '../../../people/account/caller.ts';
import type { Database } from '../../../base/db/database.ts';
import { driversOf } from '../../../data/scoring/drivers.ts';
import { nationalSignals, type NationalSignals } from '../../../data/scoring/national-signals.ts';
import { type Vertical, verticalBySlug } from '../../../data/scoring/verticals.ts';
import { joinFirst, pluralize } from '../../../base/text/words.ts';
import {
  chooseTerritory,
  type ChosenTerritory,
  type Constraints,
} from '../../../territories/plans/choose.ts';
import { holderFields } from './fields.ts';
import type { CallMarket } from '../../../territories/plans/market.ts';
import { DEMAND, type PlanRequest, type TerritoryPlan } from './territory-plan-schema.ts';
import { refusalFor, WRITER } from '../../../people/account/access.ts';

/** Largest number of signals named for and against a ZIP code */
const MAX_REASONS = 3;
const MAX_CAUTIONS = 1;

/** @throws ServiceError as `chooseTerritory` */
export async function planTerritory(
  db: Database,
  caller: Caller,
  { constraints = {}, ...request }: PlanRequest,
): Promise<TerritoryPlan> {
  const vertical = verticalBySlug(request.vertical);
  const [territory, signals] = await Promise.all([
    chooseTerritory(db, caller, { ...request, ...constraints }),
    nationalSignals(db),
  ]);
  const { market, pieces } = territory;
  const recommendations = territory.zips.map(
    ({ rank, zip, city, state, score, adjacentZips, heldBy }) => {
      const { lifts, lowers } = driversOfZip(zip, vertical, signals);
      return {
        rank,
        zipCode: zip,
        city,
        state,
        score,
        demand: demandOf(score),
        reasons: [demandReason(score), ...lifts, ...adjacencyReason(adjacentZips)],
        cautions: lowers.slice(0, MAX_CAUTIONS),
        adjacentZips,
        ...holderFields(heldBy),
      };
    },
  );
  const plan = { size: request.size, constraints, pieces };
  return {
    market: {
      name: market.name,
      metroSlug: market.metroSlug,
      zipCount: market.zips.length,
      scoredZipCount: market.zips.length - market.withoutScore.length,
    },
    verticalSlug: vertical.slug,
    verticalLabel: vertical.label,
    summary: summaryOf(territory, vertical, request.size),
    recommendations,
    pieces,
    nextActions: nextActions(caller, recommendations, plan),
    sourceNotes: sourceNotes(market, signals.vintage),
  };
}

const demandOf = (score: number) =>
  DEMAND[DEMAND.length - 1 - Math.min(Math.floor(score / 20), DEMAND.length - 1)]!;

/** Describes the demand. Caps the percentage at 99, because no ZIP code is above all. */
const demandReason = (score: number) =>
  `Demand is ${demandOf(score)}, higher than in about ${Math.min(score, 99)}% of ZIP codes`;

const adjacencyReason = (adjacentZips: readonly string[]) =>
  adjacentZips.length === 0
    ? []
    : [`Borders ${pluralize(adjacentZips.length, 'other ZIP code')} of the plan`];

/** Returns the drivers of a ZIP code's score. A ZIP code that is newer than the demographics has none. */
function driversOfZip(zip: string, { inputs }: Vertical, { rowOf, ranks }: NationalSignals) {
  const row = rowOf.get(zip);
  return row === undefined ? { lifts: [], lowers: [] } : driversOf(inputs, ranks, row, MAX_REASONS);
}

/** Describes the territory in a few sentences. */
export function summaryOf(
  { market, zips, pieces }: ChosenTerritory,
  { label }: Vertical,
  size: number,
): string {
  const scores = zips.map(({ score }) => score);
  const households = zips.reduce((sum, zip) => sum + (zip.households ?? 0), 0);
  const [lowest, highest] = [Math.min(...scores), Math.max(...scores)];
  const range =
    lowest === highest ? `a score of ${highest}` : `scores from ${highest} to ${lowest}`;
  return [
    `${pluralize(zips.length, 'ZIP code')} of ${market.name} for ${label}, with ${range} and ` +
      `${pluralize(households, 'household')}.`,
    ...(zips.length > 1
      ? [pieces === 1 ? 'They form one connected area.' : `They form ${pieces} separate areas.`]
      : []),
    ...(zips.length < size ? [`Only these meet the constraints; ${size} were requested.`] : []),
  ].join(' ');
}

function nextActions(
  caller: Caller,
  recommendations: TerritoryPlan['recommendations'],
  plan: { size: number; constraints: Constraints; pieces: number },
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
  const denial = refusalFor(caller, WRITER);
  actions.push(
    denial === undefined
      ? {
          action:
            'Request these ZIP codes for one of your brands. They go live once a reviewer approves them.',
          tool: 'service_apply_territory',
        }
      : { action: `Get write access first. ${denial}`, tool: null },
    { action: 'View the brand’s territory on a map.', tool: 'service_render_territory_map' },
  );
  if (recommendations.length < plan.size) {
    actions.push({
      action: plan.constraints.contiguous
        ? 'For a larger territory, drop the contiguous constraint or lower the minimum score.'
        : 'For a larger territory, lower the minimum score or search nearby.',
      tool: 'service_discover_zips',
    });
  } else if (plan.pieces > 1) {
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
