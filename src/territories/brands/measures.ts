/** Measures that territories can share evenly, with their names in the API, in plans, and on pages. Pure. */
import type { ZipFacts } from './zip-facts.ts';

/** Measures are sums over ZIP codes. `opportunity` is households weighted by the score of a vertical. */
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

/** Returns the label of a built-in measure, or the name of an uploaded one. */
export const labelOf = (name: string): string => (isBuiltIn(name) ? MEASURE_LABELS[name] : name);

/** Returns a ZIP code's amount, or null if it's unknown. */
export function amountOf(zip: ZipFacts, measure: BalanceMeasure): number | null {
  if (measure !== 'opportunity') return zip[measure];
  const { households, score } = zip;
  return households === null || score === null ? null : (households * score) / 100;
}
