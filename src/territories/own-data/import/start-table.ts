/** Reads the first rows of a file, which tell its columns. The others wait in the file. */
import { badRequest } from '../../../errors.ts';
import { SAMPLE_LINES, type Row, type Table } from '../../../base/files/rows.ts';
import { formatCount, pluralize } from '../../../base/text/words.ts';
import { findColumns, type Columns } from './columns.ts';
import type { UploadOptions, UploadResult } from './types.ts';

/** The rows of a file as they arrive, with the titles and headings above them */
export type RowSource = Omit<Table, 'format' | 'sheet'> & Pick<UploadResult, 'format'>;

/**
 * @returns the columns, and the rows below the headings
 * @throws ServiceError 400 for a file without rows, or without a column that the options name
 */
export async function startTable(
  source: RowSource,
  options: UploadOptions,
): Promise<{ columns: Columns; batches: AsyncGenerator<Row[]> }> {
  const later = source.rows[Symbol.asyncIterator]();
  const first: Row[] = [];
  while (first.length < SAMPLE_LINES) {
    const next = await later.next();
    if (next.done) break;
    for (const row of next.value) first.push(row);
  }
  if (first.length === 0) throw badRequest('The file is empty. Give at least one row.');
  const columns = findColumns(first.slice(0, SAMPLE_LINES), options, source);
  if (columns.rows.length === 0) {
    throw badRequest('The file has headings, but no rows below them. Add at least one.');
  }
  async function* batches(): AsyncGenerator<Row[]> {
    yield first.slice(columns.skipped);
    yield* { [Symbol.asyncIterator]: () => later };
  }
  return { columns, batches: batches() };
}

const LABELS: Readonly<Record<UploadResult['format'], string>> = {
  csv: 'Table',
  xlsx: 'Workbook',
  geojson: 'GeoJSON',
  kml: 'KML',
  shapefile: 'Shapefile',
};

/** `Table with 12 rows.` */
export const sizeNote = (format: UploadResult['format'], rows: number): string =>
  `${LABELS[format]} with ${pluralize(rows, 'row')}.`;

/** @param instead what helps besides splitting it up, as `, or …` */
export const tooManyRows = (most: number, instead = '') =>
  badRequest(
    `The file has more than ${formatCount(most)} rows, the maximum for one upload. Split it up${instead}.`,
  );
