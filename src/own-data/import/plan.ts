/** Decides which columns place the rows and which are counted, and says so in words. Pure. */
import { badRequest } from '../../errors.ts';
import { readZip } from '../../lists/read-zip.ts';
import { columnName, columnNamed } from '../../lists/zip-table.ts';
import { joinFirst, joinWithAnd, pluralize } from '../../text/words.ts';
import { isLabelName, type Columns } from './columns.ts';
import type { AmountChoice, UploadOptions, UploadResult } from './types.ts';

/** Largest number of data sets from one file: each takes a megabyte while rows are added up. */
export const MAX_SETS = 20;

export interface Plan {
  used: UploadResult['used'];
  /** Indexes of the columns that place rows. A row without its ZIP code or coordinates goes to the next in this order. */
  places: {
    zip: number | null;
    coordinates: Columns['coordinates'];
    address: readonly number[] | null;
  };
  /** Index of the column for each of `used.amounts`; null for a count */
  amounts: readonly (number | null)[];
  groupBy: number | null;
  /** Sentences on these choices */
  notes: readonly string[];
}

/**
 * @throws ServiceError 400 if no column places the rows, or without a column that the options name
 */
export function planReading(columns: Columns, options: UploadOptions, canGeocode: boolean): Plan {
  const by = placedBy(columns, options, canGeocode);
  const places = {
    zip: by === 'zip' ? columns.zip : null,
    coordinates: by !== 'address' ? columns.coordinates : null,
    address: canGeocode ? columns.address : null,
  };
  const name = (i: number) => columns.columns[i]!.name;
  const quoted = (i: number) => columnName(columns, i);
  const taken = new Set([
    ...[columns.zip, ...columns.otherZips, ...(columns.address ?? [])],
    ...(columns.coordinates ? [columns.coordinates.lng, columns.coordinates.lat] : []),
  ]);
  const { choices, note } = options.amounts
    ? { choices: options.amounts, note: '' }
    : guessAmounts(columns, places.zip, taken, options.addsUpNumbers);
  const amounts = choices.map((choice) =>
    choice.kind === 'count' ? null : columnNamed(columns, choice.column),
  );
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
        choice.kind === 'count' ? choice : { kind: choice.kind, column: name(amounts[i]!) },
      ),
      groupBy: groupBy === null ? null : name(groupBy),
    },
    ...{ places, amounts, groupBy },
    notes: [
      by === 'zip'
        ? `ZIP codes are in ${quoted(columns.zip!)}.`
        : by === 'coordinates'
          ? `Coordinates are in ${joinWithAnd([columns.coordinates!.lng, columns.coordinates!.lat].map(quoted))}.`
          : `Addresses are in ${joinWithAnd(columns.address!.map(quoted))}.`,
      columns.otherZips.length > 0
        ? `The table also has ZIP codes in ${joinFirst(columns.otherZips.map(quoted), 5)}.`
        : '',
      `Amounts: ${joinWithAnd(
        choices.map(({ kind }, i) =>
          kind === 'count' ? 'the number of rows' : `the ${kind} of ${quoted(amounts[i]!)}`,
        ),
      )}.`,
      note,
      groupBy === null ? '' : `Groups are in ${quoted(groupBy)}.`,
    ],
  };
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
  { rows, columns, ...table }: Columns,
  zip: number | null,
  taken: ReadonlySet<number | null>,
  addsUpNumbers = false,
): { choices: readonly AmountChoice[]; note: string } {
  const count = { choices: [{ kind: 'count' as const }], note: '' };
  if (zip === null) return count;
  const zips = rows.flatMap(({ cells }) => readZip(cells[zip] ?? '').zip ?? []);
  const hasOneEach = new Set(zips).size >= ONE_ROW_PER_ZIP * zips.length;
  if (!addsUpNumbers && !hasOneEach) return count;
  const [first, ...others] = columns.filter(
    ({ content, name, number }) =>
      content === 'number' && !taken.has(number - 1) && !isLabelName(name),
  );
  if (first === undefined) return count;
  const names = others.map(({ number }) => columnName(table, number - 1));
  return {
    choices: [{ kind: 'sum', column: `column ${first.number}` }],
    note: names.length > 0 ? `There are also numbers in ${joinFirst(names, 5)}.` : '',
  };
}

/** `Skipped 2 lines above the headings.`; empty if there are none */
export const skippedNote = ({ skipped, headings }: Columns): string =>
  headings === null || skipped < 2
    ? ''
    : `Skipped ${pluralize(skipped - 1, 'line')} above the headings.`;
