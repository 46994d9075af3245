/** Decides which columns place the rows and which are counted, and says so in words. Pure. */
import { badRequest } from '../../../errors.ts';
import { readZip } from '../../../base/lists/read-zip.ts';
import { cellText } from '../../../base/files/rows.ts';
import { columnName, columnNamed } from '../../../base/lists/zip-table.ts';
import { joinFirst, joinWithAnd, pluralize, truncateInput } from '../../../base/text/words.ts';
import { US_NUMBERS, type NumberForm } from './amount.ts';
import { isLabelName, type Columns } from './columns.ts';
import { readCoordinates } from './coordinates.ts';
import type { AmountChoice, ReadColumn, UploadOptions, UploadResult } from './types.ts';

/** Largest number of data sets from one file: each takes a megabyte while rows are added up. */
export const MAX_SETS = 20;

export interface ColumnChoices {
  used: UploadResult['used'];
  /** Indexes of the columns that place rows. A row without its ZIP code or coordinates goes to the next in this order. */
  places: {
    zip: number | null;
    coordinates: Columns['coordinates'];
    address: readonly number[] | null;
  };
  /** The column of each of `used.amounts`; null for a count */
  amounts: readonly ({ column: number; form: NumberForm } | null)[];
  groupBy: number | null;
  /** Sentences on these choices */
  notes: readonly string[];
}

/**
 * @throws ServiceError 400 if no column places the rows, or without a column that the options name
 */
export function chooseColumns(
  columns: Columns,
  options: UploadOptions,
  canGeocode: boolean,
): ColumnChoices {
  const by = placedBy(columns, options, canGeocode);
  const places = {
    zip: by === 'zip' ? columns.zip : null,
    coordinates: by !== 'address' ? columns.coordinates : null,
    address: canGeocode ? columns.address : null,
  };
  const name = (i: number) => columns.columns[i]!.name;
  const quoted = (i: number) => columnName(columns, i);
  const taken = new Set([
    columns.zip,
    ...columns.otherZips,
    ...(columns.address ?? []),
    ...(columns.coordinates ? [columns.coordinates.lng, columns.coordinates.lat] : []),
  ]);
  const { choices, note } = options.amounts
    ? { choices: options.amounts, note: '' }
    : guessAmounts(columns, places.zip, taken, options.addsUpNumbers);
  const amounts = choices.map((choice) => {
    if (choice.kind === 'count') return null;
    const column = columnNamed(columns, choice.column);
    return { column, form: columns.numbers[column]?.form ?? US_NUMBERS };
  });
  if (amounts.length === 0) throw badRequest('amounts: choose at least one: count, sum, or mean.');
  if (amounts.length > MAX_SETS) throw tooManySets();
  const groupBy = options.groupBy === undefined ? null : columnNamed(columns, options.groupBy);
  return {
    used: {
      place:
        by === 'zip'
          ? { by, column: name(columns.zip!) }
          : by === 'coordinates'
            ? { by, lng: name(columns.coordinates!.lng), lat: name(columns.coordinates!.lat) }
            : { by, columns: columns.address!.map(name) },
      amounts: choices.map((choice, i) =>
        choice.kind === 'count' ? choice : { kind: choice.kind, column: name(amounts[i]!.column) },
      ),
      groupBy: groupBy === null ? null : name(groupBy),
    },
    places,
    amounts,
    groupBy,
    notes: [
      by === 'zip'
        ? `ZIP codes are in ${quoted(columns.zip!)}.`
        : by === 'coordinates'
          ? `Coordinates are in ${joinWithAnd([...new Set(Object.values(columns.coordinates!))].map(quoted))}.`
          : `Addresses are in ${joinWithAnd(columns.address!.map(quoted))}.`,
      by === 'zip' && hasPoints(columns)
        ? 'Coordinates are used only for rows without a ZIP code.'
        : '',
      columns.otherZips.length > 0
        ? `The table also has ZIP codes in ${joinFirst(columns.otherZips.map(quoted), 5)}.`
        : '',
      `Amounts: ${joinWithAnd(choices.map(({ kind }, i) => (kind === 'count' ? 'the number of rows' : `the ${kind} of ${quoted(amounts[i]!.column)}`)))}.`,
      note,
      ...numberNotes(columns, quoted),
      groupBy === null ? '' : `Groups are in ${quoted(groupBy)}.`,
    ],
  };
}

function hasPoints({ rows, coordinates }: Columns): boolean {
  if (coordinates === null) return false;
  const { lng, lat } = coordinates;
  return rows.some(
    (row) => readCoordinates(cellText(row, lng), cellText(row, lat), lng === lat) !== null,
  );
}

/** Sentences on the columns whose numbers can be read in several ways, or not at all */
function numberNotes(
  { numbers, unsaved, columns }: Columns,
  quoted: (column: number) => string,
): string[] {
  const named = (columns: readonly number[]) => joinFirst(columns.map(quoted), 5);
  const those = (test: (one: Columns['numbers'][number]) => boolean) =>
    [...numbers.keys()].filter((i) => test(numbers[i]!) && columns[i]!.decimalComma);
  const read = those(({ form }) => form.mark === ',');
  const unread = those(({ hasDecimalCommas }) => hasDecimalCommas);
  const unclear = those(({ hasEither, form }) => hasEither && form.mark === '.');
  return [
    read.length > 0 ? `Decimal commas are read in ${named(read)}.` : '',
    unread.length > 0
      ? `The amounts in ${named(unread)} have decimal commas, such as ${truncateInput(numbers[unread[0]!]!.example)}. To count them, choose to read decimal commas there.`
      : '',
    unclear.length > 0
      ? `The commas and points in ${named(unclear)} are read as in 1,234.50. If they are decimal commas, choose to read decimal commas there.`
      : '',
    unsaved.length > 0
      ? `The formulas in ${named(unsaved)} have no saved results. Open the file in a spreadsheet program, save it, and upload it again.`
      : '',
  ];
}

export const tooManySets = () =>
  badRequest(
    `The file would fill more than ${MAX_SETS} data sets. Choose fewer amounts, or a column with fewer groups.`,
  );

/** Named ZIP codes come before coordinates, and these before a column of numbers with five digits. */
function placedBy(
  { zip, isZipNamed, coordinates, address, columns }: Columns,
  options: UploadOptions,
  canGeocode: boolean,
): UploadResult['used']['place']['by'] {
  if (options.zip !== undefined) return 'zip';
  if (options.coordinates !== undefined && coordinates !== null) return 'coordinates';
  if (options.address !== undefined && canGeocode) return 'address';
  if (zip !== null && (isZipNamed || coordinates === null)) return 'zip';
  if (coordinates !== null) return 'coordinates';
  if (address !== null && canGeocode) return 'address';
  const names = joinFirst(columns.map(({ name }) => `"${name}"`));
  throw badRequest(
    address !== null
      ? `The file has addresses, but no ZIP codes or coordinates, and this service can’t look up addresses. Add a column of ZIP codes. The file has ${names}.`
      : `The file has no column of ZIP codes, coordinates, or addresses. Add one, or name it. The file has ${names}.`,
  );
}

/** Share of different ZIP codes in a table with one row per ZIP code: a few may be repeated. */
const ONE_ROW_PER_ZIP = 0.9;

/** A table with one row per ZIP code has amounts; in any other, each row counts. */
function guessAmounts(
  { rows, columns, numbers, ...table }: Columns,
  zip: number | null,
  taken: ReadonlySet<number | null>,
  addsUpNumbers = false,
): { choices: readonly AmountChoice[]; note: string } {
  const count = { choices: [{ kind: 'count' as const }], note: '' };
  if (zip === null) return count;
  const zips = rows.flatMap((row) => {
    const cell = cellText(row, zip);
    return /total/i.test(cell) ? [] : (readZip(cell).zip ?? []);
  });
  const hasOneEach = new Set(zips).size >= ONE_ROW_PER_ZIP * zips.length;
  if (!addsUpNumbers && !hasOneEach) return count;
  const numeric = columns.filter(
    ({ content, name, number }) =>
      content === 'number' && !taken.has(number - 1) && !isLabelName(name),
  );
  const isPercent = ({ number }: ReadColumn) => numbers[number - 1]!.isPercent;
  const named = (some: readonly ReadColumn[]) =>
    joinFirst(
      some.map(({ number }) => columnName(table, number - 1)),
      5,
    );
  const percents = numeric.filter(isPercent);
  const [first, ...others] = numeric.filter((one) => !isPercent(one));
  const note = [
    others.length > 0 ? `There are also numbers in ${named(others)}.` : '',
    percents.length > 0 ? `Percentages, as in ${named(percents)}, aren’t added up.` : '',
  ]
    .filter((part) => part !== '')
    .join(' ');
  if (first === undefined) return { ...count, note };
  return { choices: [{ kind: 'sum', column: `column ${first.number}` }], note };
}

/** `Skipped 2 lines above the headings.`; empty if there are none */
export const skippedNote = ({ titles, headings }: Columns): string =>
  headings === null || titles === 0
    ? ''
    : `Skipped ${pluralize(titles, 'line')} above the headings.`;
