/** The measures that territories can share evenly, by the names of the API, plans, and pages. Pure. */
import type { ZipFacts } from './zip-facts.ts';

/** Sums over ZIP codes; `opportunity` is households weighted by the score of a vertical. */
export const BALANCE_MEASURES = [
  'households',
  'ownerOccupiedHouseholds',
  'population',
  'opportunity',
] as const;
export type BalanceMeasure = (typeof BALANCE_MEASURES)[number];

export const isBuiltIn = (name: string): name is BalanceMeasure =>
  (BALANCE_MEASURES as readonly string[]).includes(name);

export const MEASURE_LABELS: Readonly<Record<BalanceMeasure, string>> = {
  households: 'Households',
  ownerOccupiedHouseholds: 'Owner households',
  population: 'Population',
  opportunity: 'Opportunity',
};

/** Returns the label of a built-in measure; those that people upload are shown by their own names. */
export const labelOf = (name: string): string => (isBuiltIn(name) ? MEASURE_LABELS[name] : name);

/** Returns a ZIP code's amount; null if it's unknown. A territory has the sum of the known ones. */
export function amountOf(zip: ZipFacts, measure: BalanceMeasure): number | null {
  if (measure !== 'opportunity') return zip[measure];
  const { households, score } = zip;
  return households === null || score === null ? null : (households * score) / 100;
}
