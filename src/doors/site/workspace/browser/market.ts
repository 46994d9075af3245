/**
 * A market's columns: all data that the workspace has about its ZIP codes. A ZIP code's number is its index
 * in `zips`. Pure.
 */
import { ratePer1000 } from '../../../../territories/own-data/white-space.ts';
import {
  changedIn,
  clearOf,
  dataOf,
  formatMeasure,
  marginOf,
  rateOf,
  type Measure,
} from './measures.ts';

/** West, south, east, north */
export type Bbox = readonly [number, number, number, number];

export interface Market {
  /** `dallas-tx`, `TX`, or the id of a plan */
  id: string;
  label: string;
  bbox: Bbox;
  /** Ascending */
  zips: readonly string[];
  numbers: ReadonlyMap<string, number>;
  /** Label points or, without a boundary, the Census Bureau's interior points; NaN if unknown */
  lon: Float64Array;
  lat: Float64Array;
  /** 0 without a boundary */
  areaKm2: Float64Array;
  perimeterKm: Float64Array;
  borders: Borders;
  /** Pairs that the solver counts as adjacent: over water or a gap, and to ZIP codes without a boundary */
  bridges: readonly (readonly [number, number])[];
  /** Postal city and state, `Dallas, TX`; empty if unknown */
  places: readonly string[];
  /** Census codes; empty if unknown */
  counties: readonly string[];
  /** By name (`browser/measures.ts`); NaN where unknown */
  columns: ReadonlyMap<string, Float64Array>;
  /** The organization's own data sets with an amount in the market, by short name. Their amounts are columns. */
  dataSets: ReadonlyMap<string, MarketData>;
  /** The two periods whose figures changes compare, such as `2013-2017 and 2018-2022`; null without any */
  changePeriods: string | null;
  /** Reason why there are no figures and what to do, in sentences; null if there are */
  withheld: string | null;
  /** Whether the figures are withheld until the viewer asks for them */
  asksForFigures: boolean;
}

/** An own data set: `territories/own-data/data-sets.ts` */
export interface MarketData {
  /** Short name */
  slug: string;
  name: string;
  addsUp: 'sum' | 'mean';
  /** `count`, `dollars`, or words such as `hours` */
  unit: string;
  /** In words, such as `2025` */
  period: string | null;
  /** Number of rows behind each amount; null for sums */
  rows: readonly number[] | null;
}

/** Common borders in the market. Those of number `i` are from `starts[i]` up to `starts[i + 1]`. */
interface Borders {
  starts: Uint32Array;
  neighbors: Uint32Array;
  km: Float32Array;
}

/**
 * A market in the server's format. Lists of texts are separated by spaces or line breaks; null means
 * unknown.
 */
export interface MarketAnswer {
  id: string;
  label: string;
  bbox: Bbox;
  /** Separated by spaces */
  zips: string;
  lon: (number | null)[];
  lat: (number | null)[];
  areaKm2: number[];
  perimeterKm: number[];
  /** For each ZIP code, how many neighbors it has */
  neighborCounts: number[];
  neighbors: number[];
  borderKm: number[];
  bridges: (readonly [number, number])[];
  /** Different places, and the index of each ZIP code's */
  placeNames: string[];
  places: number[];
  /** Different counties, and the index of each ZIP code's */
  countyCodes: string[];
  counties: number[];
  columns: Record<string, (number | null)[]>;
  dataSets: (MarketData & { amounts: (number | null)[] })[];
  changePeriods: string | null;
  withheld: string | null;
  asksForFigures: boolean;
}

export function readMarket(answer: MarketAnswer): Market {
  const zips = answer.zips === '' ? [] : answer.zips.split(' ');
  const starts = new Uint32Array(zips.length + 1);
  for (const [i, count] of answer.neighborCounts.entries()) starts[i + 1] = starts[i]! + count;
  const { id, label, bbox, bridges, changePeriods, withheld, asksForFigures } = answer;
  return {
    id,
    label,
    bbox,
    bridges,
    changePeriods,
    withheld,
    asksForFigures,
    zips,
    numbers: new Map(zips.map((zip, i) => [zip, i])),
    lon: numbersOf(answer.lon),
    lat: numbersOf(answer.lat),
    areaKm2: Float64Array.from(answer.areaKm2),
    perimeterKm: Float64Array.from(answer.perimeterKm),
    borders: {
      starts,
      neighbors: Uint32Array.from(answer.neighbors),
      km: Float32Array.from(answer.borderKm),
    },
    places: answer.places.map((i) => answer.placeNames[i] ?? ''),
    counties: answer.counties.map((i) => answer.countyCodes[i] ?? ''),
    columns: readColumns(answer),
    dataSets: new Map(answer.dataSets.map(({ amounts: _, ...set }) => [set.slug, set])),
  };
}

/** Rates are computed here, so that no amount is sent twice. */
function readColumns({ columns, dataSets }: MarketAnswer): Map<string, Float64Array> {
  const read = new Map(Object.entries(columns).map(([name, list]) => [name, numbersOf(list)]));
  const owners = read.get('ownerOccupiedHouseholds');
  for (const { slug, addsUp, amounts } of dataSets) {
    const values = numbersOf(amounts);
    read.set(dataOf(slug), values);
    if (!owners || addsUp !== 'sum') continue;
    read.set(
      rateOf(slug),
      values.map((amount, zip) => ratePer1000(amount, owners[zip]!) ?? NaN),
    );
  }
  return read;
}

/** Whether a measure's value is a change within its margin of error. */
export function isUnclear({ columns }: Market, { name }: Measure, zip: number): boolean {
  const measure = changedIn(name);
  return measure !== null && columns.get(clearOf(measure))?.[zip] === 0;
}

/** Formats a value of a ZIP code for people, a change with its margin of error: `+4.2% ±1.1`. */
export function formatMeasureAt(market: Market, measure: Measure, zip: number): string {
  const text = formatMeasure(market.columns.get(measure.name)?.[zip] ?? NaN, measure.unit);
  const changed = changedIn(measure.name);
  const margin = changed === null ? NaN : (market.columns.get(marginOf(changed))?.[zip] ?? NaN);
  return Number.isNaN(margin) ? text : `${text} ±${margin.toFixed(1)}`;
}

const numbersOf = (values: readonly (number | null)[]) =>
  Float64Array.from(values, (value) => value ?? NaN);

/** Returns the numbers of the ZIP codes that are in the market. */
export function numbersIn(market: Pick<Market, 'numbers'>, zips: Iterable<string>): Set<number> {
  const numbers = new Set<number>();
  for (const zip of zips) {
    const number = market.numbers.get(zip);
    if (number !== undefined) numbers.add(number);
  }
  return numbers;
}

/** Degrees that ZIP codes may extend beyond their centers */
const MARGIN = 0.06;

/** Returns a box around the centers of ZIP codes; null if none has one. */
export function bboxOf({ lon, lat }: Market, zips: Iterable<number>): Bbox | null {
  const placed = [...zips].filter((zip) => !Number.isNaN(lon[zip]!));
  if (placed.length === 0) return null;
  const [lons, lats] = [lon, lat].map((values) => placed.map((zip) => values[zip]!));
  return [
    Math.min(...lons!) - MARGIN,
    Math.min(...lats!) - MARGIN,
    Math.max(...lons!) + MARGIN,
    Math.max(...lats!) + MARGIN,
  ];
}
