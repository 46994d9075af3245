/**
 * The census lines that vintages keep, each with its margin of error: what the figures of a ZIP code are computed from.
 * A row stores them as two arrays in this order, so entries may only be added at the end.
 */
import { BUILT_DECADES } from '../demographics.ts';

/** The decades of B25034, oldest first: `built0` is 1939 or earlier */
const DECADES = BUILT_DECADES.map((_, i) => `built${i}` as const);

export const LINES = [
  'population',
  'medianAge',
  'medianIncome',
  'households',
  'owners',
  'medianHomeValue',
  'homes',
  'detached',
  'medianYearBuilt',
  'homesBuilt',
  ...DECADES,
] as const;
export type Line = (typeof LINES)[number];

/** The table that each line comes from */
export const TABLE_OF_LINE: Readonly<Record<Line, string>> = {
  population: 'B01003',
  medianAge: 'B01002',
  medianIncome: 'B19013',
  households: 'B25003',
  owners: 'B25003',
  medianHomeValue: 'B25077',
  homes: 'B25024',
  detached: 'B25024',
  medianYearBuilt: 'B25035',
  homesBuilt: 'B25034',
  ...(Object.fromEntries(DECADES.map((line) => [line, 'B25034'])) as Record<
    (typeof DECADES)[number],
    string
  >),
};

/** What a vintage says about a ZIP code. Null means unknown: suppressed, or the table wasn't imported */
export type LineValues = Record<Line, { value: number | null; margin: number | null }>;

export const NO_LINES: LineValues = Object.fromEntries(
  LINES.map((line) => [line, { value: null, margin: null }]),
) as LineValues;

/** The lines of the decades from one index of `BUILT_DECADES` up to another */
export const builtLines = (from: number, to: number): Line[] => DECADES.slice(from, to);
