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

/** Findings have the number of a line in a list, or of a feature in GeoJSON. */
const PLACES = ['line', 'feature'] as const;
export type Place = (typeof PLACES)[number];

/** The content of a text, entry by entry */
export interface Readings {
  place: Place;
  /** A sentence that says how the text was read */
  summary: string;
  /** Columns of a table with ZIP codes, the one that was read first; absent if there is no other */
  columns?: ZipColumn[];
  readings: Reading[];
}

export interface ZipColumn {
  /** Counted from 1 */
  number: number;
  /** `“Ship ZIP”`, or `column 2` without a heading */
  name: string;
}

const MAX_GIVEN_LENGTH = 80;

/** Returns the input for messages and reports, which can store neither U+0000 nor half of a surrogate pair. */
export const truncateInput = (given: string) =>
  (given.length > MAX_GIVEN_LENGTH ? `${given.slice(0, MAX_GIVEN_LENGTH)}…` : given)
    .replaceAll('\0', '\uFFFD')
    .replaceAll(/\p{Cs}/gu, '\uFFFD');
