/** The findings of an import: one for each entry of the input, or several for an area. */

export const OUTCOMES = [
  /** To be requested */
  'new',
  /** To be requested if the user confirms the guess */
  'guessed',
  /** The brand already holds it */
  'held',
  /** In neither the boundaries nor the figures */
  'unknown',
  /** Appeared earlier in the input */
  'repeated',
  /** No ZIP code recognized */
  'not_understood',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface Finding {
  /** Line or feature number, from 1 */
  at: number;
  /** The input, truncated if long */
  given: string;
  /** Null if no ZIP code was recognized */
  zip: string | null;
  outcome: Outcome;
  /** A sentence that explains the outcome, where needed */
  reason: string | null;
}

/** A finding before the database is consulted for existing and held ZIP codes. */
export type Reading = Omit<Finding, 'outcome'> & { outcome: 'new' | 'guessed' | 'not_understood' };

/** Findings are numbered by the lines of a list or the features of GeoJSON. */
export const PLACES = ['line', 'feature'] as const;
export type Place = (typeof PLACES)[number];

/** The content of a text, entry by entry. */
export interface Readings {
  place: Place;
  /** One sentence: how the text was read */
  summary: string;
  readings: Reading[];
}

const MAX_GIVEN_LENGTH = 80;

export const truncateInput = (given: string) =>
  given.length > MAX_GIVEN_LENGTH ? `${given.slice(0, MAX_GIVEN_LENGTH)}…` : given;
