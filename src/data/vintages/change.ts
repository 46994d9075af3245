/** The change of census figures between two periods, with its margin of error at the 90% level. Pure. */
import type { CensusFigure } from '../ingest/demographics.ts';
import { builtLines, TABLE_OF_LINE, type Line, type LineValues } from '../ingest/vintages/lines.ts';
import {
  differ,
  differenceOf,
  EstimateSum,
  fractionalChange,
  proportionOf,
  scaled,
  sumOf,
  type Estimate,
} from '../statistics/margins.ts';
import { inflation } from '../statistics/prices.ts';
import type { Source } from './areas.ts';

/** `percent` is relative to the first period, `points` are percentage points, and `years` are a difference. */
export type ChangeUnit = 'percent' | 'points' | 'years';

/** Why a figure has no change */
export type NoChange = 'unknown' | 'median' | 'area' | 'prices' | 'period';

export interface FigureChange {
  figure: CensusFigure;
  unit: ChangeUnit;
  /** Last years of the two periods; null if no two periods of this figure can be compared */
  fromYear: number | null;
  toYear: number | null;
  /** Figures of both periods, as in `Demographics`. Dollars of the first one are inflated to those of the last year */
  from: number | null;
  to: number | null;
  /** Null if it can't be computed: see `why` */
  change: number | null;
  /** Margin of error of `change` at the 90% level */
  margin: number | null;
  /** Whether the two figures differ at the 90% level */
  isClear: boolean;
  why: NoChange | null;
}

interface Definition {
  unit: ChangeUnit;
  lines: readonly Line[];
  compute: (of: (line: Line) => Estimate) => Estimate | null;
  /** Whether those of several ZIP codes follow from the sums of their lines */
  addsUp: boolean;
  isMoney?: true;
}

const count = (line: Line): Definition => ({
  unit: 'percent',
  lines: [line],
  compute: (of) => of(line),
  addsUp: true,
});

const share = (parts: readonly Line[], whole: Line): Definition => ({
  unit: 'points',
  lines: [...parts, whole],
  compute: (of) => {
    const proportion = proportionOf(sumOf(parts.map(of)), of(whole));
    return proportion && scaled(proportion, 100);
  },
  addsUp: true,
});

const median = (line: Line, unit: ChangeUnit): Definition => ({
  unit,
  lines: [line],
  compute: (of) => of(line),
  addsUp: false,
  ...(unit === 'percent' && { isMoney: true }),
});

const DEFINITIONS: Readonly<Record<CensusFigure, Definition>> = {
  populationTotal: count('population'),
  householdsTotal: count('households'),
  medianHouseholdIncome: median('medianIncome', 'percent'),
  ownerOccupiedHouseholds: count('owners'),
  ownerOccupiedPct: share(['owners'], 'households'),
  medianHomeValue: median('medianHomeValue', 'percent'),
  singleFamilyDetachedPct: share(['detached'], 'homes'),
  medianAge: median('medianAge', 'years'),
  medianYearBuilt: median('medianYearBuilt', 'years'),
  homeAgePre1980Pct: share(builtLines(0, 5), 'homesBuilt'),
  homeAge19801999Pct: share(builtLines(5, 7), 'homesBuilt'),
  homeAge2000PlusPct: share(builtLines(7, 10), 'homesBuilt'),
};

/** The unit in which a figure's change is given */
export const changeUnit = (figure: CensusFigure): ChangeUnit => DEFINITIONS[figure].unit;

/** The census table that a figure comes from */
export const tableOfFigure = (figure: CensusFigure): string =>
  TABLE_OF_LINE[DEFINITIONS[figure].lines[0]!];

/** Whether a figure of several ZIP codes can be computed. Medians can't be added. */
export const addsUp = (figure: CensusFigure): boolean => DEFINITIONS[figure].addsUp;

/** A ZIP code in both periods */
export interface Pair {
  before: LineValues;
  after: LineValues;
  /** Whether its area changed in between, so that its medians are about different places */
  areaChanged: boolean;
  /** The areas of 2010 that `before` is computed from; default: only that of the ZIP code */
  sources?: readonly Source[];
}

/** Last years of two periods */
export interface Span {
  fromYear: number;
  toYear: number;
}

/**
 * The change of a figure of ZIP codes together. Those without an estimate and a margin in both periods are left out of
 * both.
 */
export class TotalChange {
  readonly figure: CensusFigure;
  readonly #definition: Definition;
  readonly #before: EstimateSum[];
  /** What `#before` lacks: areas of 2010 of which several ZIP codes may have a part */
  readonly #divided = new Map<string, Source>();
  readonly #after: EstimateSum[];
  #zips = 0;
  #known = 0;
  #areaChanged = false;

  constructor(figure: CensusFigure) {
    this.figure = figure;
    this.#definition = DEFINITIONS[figure];
    const { lines } = this.#definition;
    [this.#before, this.#after] = [
      lines.map(() => new EstimateSum()),
      lines.map(() => new EstimateSum()),
    ];
  }

  add({ before, after, areaChanged, sources }: Pair): void {
    const { lines } = this.#definition;
    this.#zips++;
    this.#areaChanged ||= areaChanged;
    if (!lines.every((line) => isKnown(before[line]) && isKnown(after[line]))) return;
    this.#known++;
    // Parts of the same estimate aren't independent: two halves have the margin of the whole.
    for (const { zip2010, weight, lines: whole } of sources ?? []) {
      const other = this.#divided.get(zip2010)?.weight ?? 0;
      this.#divided.set(zip2010, { zip2010, weight: other + weight, lines: whole });
    }
    for (const [i, line] of lines.entries()) {
      if (!sources) this.#before[i]!.add(before[line] as Estimate);
      this.#after[i]!.add(after[line] as Estimate);
    }
  }

  /** Returns the sums of the earlier period, in the order of the lines. */
  #sumsBefore(): EstimateSum[] {
    const { lines } = this.#definition;
    return lines.map((line, i) => {
      const sum = this.#before[i]!.copy();
      for (const { weight, lines: whole } of this.#divided.values()) {
        sum.add(scaled(whole[line] as Estimate, weight));
      }
      return sum;
    });
  }

  /** @param span null if no two periods can be compared */
  over(span: Span | null): FigureChange {
    const { figure } = this;
    const { unit, lines, compute, addsUp, isMoney } = this.#definition;
    const none = (why: NoChange): FigureChange => ({
      figure,
      unit,
      fromYear: span?.fromYear ?? null,
      toYear: span?.toYear ?? null,
      from: null,
      to: null,
      change: null,
      margin: null,
      isClear: false,
      why,
    });
    if (!span) return none('period');
    if (!addsUp && this.#zips > 1) return none('median');
    if (!addsUp && this.#areaChanged) return none('area');
    if (this.#known === 0) return none('unknown');
    const figureOf = (sums: readonly EstimateSum[]) =>
      compute((line) => sums[lines.indexOf(line)]!.estimate);
    const [first, after] = [figureOf(this.#sumsBefore()), figureOf(this.#after)];
    if (!first || !after) return none('unknown');
    const factor = isMoney ? inflation(span.fromYear, span.toYear) : 1;
    if (factor === null) return none('prices');
    const before = scaled(first, factor);
    const change = unit === 'percent' ? percentChange(before, after) : differenceOf(before, after);
    if (!change) return none('unknown');
    return {
      figure,
      unit,
      ...span,
      from: before.value,
      to: after.value,
      change: change.value,
      margin: change.margin,
      // The margin of a fraction is larger than that of the difference where a figure grew.
      isClear: differ(before, after) && Math.abs(change.value) > change.margin,
      why: null,
    };
  }
}

/**
 * Computes the change of a figure for ZIP codes together: see `TotalChange`.
 * @param span null if no two periods can be compared
 */
export function changeOf(
  figure: CensusFigure,
  pairs: readonly Pair[],
  span: Span | null,
): FigureChange {
  const total = new TotalChange(figure);
  for (const pair of pairs) total.add(pair);
  return total.over(span);
}

function percentChange(before: Estimate, after: Estimate): Estimate | null {
  const change = fractionalChange(before, after);
  return change && scaled(change, 100);
}

const isKnown = ({ value, margin }: LineValues[Line]) => value !== null && margin !== null;
