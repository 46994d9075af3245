/**
 * The ACS tables used for signals, and the meaning of the Census Bureau's special values. Sources:
 * Census Bureau, "Notes on ACS Estimate and Annotation Values" and the 5-Year table shells.
 */
import type { ScaleEnds } from '../../base/text/words.ts';

/** Required lines by table (1 is `_001`). */
export const ACS_TABLES: Readonly<Record<string, readonly number[]>> = {
  B01003: [1],
  B01002: [1],
  B19013: [1],
  B25003: [1, 2],
  B25077: [1],
  B25024: [1, 2],
  B25034: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
  B25035: [1],
};

/** One column of a table, such as the estimate `B19013_001E` or its margin `B19013_001M`. */
export interface Variable {
  table: string;
  line: number;
  /** Estimate, margin of error, or annotation of the estimate */
  kind: 'E' | 'M' | 'EA';
}

/** The API's spelling: `B19013_001E` */
export const variableName = (table: string, line: number, kind: string) =>
  `${table}_${String(line).padStart(3, '0')}${kind}`;

/**
 * Parses a column name in either Census spelling: `B19013_001E` (API, data.census.gov) or
 * `B19013_E001` (table-based summary files). Returns null for other columns and unused tables.
 */
export function parseVariable(column: string): Variable | null {
  const api = /^([BC]\d{5})_(\d{3})(EA|E|M)$/.exec(column);
  const summary = /^([BC]\d{5})_(E|M)(\d{3})$/.exec(column);
  const [table, line, kind] = api
    ? [api[1]!, Number(api[2]), api[3]!]
    : summary
      ? [summary[1]!, Number(summary[3]), summary[2]!]
      : ['', 0, ''];
  if (!ACS_TABLES[table]?.includes(line)) return null;
  return { table, line, kind: kind as Variable['kind'] };
}

/**
 * Whether a number stands for a missing value: -666666666 (too few observations), -999999999 (too few cases),
 * -888888888 (not applicable), or -222222222, -333333333, and -555555555 (margins). All real estimates are larger.
 * A median year of 0 means that there are no homes.
 */
export const isSentinel = ({ table, kind }: Variable, value: number) =>
  value <= -111_111_111 || (table === TABLE_OF_YEARS && kind === 'E' && value === 0);

/**
 * Whether the text of a margin of error says that the estimate is controlled: it agrees with an official count, so it has
 * no sampling error.
 */
export const isControlled = ({ kind }: Variable, text: string) =>
  kind === 'M' && (text === '-555555555' || text === '*****');

/** The only table whose estimates have decimals: a median age */
const TABLE_WITH_DECIMALS = 'B01002';
/** The table of the median year built */
const TABLE_OF_YEARS = 'B25035';
/** Before the oldest homes of the country */
const EARLIEST_YEAR = 1600;
/** Above all counts and medians of ZIP codes, and within the database's integers */
const MAX_ESTIMATE = 1_000_000_000;

/**
 * Returns the reason why a value can't be an estimate or margin of the column, or null if it can.
 * @param year last of the five years
 */
export function whyImpossible(
  { table, kind }: Variable,
  value: number,
  year: number,
): string | null {
  if (!Number.isFinite(value)) return 'a value isn’t a number';
  if (kind === 'M' && value < 0) return 'a margin of error is negative';
  if (kind !== 'E') return null;
  if (value < 0) return 'an estimate is negative';
  if (value > MAX_ESTIMATE) return 'an estimate is impossibly large';
  if (table === TABLE_OF_YEARS && (value < EARLIEST_YEAR || value > year)) {
    return 'a median year is impossible';
  }
  const whole = table === TABLE_WITH_DECIMALS || Number.isInteger(value);
  return whole ? null : 'an estimate isn’t a whole number';
}

/**
 * The ends of each table's scale. The census publishes these values for all medians at or beyond an end: an income of
 * 250,001 means "250,000 or more", and one of 2,499 means "2,500 or less".
 */
export const SCALE_ENDS: Readonly<Record<string, ScaleEnds>> = {
  B19013: { lowest: 2_499, highest: 250_001 },
  B25077: { lowest: 9_999, highest: 2_000_001 },
  [TABLE_OF_YEARS]: { lowest: 1939 },
};

/**
 * Reads an end of the scale, as data.census.gov writes it: `250,000+`, `2,500-`, `1939-`. Returns null for other texts.
 */
export function readScaleEnd({ table }: Variable, text: string): number | null {
  const [, digits, sign] = /^([\d,]+)([+-])$/.exec(text) ?? [];
  if (digits === undefined) return null;
  const beyond = table === TABLE_OF_YEARS ? 0 : sign === '+' ? 1 : -1;
  return Number(digits.replaceAll(',', '')) + beyond;
}

/**
 * Returns the decades that lines 2 to 11 of B25034 count, latest first, as indexes of `BUILT_DECADES`. From
 * the vintage ending in 2021, the first line is "2020 or later". From 2015 to 2020, the first two were
 * "2014 or later" and "2010 to 2013".
 */
export function decadesOfB25034(year: number): readonly number[] | null {
  if (year >= 2021) return [9, 8, 7, 6, 5, 4, 3, 2, 1, 0];
  if (year >= 2015) return [8, 8, 7, 6, 5, 4, 3, 2, 1, 0];
  return null;
}
