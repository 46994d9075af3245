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
  /** Columns whose amounts have decimal commas, such as `1.234,50` */
  decimalCommas?: readonly string[] | undefined;
}

export type AmountChoice = { kind: 'count' } | { kind: 'sum' | 'mean'; column: string };

/**
 * Each row has exactly one. `no_amount` rows are placed, but lack one of the amounts; they count for the others. A
 * `total` of other rows isn't counted.
 */
export const OUTCOMES = [
  'placed',
  'guessed',
  'no_amount',
  'total',
  'unknown_zip',
  'outside_country',
  'not_understood',
] as const;
export type RowOutcome = (typeof OUTCOMES)[number];

/** A row that needs attention. It is sent to the person who uploads and never stored. */
export interface RowFinding {
  /** Line of a text, row of a sheet, or number of a feature, counted from 1 */
  line: number;
  /** The ZIP code, coordinates, or amount as in the file, truncated */
  given: string;
  zip: string | null;
  outcome: Exclude<RowOutcome, 'placed'>;
  reason: string;
}

/** One of the first rows, as it was read. Like findings, it is sent to the person who uploads and never stored. */
export interface ReadRow extends Pick<RowFinding, 'line' | 'zip'> {
  outcome: RowOutcome;
  /** Empty for a placed row */
  reason: string;
  /** Those of `UploadResult.used.amounts`: 1 for a count, null without a usable amount */
  amounts: (number | null)[];
  /** As in the file, truncated: one for each of `UploadResult.columns` */
  cells: string[];
}

export interface ReadColumn {
  /** Counted from 1 */
  number: number;
  /** The heading, or `column 2` */
  name: string;
  /** What its content looks like */
  content: 'zip' | 'longitude' | 'latitude' | 'number' | 'text' | 'empty';
  /** Whether its amounts have, or may have, decimal commas, so that they can be read this way */
  decimalComma: boolean;
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
  format: 'csv' | 'xlsx' | 'geojson' | 'kml' | 'shapefile';
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
  counts: Record<RowOutcome, number>;
  /** The first MAX_FINDINGS rows that need attention, in the order of the file */
  findings: RowFinding[];
  /** The first rows */
  firstRows: ReadRow[];
  sets: ReadSet[];
}
