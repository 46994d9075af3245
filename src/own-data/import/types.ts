/** What reading an uploaded file takes and returns. */

/** How to read a file. Columns are named by heading or by number, counted from 1. Omitted ones are guessed. */
export interface UploadOptions {
  /** Sheet of a workbook; default: the first with rows */
  sheet?: string | undefined;
  /** Column of ZIP codes */
  zip?: string | undefined;
  /** Columns of longitude and latitude in degrees */
  coordinates?: { lng: string; lat: string } | undefined;
  /** Columns of an address, in order */
  address?: readonly string[] | undefined;
  /** What to count, sum, or average. Default: guessed */
  amounts?: readonly AmountChoice[] | undefined;
  /** Whether numbers are added up by default even if several rows have the same ZIP code, as for a plan */
  addsUpNumbers?: boolean | undefined;
  /** Column whose values divide the rows into groups */
  groupBy?: string | undefined;
}

export type AmountChoice = { kind: 'count' } | { kind: 'sum' | 'mean'; column: string };

/**
 * Each row has exactly one. `no_amount` rows are placed, but lack one of the amounts; they count for the others.
 */
export const OUTCOMES = [
  'placed',
  'guessed',
  'no_amount',
  'unknown_zip',
  'outside_country',
  'not_understood',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** A row that needs attention. It is sent to the person who uploads and never stored. */
export interface Finding {
  /** Line of a text, row of a sheet, or number of a feature, counted from 1 */
  line: number;
  /** The ZIP code, coordinates, or amount as in the file, truncated */
  given: string;
  zip: string | null;
  outcome: Exclude<Outcome, 'placed'>;
  reason: string;
}

export interface ReadColumn {
  /** Counted from 1 */
  number: number;
  /** The heading, or `column 2` */
  name: string;
  /** What its content looks like */
  content: 'zip' | 'longitude' | 'latitude' | 'number' | 'text' | 'empty';
}

/** Amounts of one data set: by ZIP code, in order of ZIP codes. */
export interface ReadSet {
  kind: 'count' | 'sum' | 'mean';
  /** Name of the summed or averaged column; null for a count */
  column: string | null;
  /** Value of `groupBy`; null without it */
  group: string | null;
  zips: string[];
  /** Sum or mean of the rows' amounts, or the number of rows */
  amounts: Float64Array;
  /** Number of rows behind each amount */
  rows: Uint32Array;
}

export interface UploadResult {
  format: 'csv' | 'xlsx' | 'geojson';
  /** Sentences on how the file was understood: sheet, columns, title lines, what was left out */
  summary: string;
  columns: readonly ReadColumn[];
  /** Names of a workbook's sheets */
  sheets: readonly string[];
  /** What was used, given or guessed: names as in `columns` */
  used: {
    place:
      | { by: 'zip'; column: string }
      | { by: 'coordinates'; lng: string; lat: string }
      | { by: 'address'; columns: readonly string[] };
    amounts: readonly AmountChoice[];
    groupBy: string | null;
  };
  /** Number of rows below the headings */
  rows: number;
  counts: Record<Outcome, number>;
  /** The first MAX_FINDINGS rows that need attention, in the order of the file */
  findings: Finding[];
  sets: ReadSet[];
}
