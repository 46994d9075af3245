/** Converts demographics into signals: one value per ZIP code and its national rank. */
import type { CensusFigure, Figures } from '../ingest/demographics.ts';
import { builtAtAge, shareBuilt, type YearRange } from './home-age.ts';
import { percentiles } from './percentile.ts';

/** `volume`: the number of possible buyers; `propensity`: how likely they are to buy */
export type SignalKind = 'volume' | 'propensity';

export interface ScoringSignal {
  kind: SignalKind;
  /** Display text */
  label: string;
  /** Texts that compare a ZIP code with more of the signal, or less, to others. Default: depends on `unit` */
  compared?: readonly [more: string, less: string];
  /** ACS table with the figures */
  source: string;
  /** Returns the value in any unit, since only its rank counts, or NaN if unknown. `asOfYear`: see `rankSignals`. */
  value(zip: Figures, asOfYear: number): number;
  /** Unit of the value that people see */
  unit: 'households' | 'dollars' | 'percent' | 'years';
  /** Returns the value that people see. Default: `value` */
  shown?(zip: Figures, asOfYear: number): number;
}

/** Makes a signal from a census figure, with the figure's name. */
const figureOf =
  (kind: SignalKind) =>
  <Id extends CensusFigure>(id: Id, source: string, unit: ScoringSignal['unit'], label: string) =>
    ({
      [id]: { kind, label, source, unit, value: (zip: Figures) => knownOrNaN(zip[id]) },
    }) as unknown as Record<Id, ScoringSignal>;

const volume = figureOf('volume');
const propensity = figureOf('propensity');

/** The signals of all verticals. Counts have no logarithm, because it wouldn't change their ranks. */
export const SIGNALS = {
  ...volume('householdsTotal', 'B25003', 'households', 'Households'),
  ...volume('ownerOccupiedHouseholds', 'B25003', 'households', 'Owner households'),
  ...propensity('ownerOccupiedPct', 'B25003', 'percent', 'Share of households that own their home'),
  ...propensity('medianHouseholdIncome', 'B19013', 'dollars', 'Median household income'),
  ...propensity('medianHomeValue', 'B25077', 'dollars', 'Median home value'),
  ...propensity(
    'singleFamilyDetachedPct',
    'B25024',
    'percent',
    'Share of homes that are detached houses',
  ),
  ...propensity('medianAge', 'B01002', 'years', 'Median age of residents'),
  medianAgeNear30To50: {
    kind: 'propensity',
    label: 'Median age of residents near 30 to 50',
    compared: [
      'Median age of residents nearer to 30 to 50',
      'Median age of residents farther from 30 to 50',
    ],
    source: 'B01002',
    value: (zip) => -distanceToBand(knownOrNaN(zip.medianAge), 30, 50),
    unit: 'years',
    shown: (zip) => knownOrNaN(zip.medianAge),
  },
  homesBuiltBefore1980: homesBuilt(
    () => ({ from: -Infinity, to: 1979 }),
    'Share of homes built before 1980',
  ),
  homesAgedUpTo10: homesAged(0, 10, 'Share of homes up to 10 years old'),
  homesAged12To25: homesAged(12, 25, 'Share of homes 12 to 25 years old'),
  homesAged15To30: homesAged(15, 30, 'Share of homes 15 to 30 years old'),
  homesAged20To50: homesAged(20, 50, 'Share of homes 20 to 50 years old'),
  homesAged20Plus: homesAged(20, Infinity, 'Share of homes 20 or more years old'),
  homesAged26Plus: homesAged(26, Infinity, 'Share of homes 26 or more years old'),
  homesAged40Plus: homesAged(40, Infinity, 'Share of homes 40 or more years old'),
} as const satisfies Record<string, ScoringSignal>;

export type SignalId = keyof typeof SIGNALS;

/** A signal from an organization's own data: `territories/own-data/data-fields.ts` */
export type OwnSignal = `data:${string}` | `rate:${string}`;

/** A column of percentiles, 0..1, for each signal, in the order of the input. NaN if unknown. */
export type RankedSignals = Record<SignalId, Float64Array> &
  Readonly<Record<OwnSignal, Float64Array>>;

/**
 * Ranks each signal of each ZIP code as a percentile among populated ZIP codes. Unpopulated ones
 * (airports, parks, lakes) get NaN, because their zeros would raise all other ranks.
 *
 * @param asOfYear last year of the ACS vintage, e.g. 2023 for 2019-2023, from which home ages count
 */
export function rankSignals(zips: readonly Figures[], asOfYear: number): RankedSignals {
  const columns = Array.from(signalColumns(zips, asOfYear));
  return Object.fromEntries(
    columns.map(([id, column]) => [id, percentiles(column)]),
  ) as RankedSignals;
}

/** Yields the values of each signal, a column at a time. */
export function* signalColumns(
  zips: readonly Figures[],
  asOfYear: number,
): Generator<[string, Float64Array]> {
  const populated = zips.map(isPopulated);
  for (const [id, { value }] of Object.entries<ScoringSignal>(SIGNALS)) {
    const column = new Float64Array(zips.length);
    for (let i = 0; i < zips.length; i++) {
      column[i] = populated[i] ? value(zips[i]!, asOfYear) : NaN;
    }
    yield [id, column];
  }
}

/** Returns whether a ZIP code has residents or, if their number is unknown, households. */
function isPopulated(zip: Figures): boolean {
  const population = knownOrNaN(zip.populationTotal);
  return (Number.isNaN(population) ? knownOrNaN(zip.householdsTotal) : population) > 0;
}

/**
 * Returns NaN for null and negative values. ACS figures are never negative: a negative number is a
 * Census sentinel, such as -666666666. Imports turn sentinels into null, but a missed one would rank as
 * the lowest income in the country.
 */
function knownOrNaN(value: number | null): number {
  return value !== null && value >= 0 && value < Infinity ? value : NaN;
}

function distanceToBand(value: number, from: number, to: number): number {
  return Math.max(from - value, 0, value - to);
}

function homesAged(youngest: number, oldest: number, label: string) {
  return homesBuilt((asOfYear) => builtAtAge(youngest, oldest, asOfYear), label);
}

function homesBuilt(years: (asOfYear: number) => YearRange, label: string) {
  const value = (zip: Figures, asOfYear: number) => shareBuilt(zip, years(asOfYear), asOfYear);
  return {
    kind: 'propensity',
    label,
    source: 'B25034',
    value,
    unit: 'percent',
    shown: (zip: Figures, asOfYear: number) => 100 * value(zip, asOfYear),
  } as const;
}
