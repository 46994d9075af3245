/** Reads the cells of a file whose rows are stored as they are, such as places. */
import { badRequest } from '../../../errors.ts';
import { isAddress } from '../../../base/lists/read-zip.ts';
import { cellText } from '../../../base/files/rows.ts';
import { MAX_COLUMNS, type Columns } from './columns.ts';
import { skippedNote } from './choose-columns.ts';
import { sizeNote, startTable, tooManyRows, type RowSource } from './start-table.ts';
import type { UploadOptions, UploadResult } from './types.ts';

export interface CellsResult extends Pick<UploadResult, 'format' | 'columns' | 'sheets'> {
  /** Sentences on what was read, or left out */
  notes: readonly string[];
  headings: Columns['headings'];
  /** Indexes of the columns that place rows; null for those that weren’t found */
  places: Pick<Columns, 'zip' | 'coordinates' | 'address'>;
  rows: { line: number; cells: string[] }[];
}

/** Longer cells are cut: no field of a row may be as long. */
const MAX_CELL_LENGTH = 1_000;
const MAX_CHARACTERS = 20_000_000;

/** @throws ServiceError 400 as `startTable`, or for too many rows or characters */
export async function readCells(
  source: RowSource,
  options: UploadOptions,
  limits: { rows: number },
): Promise<CellsResult> {
  const { columns, batches } = await startTable(source, options);
  const width = Math.min(columns.columns.length, MAX_COLUMNS);
  const rows: CellsResult['rows'] = [];
  let characters = 0;
  for await (const batch of batches) {
    for (const row of batch) {
      const cells = Array.from({ length: width }, (_, i) =>
        cellText(row, i).slice(0, MAX_CELL_LENGTH),
      );
      for (const cell of cells) characters += cell.length;
      rows.push({ line: row.line, cells });
      if (rows.length > limits.rows) throw tooManyRows(limits.rows);
      if (characters > MAX_CHARACTERS) {
        throw badRequest('The file has too much text. Remove columns that aren’t needed.');
      }
    }
  }
  return {
    format: source.format,
    sheets: source.sheets,
    columns: columns.columns,
    headings: columns.headings,
    places: placesIn(columns),
    notes: [sizeNote(source.format, rows.length), source.note, skippedNote(columns)],
    rows,
  };
}

/** A column of whole addresses contains ZIP codes, but is an address. */
function placesIn({ zip, coordinates, address, rows }: Columns): CellsResult['places'] {
  const hasAddresses = zip !== null && rows.some((row) => isAddress(cellText(row, zip)));
  return {
    zip: hasAddresses ? null : zip,
    coordinates,
    address: address ?? (hasAddresses ? [zip] : null),
  };
}
