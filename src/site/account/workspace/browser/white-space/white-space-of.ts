/** White space in the market: the class of each ZIP code by its score and the rate of a data set. */
import {
  medianRate,
  WHITE_SPACE_CLASSES,
  whiteSpaceClass,
  type WhiteSpaceClass,
  type WhiteSpaceLimits,
} from '../../../../../own-data/white-space.ts';
import type { Market, MarketData } from '../market.ts';
import { dataOf, rateOf } from '../measures.ts';
import { scoreColumn } from '../selection/actions.ts';
import type { WorkspaceState } from '../state.ts';

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
  totals: Readonly<Record<WhiteSpaceClass, ClassTotals>>;
}

export interface ClassTotals {
  zips: ReadonlySet<number>;
  ownerHouseholds: number;
  amount: number;
}

/** The data sets that can be compared with owner households */
export const comparable = ({ columns, dataSets }: Market): MarketData[] =>
  [...dataSets.values()].filter(({ slug }) => columns.has(rateOf(slug)));

type Asked = Pick<WorkspaceState, 'market' | 'colorBy' | 'whiteSpace'>;

let known: { asked: Asked; found: WhiteSpace | null } | undefined;

/** Returns the white space that the map shows; null for other colors, or without figures or data sets. */
export function whiteSpaceOf({ market, colorBy, whiteSpace }: Asked): WhiteSpace | null {
  const { asked } = known ?? {};
  if (asked?.market !== market || asked?.colorBy !== colorBy || asked?.whiteSpace !== whiteSpace) {
    const found = market && whiteSpace && compute(market, scoreColumn({ colorBy }), whiteSpace);
    known = { asked: { market, colorBy, whiteSpace }, found };
  }
  return known!.found;
}

function compute(
  market: Market,
  scoresOf: string,
  { data, strongFrom, servedFrom }: NonNullable<WorkspaceState['whiteSpace']>,
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
  const classes = Array.from(scores, (score, zip) =>
    whiteSpaceClass(nullable(score), nullable(rates[zip]!), limits),
  );
  const [owners, amounts] = ['ownerOccupiedHouseholds', dataOf(set.slug)].map((name) =>
    market.columns.get(name),
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
  return { set, scoresOf, scores, rates, limits, median, classes, totals };
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
