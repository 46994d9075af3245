/** The measures of ZIP codes: names of a market's columns, with labels and formats for people. Pure. */
import { formatAmount } from '../../../../territories/own-data/amount-text.ts';

/** `amount` is a count that may be a small fraction. */
export type Unit =
  | 'count'
  | 'amount'
  | 'percent'
  | 'dollars'
  | 'years'
  | 'year'
  | 'score'
  | ChangeMeasureUnit;
/** Changes have a sign. */
export type ChangeMeasureUnit = 'change-percent' | 'change-points' | 'change-years';

export interface Measure {
  /** Name of the column */
  name: string;
  label: string;
  /** For narrow columns */
  short?: string;
  unit: Unit;
}

export const CENSUS_MEASURES = [
  { name: 'households', label: 'Households', unit: 'count' },
  { name: 'ownerOccupiedHouseholds', label: 'Owner households', unit: 'count' },
  { name: 'population', label: 'Population', unit: 'count' },
  { name: 'ownerOccupiedPct', label: 'Owners', unit: 'percent' },
  { name: 'singleFamilyDetachedPct', label: 'Detached houses', unit: 'percent' },
  { name: 'medianHouseholdIncome', label: 'Household income', unit: 'dollars' },
  { name: 'medianHomeValue', label: 'Home value', unit: 'dollars' },
  { name: 'medianAge', label: 'Age', unit: 'years' },
  { name: 'medianYearBuilt', label: 'Year built', unit: 'year' },
] as const satisfies readonly Measure[];

/** The units of the changes of census measures */
export const CHANGE_UNITS: Readonly<Record<CensusMeasure, ChangeMeasureUnit>> = {
  households: 'change-percent',
  ownerOccupiedHouseholds: 'change-percent',
  population: 'change-percent',
  ownerOccupiedPct: 'change-points',
  singleFamilyDetachedPct: 'change-points',
  medianHouseholdIncome: 'change-percent',
  medianHomeValue: 'change-percent',
  medianAge: 'change-years',
  medianYearBuilt: 'change-years',
};
export type CensusMeasure = (typeof CENSUS_MEASURES)[number]['name'];

/** Names of the columns with a measure's change since an earlier period, its margin, and whether it is clear (0 or 1) */
export const changeOf = (measure: string) => `change:${measure}`;
export const marginOf = (measure: string) => `margin:${measure}`;
export const clearOf = (measure: string) => `clear:${measure}`;

/** Returns the measure whose change is in a column, or null for another column. */
export const changedIn = (name: string) => /^change:(.+)$/.exec(name)?.[1] ?? null;

const CHANGE_MEASURES = CENSUS_MEASURES.map(({ name, label }): Measure => ({
  name: changeOf(name),
  label: `Change of ${label.toLowerCase()}`,
  unit: CHANGE_UNITS[name],
}));

/** Name of the column with a vertical's public scores */
export const scoreOf = (vertical: string) => `score:${vertical}`;

/** Name of the column with a vertical's scores, computed with the organization's own weights */
export const ownScoreOf = (vertical: string) => `own:${vertical}`;

/** Name of the column with the amounts of an own data set, by its short name */
export const dataOf = (slug: string) => `data:${slug}`;

/** Name of the column with these amounts per 1,000 owner households */
export const rateOf = (slug: string) => `rate:${slug}`;

/** Returns the short name of the data set in a column, or null for another column. */
export const dataSlugOf = (name: string) => /^(?:data|rate):(.+)$/.exec(name)?.[1] ?? null;

/** Whether the values are scores, which have the same classes on every map. */
export const isScore = (name: string) => /^(score|own):/.test(name);

/** Returns the vertical of the scores in a column, or null for a census measure. */
export const verticalOf = (name: string) => /^(?:score|own):(.+)$/.exec(name)?.[1] ?? null;

interface MeasuredMarket {
  columns: ReadonlyMap<string, Float64Array>;
  dataSets: ReadonlyMap<string, { slug: string; name: string; unit: string }>;
}

/**
 * @param verticals in their usual order; `own`: whether the organization has its own weights
 * @param market with own data sets, or null before it is loaded
 */
export const measuresOf = (
  verticals: readonly { slug: string; label: string; own: boolean }[],
  market: MeasuredMarket | null = null,
): Measure[] => [
  ...verticals.map(({ slug, label }) => ({ name: scoreOf(slug), label, unit: 'score' as const })),
  ...verticals
    .filter(({ own }) => own)
    .map(({ slug, label }) => ({
      name: ownScoreOf(slug),
      label: `${label}, own weights`,
      unit: 'score' as const,
    })),
  ...CENSUS_MEASURES,
  // Without an earlier period to compare, a market has none.
  ...CHANGE_MEASURES.filter(({ name }) => !market || market.columns.has(name)),
  ...[...(market?.dataSets.values() ?? [])].flatMap(({ slug, name: label, unit }): Measure[] => {
    const isDollars = unit === 'dollars';
    const measure = { unit: isDollars ? ('dollars' as const) : ('amount' as const) };
    const isNamed = unit !== 'count' && !isDollars;
    return [
      { ...measure, name: dataOf(slug), label: isNamed ? `${label} (${unit})` : label },
      {
        ...measure,
        name: rateOf(slug),
        label: `${label} per 1,000 owner households`,
        short: `${label} per 1,000`,
      },
    ].filter(({ name }) => market!.columns.has(name));
  }),
];

const tenths = new Intl.NumberFormat('en-US', {
  signDisplay: 'exceptZero',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});
/** A minus sign is as wide as a plus sign. */
const signed = (value: number) => tenths.format(value).replace('-', '−');

const integers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** Formats a value for people. An unknown value (NaN) is a dash. */
export function formatMeasure(value: number, unit: Unit): string {
  if (Number.isNaN(value)) return '–';
  switch (unit) {
    case 'percent':
      return `${integers.format(value)}%`;
    case 'dollars':
      return formatAmount({ unit: 'dollars' }, value);
    case 'amount':
      return formatAmount({ unit: 'count' }, value);
    case 'years':
      return value.toFixed(1);
    case 'year':
      return String(Math.round(value));
    case 'change-percent':
      return `${signed(value)}%`;
    case 'change-points':
      return `${signed(value)} pts`;
    case 'change-years':
      return `${signed(value)} yrs`;
    case 'count':
    case 'score':
      return integers.format(value);
  }
}
