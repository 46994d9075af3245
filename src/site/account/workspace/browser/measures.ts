/** The measures of ZIP codes: names of a market's columns, with labels and formats for people. Pure. */

export type Unit = 'count' | 'percent' | 'dollars' | 'years' | 'year' | 'score';

export interface Measure {
  /** Name of the column */
  name: string;
  label: string;
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

/** Name of the column with a vertical's public scores */
export const scoreOf = (vertical: string) => `score:${vertical}`;

/** Name of the column with a vertical's scores, computed with the organization's own weights */
export const ownScoreOf = (vertical: string) => `own:${vertical}`;

/** Name of the column with a measure that was uploaded for the plan */
export const uploadOf = (measure: string) => `upload:${measure}`;

/** Returns the name of the uploaded measure in a column, or null for another column. */
export const uploadNameOf = (name: string) => /^upload:(.+)$/s.exec(name)?.[1] ?? null;

/** Whether the values are scores, which have the same classes on every map. */
export const isScore = (name: string) => /^(score|own):/.test(name);

/** Returns the vertical of the scores in a column, or null for a census measure. */
export const verticalOf = (name: string) => /^(?:score|own):(.+)$/.exec(name)?.[1] ?? null;

/**
 * @param verticals in their usual order; `own`: whether the organization has its own weights
 * @param columns of a market, some of which may have uploaded measures
 */
export const measuresOf = (
  verticals: readonly { slug: string; label: string; own: boolean }[],
  columns: Iterable<string> = [],
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
  ...[...columns].flatMap((name) => {
    const label = uploadNameOf(name);
    return label === null ? [] : { name, label, unit: 'count' as const };
  }),
];

const integers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** Formats a value for people. An unknown value (NaN) is a dash. */
export function formatMeasure(value: number, unit: Unit): string {
  if (Number.isNaN(value)) return '–';
  switch (unit) {
    case 'percent':
      return `${integers.format(value)}%`;
    case 'dollars':
      return `$${integers.format(value)}`;
    case 'years':
      return value.toFixed(1);
    case 'year':
      return String(Math.round(value));
    case 'count':
    case 'score':
      return integers.format(value);
  }
}
