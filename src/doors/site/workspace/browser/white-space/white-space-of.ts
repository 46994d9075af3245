/** White space in the market: the class of each ZIP code by its score and the rate of a data set. */
import {
  isLocalShare,
  LOCAL_MILES,
  medianRate,
  WHITE_SPACE_CLASSES,
  whiteSpaceClass,
  type WhiteSpaceClass,
  type WhiteSpaceLimits,
} from '../../../../../territories/own-data/white-space.ts';
import type { Market, MarketData } from '../market.ts';
import { dataOf, rateOf } from '../measures.ts';
import { scoreColumn } from '../selection/actions.ts';
import { milesFrom } from '../selection/distance.ts';
import type { WorkspaceState } from '../state.ts';
import type { Draft } from '../territories/draft.ts';
import { refusedOnMap, type Refused } from '../territories/refusals.ts';

export interface WhiteSpace {
  set: MarketData;
  /** Name of the column */
  scoresOf: string;
  /** By number of ZIP code; NaN where unknown */
  scores: Float64Array;
  rates: Float64Array;
  limits: WhiteSpaceLimits;
  /** Median rate of the ZIP codes with an amount; null if none has one */
  median: number | null;
  classes: readonly (WhiteSpaceClass | null)[];
  /** Number of ZIP codes that aren’t compared, because they are too far from the territories or from local amounts */
  tooFar: number;
  /** Whether the amounts are local */
  isLocal: boolean;
  totals: Readonly<Record<WhiteSpaceClass, ClassTotals>>;
}

interface ClassTotals {
  zips: ReadonlySet<number>;
  ownerHouseholds: number;
  amount: number;
}

/** The data sets that can be compared with owner households */
export const comparable = ({ columns, dataSets }: Market): MarketData[] =>
  [...dataSets.values()].filter(({ slug }) => columns.has(rateOf(slug)));

type Asked = Pick<WorkspaceState, 'market' | 'colorBy' | 'whiteSpace'>;
type View = Asked & Pick<WorkspaceState, 'refusals' | 'draft' | 'target'>;

let known:
  | {
      asked: Asked;
      /** That distances are from; null without a limit */
      draft: Draft | null;
      refused: Refused;
      found: WhiteSpace | null;
    }
  | undefined;

/**
 * Returns the white space that the map shows; null for other colors, or without figures or data sets. What rules refuse
 * isn't white space.
 */
export function whiteSpaceOf(view: View): WhiteSpace | null {
  const { market, colorBy, whiteSpace } = view;
  const { asked } = known ?? {};
  const draft = whiteSpace?.withinMiles == null ? null : view.draft;
  const refused = refusedOnMap(view);
  if (
    asked?.market !== market ||
    asked?.colorBy !== colorBy ||
    asked?.whiteSpace !== whiteSpace ||
    known?.draft !== draft ||
    known?.refused !== refused
  ) {
    const scoresOf = scoreColumn({ colorBy });
    const found = market && whiteSpace && compute(market, scoresOf, whiteSpace, refused, draft);
    known = { asked: { market, colorBy, whiteSpace }, draft, refused, found };
  }
  return known!.found;
}

function compute(
  market: Market,
  scoresOf: string,
  { data, strongFrom, servedFrom, withinMiles = null }: NonNullable<WorkspaceState['whiteSpace']>,
  refused: Refused,
  draft: Draft | null,
): WhiteSpace | null {
  const sets = comparable(market);
  // A view may be linked with a data set that this market doesn't have.
  const set = sets.find(({ slug }) => slug === data) ?? sets[0];
  const scores = market.columns.get(scoresOf);
  if (!set || !scores) return null;
  const rates = market.columns.get(rateOf(set.slug))!;
  const median = medianRate(rates);
  const limits = { strongFrom, servedFrom: servedFrom ?? median ?? 0 };
  const nullable = (value: number) => (Number.isNaN(value) ? null : value);
  const [owners, amounts] = ['ownerOccupiedHouseholds', dataOf(set.slug)].map((name) =>
    market.columns.get(name),
  );
  const sold = new Set([...amounts!.keys()].filter((zip) => amounts![zip]! > 0));
  const toAmount = milesFrom(market, sold);
  const isNear = (zip: number) => toAmount[zip]! <= LOCAL_MILES;
  const near = [...toAmount.keys()].filter(isNear).length;
  const isLocal = sold.size > 0 && isLocalShare(near, toAmount.length);
  const filled = (draft?.territories ?? []).filter(({ zips }) => zips.size > 0);
  const toTerritories = filled.map(({ zips }) => milesFrom(market, zips));
  // Without a territory, there is no distance to limit.
  const isTooFar = (zip: number) =>
    (isLocal && !isNear(zip)) ||
    (withinMiles !== null &&
      toTerritories.length > 0 &&
      !toTerritories.some((miles) => miles[zip]! <= withinMiles));
  const far = new Set([...market.zips.keys()].filter(isTooFar));
  const classes = Array.from(scores, (score, zip) =>
    refused.has(zip) || far.has(zip)
      ? null
      : whiteSpaceClass(nullable(score), nullable(rates[zip]!), limits),
  );
  const totalsOf = (name: WhiteSpaceClass): ClassTotals => {
    const zips = new Set([...classes.keys()].filter((zip) => classes[zip] === name));
    const total = (values: Float64Array) =>
      [...zips].reduce((sum, zip) => sum + (values[zip]! || 0), 0);
    return { zips, ownerHouseholds: total(owners!), amount: total(amounts!) };
  };
  const totals = Object.fromEntries(
    WHITE_SPACE_CLASSES.map((name) => [name, totalsOf(name)]),
  ) as WhiteSpace['totals'];
  return {
    set,
    scoresOf,
    scores,
    rates,
    limits,
    median,
    classes,
    tooFar: far.size,
    isLocal,
    totals,
  };
}

/** Returns the ZIP codes in white space, best first: the highest scores, then the lowest rates. */
export const bestWhiteSpace = ({ totals, scores, rates }: WhiteSpace): number[] =>
  [...totals.white.zips].sort((a, b) => scores[b]! - scores[a]! || rates[a]! - rates[b]! || a - b);

/** Returns the names of the measures that color the map. */
export function measuresOnMap(state: WorkspaceState): string[] {
  const space = whiteSpaceOf(state);
  if (!space) return [state.colorBy];
  return [space.scoresOf, rateOf(space.set.slug), dataOf(space.set.slug)];
}
