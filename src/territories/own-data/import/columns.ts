/** Finds out what the columns of a table contain, from its first rows. Pure. */
import { isAddress, isZips } from '../../../base/lists/read-zip.ts';
import type { Row, TableFacts } from '../../../base/files/rows.ts';
import {
  findHeadings,
  joinHeadings,
  MAX_PREAMBLE,
  type Headings,
} from '../../../base/lists/headings.ts';
import {
  columnNamed,
  fullColumns,
  normalizeName,
  preferenceOf,
  tableByContent,
  zipColumns,
} from '../../../base/lists/zip-table.ts';
import { truncateInput } from '../../../base/text/words.ts';
import { badRequest } from '../../../errors.ts';
import { readDegrees, readPoint } from './coordinates.ts';
import {
  describeNumbers,
  isFormula,
  readNumber,
  type NumberColumn,
  type NumberForm,
} from './amount.ts';
import type { ReadColumn, UploadOptions } from './types.ts';

export interface Columns {
  /** Null without a row of headings */
  headings: readonly string[] | null;
  /** Number of rows above the headings */
  titles: number;
  /** Number of rows above the first row with data: titles and headings */
  skipped: number;
  /** The first rows with data */
  rows: readonly Row[];
  columns: readonly ReadColumn[];
  /** Indexes of the columns that place rows; null if they weren't found */
  zip: number | null;
  /** Both are the same for a column of points, such as `32.78, -96.8` */
  coordinates: { lng: number; lat: number } | null;
  address: readonly number[] | null;
  /** Indexes of the columns with ZIP codes that aren't used */
  otherZips: readonly number[];
  /** Whether the column of ZIP codes was chosen, or has such a heading */
  isZipNamed: boolean;
  /** How the numbers of each column are written */
  numbers: readonly (NumberColumn & { form: NumberForm })[];
  /** Indexes of the columns whose formulas have no results */
  unsaved: readonly number[];
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
 * @throws ServiceError 400 without a column that the options name
 */
export function findColumns(
  first: readonly Row[],
  options: UploadOptions,
  { isHeaded, hasStoredNumbers, hasSemicolons }: TableFacts,
): Columns {
  if (first.some(({ cells }) => cells.length > MAX_COLUMNS)) {
    throw badRequest(
      `The file has more than ${MAX_COLUMNS} columns. Keep those with places and amounts.`,
    );
  }
  const found = isHeaded
    ? { names: first[0]!.cells, titles: 0, skipped: 1 }
    : headingsIn(first, options);
  const { names: headings, titles, skipped } = found ?? { names: null, titles: 0, skipped: 0 };
  const rows = first.slice(skipped);
  const table = { headings, rows };
  const width = Math.max(0, headings?.length ?? 0, ...rows.map(({ cells }) => cells.length));
  const names = Array.from({ length: width }, (_, i) => normalizeName(headings?.[i] ?? ''));
  const find = (wanted: string | undefined) =>
    wanted === undefined ? undefined : columnNamed(table, wanted);

  const profiles = names.map((_, i) => profileOf(rows, i));
  const commas = new Set(options.decimalCommas?.map((one) => columnNamed(table, one)));
  const numbers = profiles.map((profile, i): Columns['numbers'][number] => {
    const isRead = commas.has(i);
    const described = isRead ? describeNumbers(profile.cells, ',') : profile.numbers;
    const { isPercent, hasDecimalCommas } = described;
    return {
      ...described,
      hasEither: described.hasEither && (hasSemicolons || profiles.some(usesCommas)),
      hasDecimalCommas: !isRead && hasDecimalCommas,
      form: { mark: isRead ? ',' : '.', isPercent, hasStoredNumbers },
    };
  });
  const coordinates = coordinatesIn(names, profiles, options.coordinates, find);
  // A column of points has both, so it's neither.
  const { lng, lat } = coordinates?.lng === coordinates?.lat ? {} : coordinates!;

  const byName = names.map((_, i) => preferenceOf(headings?.[i] ?? ''));
  const best = Math.min(Infinity, ...byName);
  const headed = best === Infinity ? undefined : byName.indexOf(best);
  // Amounts with five digits look like ZIP codes.
  const isFree = (i: number) =>
    i !== coordinates?.lng && i !== coordinates?.lat && !isAmountName(names[i]!);
  const full = zipColumns(rows);
  const zip =
    find(options.zip) ??
    headed ??
    full.columns.find((i) => names[i] === '' || isFree(i)) ??
    orNull(profiles.findIndex(({ hasAddresses }) => hasAddresses));
  // A column that could be either has amounts only if no other column has them.
  const hasAmounts = numbers.some(
    ({ isNumeric }, i) => isNumeric && isFree(i) && !full.columns.includes(i),
  );
  const isZipNamed = options.zip !== undefined || headed !== undefined;
  const otherZips = (
    isZipNamed
      ? fullColumns(rows).filter((i) => byName[i] !== Infinity)
      : full.columns.filter((i) => isFree(i) && (!full.isUnsure || hasAmounts))
  ).filter((i) => i !== zip);
  const nameOf = (i: number) => {
    const heading = (headings?.[i] ?? '').trim();
    if (heading === '') return `column ${i + 1}`;
    const isUnique = headings!.filter((one) => one.trim() === heading).length === 1;
    return truncateInput(heading) + (isUnique ? '' : ` (column ${i + 1})`);
  };
  const address = options.address?.map((one) => columnNamed(table, one)) ?? addressOf(names);
  return {
    headings,
    titles,
    skipped,
    rows,
    zip,
    otherZips,
    isZipNamed,
    address,
    coordinates,
    numbers,
    unsaved: [...profiles.keys()].filter((i) => profiles[i]!.isUnsaved),
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
              : numbers[i]!.isNumeric
                ? 'number'
                : 'text',
      decimalComma:
        ![zip, lng, lat, ...otherZips].includes(i) &&
        (commas.has(i) || numbers[i]!.hasDecimalCommas || numbers[i]!.hasEither),
    })),
  };
}

const usesCommas = ({ numbers }: Profile) => numbers.hasDecimalCommas;

/** Returns the columns of coordinates: those that were chosen, else by heading, else by content. */
function coordinatesIn(
  names: readonly string[],
  profiles: readonly Profile[],
  wanted: UploadOptions['coordinates'],
  find: (wanted: string | undefined) => number | undefined,
): Columns['coordinates'] {
  if (wanted !== undefined) return { lng: find(wanted.lng)!, lat: find(wanted.lat)! };
  const named = (pattern: RegExp) => names.findIndex((name) => pattern.test(name));
  const withContent = (content: 'isLongitude' | 'isLatitude' | 'hasPoints') =>
    profiles.findIndex((profile) => profile[content]);
  const [lngName, latName] = [named(LONGITUDE), named(LATITUDE)];
  const lng = lngName >= 0 ? lngName : withContent('isLongitude');
  const lat = latName >= 0 ? latName : withContent('isLatitude');
  if (lng >= 0 && lat >= 0 && lng !== lat) return { lng, lat };
  const both = withContent('hasPoints');
  return both >= 0 ? { lng: both, lat: both } : null;
}

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

/** Finds the headings by their names, else by what is below them. */
function headingsIn(first: readonly Row[], options: UploadOptions): Headings | null {
  const wanted = new Set(
    [
      options.zip,
      options.coordinates?.lng,
      options.coordinates?.lat,
      options.groupBy,
      ...(options.address ?? []),
      ...(options.decimalCommas ?? []),
      ...(options.amounts ?? []).map((amount) => (amount.kind === 'count' ? '' : amount.column)),
    ]
      .map((name) => normalizeName(name ?? ''))
      .filter((name) => /\D/.test(name)),
  );
  const preference = (cell: string) => {
    const name = normalizeName(cell);
    if (wanted.has(name)) return -1;
    if (cell.length > 80 || /\d{5}/.test(cell)) return Infinity;
    const isPlace =
      LONGITUDE.test(name) || LATITUDE.test(name) || (isStreet(name) && !isHouse(cell));
    return Math.min(preferenceOf(cell), isPlace ? 100 : Infinity);
  };
  const at = findHeadings(first, preference);
  if (at !== null) {
    const places = first[at]!.cells.map((cell) =>
      Math.min(preferenceOf(cell), preference(cell) + 100),
    );
    return joinHeadings(first, at, places.indexOf(Math.min(...places)));
  }
  const unnamed = headingsByContent(first);
  if (unnamed === null) return null;
  return { names: first[unnamed]!.cells, titles: unnamed, skipped: unnamed + 1 };
}

/** Returns the index of the row above the first one with a ZIP code or a number. */
function headingsByContent(first: readonly Row[]): number | null {
  const byContent = tableByContent(first);
  if (byContent !== null) return byContent.headings && byContent.preamble.length;
  const numeric = first.findIndex(({ cells }) => cells.some((cell) => readNumber(cell) !== null));
  if (numeric < 0) return first.length > 1 && !first[0]!.cells.some(isHouse) ? 0 : null;
  return numeric > 0 && numeric <= MAX_PREAMBLE ? numeric - 1 : null;
}

interface Profile {
  /** Those with text, without spaces around it */
  cells: readonly string[];
  isEmpty: boolean;
  numbers: NumberColumn;
  /** Whether nearly all are degrees with decimals or minutes in the country's range */
  isLongitude: boolean;
  isLatitude: boolean;
  /** Whether at least half are points */
  hasPoints: boolean;
  /** Whether at least half are addresses with ZIP codes */
  hasAddresses: boolean;
  /** Whether at least half are formulas without a result */
  isUnsaved: boolean;
}

function profileOf(rows: readonly Row[], column: number): Profile {
  const cells = rows.map(({ cells }) => (cells[column] ?? '').trim()).filter((cell) => cell !== '');
  const most = (test: (cell: string) => boolean, share: number) =>
    cells.length > 0 && cells.filter(test).length >= share * cells.length;
  const degrees = (test: (value: number) => boolean) => (cell: string) => {
    const value = /[.,]\d{2}|\d\D+\d/.test(cell) ? readDegrees(cell) : null;
    return value !== null && test(value);
  };
  return {
    cells,
    isEmpty: cells.length === 0,
    numbers: describeNumbers(cells),
    isLongitude: most(
      degrees((value) => value < -64 && value >= -180),
      0.9,
    ),
    isLatitude: most(
      degrees((value) => value > 13 && value < 72),
      0.9,
    ),
    hasPoints: most((cell) => readPoint(cell) !== null, 0.5),
    hasAddresses: most((cell) => !isZips(cell) && isAddress(cell), 0.5),
    isUnsaved: most(isFormula, 0.5),
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
