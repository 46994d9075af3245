/** The solver's request for a first territory, and the description of its answer. Pure. */
import type { Draft, DraftTerritory } from '../territories/draft.ts';
import { figuresIn } from '../territories/figures.ts';
import type { Market } from '../market.ts';
import { formatMeasure, scoreOf } from '../measures.ts';
import type { SolveForm } from './solve-task.ts';

/** Households of a typical first territory */
const TARGET = 50_000;
/** Mean score of all ZIP codes in the country, because a score is a national rank */
const AVERAGE_SCORE = 50;
const SECONDS = 5;

/** Returns the empty territory of a brand; null if any brand has ZIP codes or there is no brand. */
export function firstTerritoryIn({ territories }: Draft): DraftTerritory | null {
  if (territories.some(({ zips }) => zips.size > 0)) return null;
  return territories.find(({ brand }) => brand !== null) ?? null;
}

/**
 * Whether the solver may use the figures of a market. If not, the viewer is asked first
 * (`controls/figures-question.tsx`).
 */
export const canPropose = (market: Pick<Market, 'asksForFigures'> | null): boolean =>
  market !== null && !market.asksForFigures;

/** Returns the draft in which the territory has its home. */
export const withHome = ({ territories }: Draft, own: DraftTerritory, home: number): Draft => ({
  territories: territories.map((one) => (one === own ? { ...one, zips: new Set([home]) } : one)),
});

/**
 * Requests as much demand as the target's households have at an average score, so that a territory is
 * larger where the trade has fewer customers.
 */
export const firstTerritoryForm = (own: DraftTerritory, vertical: string): SolveForm => ({
  ...{ task: 'grow', territory: own.number, target: (TARGET * AVERAGE_SCORE) / 100 },
  ...{ balance: 'opportunity', vertical, seconds: SECONDS },
  ...{ sizeBy: 'count', count: 1, minimum: 0, maximum: 0, keep: [], seeds: [], reach: 0 },
  ...{ reachUnit: 'miles', together: [], apart: [], wholeCounties: false, excludeHeld: false },
});

/** @param trade label of the vertical */
export function describeFirstTerritory(
  market: Market,
  { zips }: DraftTerritory,
  { slug, label: trade }: { slug: string; label: string },
): string[] {
  const { households, opportunity } = figuresIn(market, scoreOf(slug))(zips);
  const average = formatMeasure((100 * opportunity) / AVERAGE_SCORE, 'count');
  return [
    `${zips.size} ${zips.size === 1 ? 'ZIP code' : 'ZIP codes'} with ` +
      `${formatMeasure(households, 'count')} households. Weighted by their ${trade} ` +
      `scores, they equal ${average} households with an average score.`,
    'Accept the proposal, then add or remove ZIP codes. Nothing goes live until you send it to review and a reviewer approves it.',
  ];
}
