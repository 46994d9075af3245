/** The findings of an import: one for each entry of the input, but possibly several for an area. */
import type { ZipRange } from './read-zip.ts';

const OUTCOMES = [
  /** ZIP code to request */
  'new',
  /** ZIP code to request if the user confirms the guess */
  'guessed',
  /** ZIP code that the brand already holds */
  'held',
  /** ZIP code in neither the boundaries nor the figures */
  'unknown',
  /** ZIP code that appears earlier in the input */
  'repeated',
  /** No ZIP code recognized */
  'not_understood',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface Finding {
  /** Number of the line or feature, counted from 1 */
  at: number;
  /** The input, truncated if long */
  given: string;
  /** Null if no ZIP code was recognized */
  zip: string | null;
  outcome: Outcome;
  /** A sentence that explains the outcome, where needed */
  reason: string | null;
}

/** A finding before the database is asked for existing and held ZIP codes */
export type Reading = Omit<Finding, 'outcome'> &
  ({ outcome: 'new' | 'guessed' | 'not_understood' } | { outcome: 'range'; range: ZipRange });

/** What the numbers of findings count: lines of a text, rows of a sheet, or features */
export type EntryKind = 'line' | 'row' | 'feature';

/** The content of a file, entry by entry */
export interface Readings {
  place: EntryKind;
  /** A sentence that says how the file was read */
  summary: string;
  /** Columns of a table with ZIP codes, the one that was read first; absent if there is no other */
  columns?: ZipColumn[];
  /** Names of a workbook's sheets, the one that was read first; absent if there is no other */
  sheets?: string[];
  readings: Reading[];
}

interface ZipColumn {
  /** Counted from 1 */
  number: number;
  /** `“Ship ZIP”`, or `column 2` without a heading */
  name: string;
}
