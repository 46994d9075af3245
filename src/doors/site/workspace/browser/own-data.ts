/** The organization's own data sets in the market, for the parts of the page that show their totals. */
import { measuresIn } from './config.ts';
import type { Market, MarketData } from './market.ts';
import { dataOf, dataSlugOf, type Measure } from './measures.ts';
import type { WorkspaceState } from './state.ts';
import { whiteSpaceOf } from './white-space/white-space-of.ts';

interface DataMeasure {
  set: MarketData;
  /** Its amounts */
  measure: Measure;
}

const known = new WeakMap<Market['dataSets'], DataMeasure[]>();

/** Returns the data sets of a market with their measures. */
export function dataMeasures(market: Market): DataMeasure[] {
  const found = known.get(market.dataSets);
  if (found) return found;
  const measures = new Map(measuresIn(market).map((measure) => [measure.name, measure]));
  const list = [...market.dataSets.values()].map((set) => ({
    set,
    measure: measures.get(dataOf(set.slug))!,
  }));
  known.set(market.dataSets, list);
  return list;
}

/** Returns the data set whose amounts, rates, or white space the map shows, or null. */
export function dataOnMap(state: WorkspaceState): DataMeasure | null {
  const { market, colorBy } = state;
  const slug = whiteSpaceOf(state)?.set.slug ?? dataSlugOf(colorBy);
  return (market && dataMeasures(market).find(({ set }) => set.slug === slug)) ?? null;
}
