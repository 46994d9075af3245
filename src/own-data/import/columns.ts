/** Finds out what the columns of a table contain, from its first rows. Pure. */
import { isAddress, isZips } from '../../lists/read-zip.ts';
import type { Row } from '../../lists/rows.ts';
import {
  columnNamed,
  findHeadings,
  fullColumns,
  MAX_PREAMBLE,
  normalizeName,
  preferenceOf,
  tableByContent,
} from '../../lists/zip-table.ts';
import { truncateInput } from '../../lists/finding.ts';
import { badRequest } from '../../errors.ts';
import { readDegrees } from './coordinates.ts';
import { readNumber } from './amount.ts';
import type { ReadColumn, UploadOptions } from './types.ts';

export interface Columns {
  /** Null without a row of headings */
  headings: readonly string[] | null;
  /** Number of rows above the first row with data: titles and headings */
  skipped: number;
  /** The first rows with data */
  rows: readonly Row[];
  columns: readonly ReadColumn[];
  /** Indexes of the columns that place rows; null if they weren't found */
  zip: number | null;
  coordinates: { lng: number; lat: number } | null;
  address: readonly number[] | null;
  /** Indexes of the columns with ZIP codes that aren't used */
  otherZips: readonly number[];
  /** Whether the column of ZIP codes was chosen, or has such a heading */
  isZipNamed: boolean;
}

/** Longer rows would take long to examine. */
export const MAX_COLUMNS = 500;

const LONGITUDE = /^(?:x|lng|lon|long)$|longitude|(?:geo|gps|loc)l(?:ng|on)|lng$/;
const LATITUDE = /^(?:y|lat)$|latitude|(?:geo|gps|loc)lat/;
const STREET = /street|addr/;
const NO_STREET = /email|web|url|ip|line[2-9]|address[2-9]|type|status/;
const CITY = /^(?:.*(?:city|town))$/;
const STATE = /^(?:st|.*(?:state|province))$/;

/** A street with the number of a house, which is no heading. Headings are kept in the report of an upload. */
const isHouse = (cell: string) => /^\s*\d+\w?\s/.test(cell);

const isStreet = (name: string) => STREET.test(name) && !NO_STREET.test(name);

/**
 * @param first the first rows of the file
 * @param isHeaded whether the first row has headings for sure
 * @throws ServiceError 400 without a column that the options name
 */
export function findColumns(
  first: readonly Row[],
  options: UploadOptions,
  isHeaded: boolean,
): Columns {
  if (first.some(({ cells }) => cells.length > MAX_COLUMNS)) {
    throw badRequest(
      `The file has more than ${MAX_COLUMNS} columns. Keep those with places and amounts.`,
    );
  }
  const at = isHeaded ? 0 : headingsAt(first, options);
  const headings = at === null ? null : first[at]!.cells;
  const skipped = at === null ? 0 : at + 1;
  const rows = first.slice(skipped);
  const table = { headings, rows };
  const width = Math.max(0, headings?.length ?? 0, ...rows.map(({ cells }) => cells.length));
  const names = Array.from({ length: width }, (_, i) => normalizeName(headings?.[i] ?? ''));
  const find = (wanted: string | undefined) =>
    wanted === undefined ? undefined : columnNamed(table, wanted);

  const profiles = names.map((_, i) => profileOf(rows, i));
  const named = (pattern: RegExp) => names.findIndex((name) => pattern.test(name));
  const withContent = (content: 'isLongitude' | 'isLatitude') =>
    profiles.findIndex((profile) => profile[content]);
  const wanted = options.coordinates;
  const lng = find(wanted?.lng) ?? orElse(named(LONGITUDE), withContent('isLongitude'));
  const lat = find(wanted?.lat) ?? orElse(named(LATITUDE), withContent('isLatitude'));

  const full = fullColumns(rows);
  const byName = names.map((_, i) => preferenceOf(headings?.[i] ?? ''));
  const best = Math.min(Infinity, ...byName);
  const headed = best === Infinity ? undefined : byName.indexOf(best);
  // Amounts with five digits look like ZIP codes.
  const isFree = (i: number) => i !== lng && i !== lat && !isAmountName(names[i]!);
  const zip =
    find(options.zip) ??
    headed ??
    full.find((i) => names[i] === '' || isFree(i)) ??
    orNull(profiles.findIndex(({ hasAddresses }) => hasAddresses));
  const isZipNamed = options.zip !== undefined || headed !== undefined;
  const otherZips = full.filter(
    (i) => i !== zip && (isZipNamed ? byName[i] !== Infinity : isFree(i)),
  );
  const nameOf = (i: number) => {
    const heading = (headings?.[i] ?? '').trim();
    if (heading === '') return `column ${i + 1}`;
    const isUnique = headings!.filter((one) => one.trim() === heading).length === 1;
    return truncateInput(heading) + (isUnique ? '' : ` (column ${i + 1})`);
  };
  const address = options.address?.map((one) => columnNamed(table, one)) ?? addressOf(names);
  return {
    ...{ headings, skipped, rows, zip, otherZips, isZipNamed, address },
    coordinates: lng !== lat && lng >= 0 && lat >= 0 ? { lng, lat } : null,
    columns: names.map((_, i) => ({
      number: i + 1,
      name: nameOf(i),
      content: profiles[i]!.isEmpty
        ? 'empty'
        : i === zip || otherZips.includes(i)
          ? 'zip'
          : i === lng
            ? 'longitude'
            : i === lat
              ? 'latitude'
              : profiles[i]!.isNumeric
                ? 'number'
                : 'text',
    })),
  };
}

const orElse = (found: number, other: number) => (found >= 0 ? found : other);
const orNull = (found: number) => (found >= 0 ? found : null);

/** Headings of numbers that identify or date a row, such as `Job ID`, `Year`, and `Phone` */
export const isLabelName = (name: string): boolean =>
  /id$|^(?:no|nr|num|year|month|day|date|zip4|plus4)$|number$|phone|fax|mobile|date$|year$|code$|fips/.test(
    normalizeName(name),
  );

const isAmountName = (name: string) =>
  isLabelName(name) ||
  /amount|revenue|sales|total|sum|price|cost|value|spend|spent|paid|jobs|orders|count|qty|quantity/.test(
    name,
  );

/** Returns the index of the row with headings. */
function headingsAt(first: readonly Row[], options: UploadOptions): number | null {
  const wanted = new Set(
    [
      ...[options.zip, options.coordinates?.lng, options.coordinates?.lat, options.groupBy],
      ...(options.address ?? []),
      ...(options.amounts ?? []).map((amount) => (amount.kind === 'count' ? '' : amount.column)),
    ]
      .map((name) => normalizeName(name ?? ''))
      .filter((name) => /\D/.test(name)),
  );
  const named = findHeadings(first, (cell) => {
    const name = normalizeName(cell);
    if (wanted.has(name)) return -1;
    if (cell.length > 80 || /\d{5}/.test(cell)) return Infinity;
    const isPlace =
      LONGITUDE.test(name) || LATITUDE.test(name) || (isStreet(name) && !isHouse(cell));
    return Math.min(preferenceOf(cell), isPlace ? 100 : Infinity);
  });
  if (named !== null) return named;
  const byContent = tableByContent(first);
  if (byContent !== null) return byContent.headings && byContent.preamble.length;
  const numeric = first.findIndex(({ cells }) => cells.some((cell) => readNumber(cell) !== null));
  if (numeric < 0) return first.length > 1 && !first[0]!.cells.some(isHouse) ? 0 : null;
  return numeric > 0 && numeric <= MAX_PREAMBLE ? numeric - 1 : null;
}

interface Profile {
  isEmpty: boolean;
  /** Whether at least half of the cells with text are numbers */
  isNumeric: boolean;
  /** Whether nearly all are degrees with decimals in the country's range */
  isLongitude: boolean;
  isLatitude: boolean;
  /** Whether at least half are addresses with ZIP codes */
  hasAddresses: boolean;
}

function profileOf(rows: readonly Row[], column: number): Profile {
  const cells = rows.map(({ cells }) => (cells[column] ?? '').trim()).filter((cell) => cell !== '');
  const count = (test: (cell: string) => boolean) => cells.filter(test).length;
  const most = (test: (cell: string) => boolean, share: number) =>
    cells.length > 0 && count(test) >= share * cells.length;
  const degrees = (test: (value: number) => boolean) => (cell: string) => {
    const value = /\.\d{2}/.test(cell) ? readDegrees(cell) : null;
    return value !== null && test(value);
  };
  return {
    isEmpty: cells.length === 0,
    isNumeric: most((cell) => readNumber(cell) !== null, 0.5),
    isLongitude: most(
      degrees((value) => value < -64 && value >= -180),
      0.9,
    ),
    isLatitude: most(
      degrees((value) => value > 13 && value < 72),
      0.9,
    ),
    hasAddresses: most((cell) => !isZips(cell) && isAddress(cell), 0.5),
  };
}

/** Returns the columns of the street, the city, and the state. */
function addressOf(names: readonly string[]): number[] | null {
  const street = names.findIndex(isStreet);
  if (street < 0) return null;
  const [city, state] = [CITY, STATE].map((pattern) =>
    names.findIndex((name, i) => i !== street && pattern.test(name)),
  );
  return [street, city!, state!].filter((i) => i >= 0);
}
