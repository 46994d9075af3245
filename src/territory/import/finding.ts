/** What an import makes of each thing that it was given: nothing is passed over. */

export const OUTCOMES = [
  /** To be asked for */
  'new',
  /** To be asked for, if the guess is right */
  'guessed',
  /** The brand holds it already */
  'held',
  /** A ZIP that covers no ground */
  'unknown',
  /** Meant before already */
  'repeated',
  /** No ZIP could be made of it */
  'not_understood',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface Finding {
  /** Number of its `Place`, from 1 */
  at: number;
  /** As it was given, cut short where it is long */
  given: string;
  /** Null: none could be made of it */
  zip: string | null;
  outcome: Outcome;
  /** A sentence for people, where there is more to say */
  reason: string | null;
}

/** What was found before anybody knows which ZIPs there are, and which the brand holds. */
export type Reading = Omit<Finding, 'outcome'> & { outcome: 'new' | 'guessed' | 'not_understood' };

/** What is numbered: the lines of a list, the features of GeoJSON. */
export const PLACES = ['line', 'feature'] as const;
export type Place = (typeof PLACES)[number];

/** What a text was read as. */
export interface Readings {
  place: Place;
  /** For people: how it was read */
  told: string;
  readings: Reading[];
}

const LONGEST_GIVEN = 80;

export const truncateInput = (given: string) =>
  given.length > LONGEST_GIVEN ? `${given.slice(0, LONGEST_GIVEN)}…` : given;
