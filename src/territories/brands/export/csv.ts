/** A territory as CSV: one row per ZIP code. */
import { csvLines } from '../../../base/text/csv.ts';
import { EXPORT_COLUMNS, type ExportColumn, type ExportValue } from './columns.ts';
import { slicesOf } from './slices.ts';
import {
  exportedZips,
  exportSources,
  type Export,
  type ExportedZip,
  type ExportSources,
} from './zips.ts';

/** Excel recognizes UTF-8 by it. */
const BYTE_ORDER_MARK = '\u{FEFF}';

export async function* territoryCsv(
  territory: Export,
  columns: readonly ExportColumn[] = EXPORT_COLUMNS,
): AsyncGenerator<string> {
  const sources = await exportSources(territory.tenant.common);
  yield BYTE_ORDER_MARK + csvHeader(columns);
  for await (const zips of exportedZips(territory)) {
    for (const slice of slicesOf(zips)) yield csvRows(slice, sources, columns);
  }
}

export const csvHeader = (columns: readonly ExportColumn[] = EXPORT_COLUMNS): string =>
  csvLines([columns.map(({ name }) => name)]);

export const csvRows = (
  zips: readonly ExportedZip[],
  sources: ExportSources,
  columns: readonly ExportColumn[] = EXPORT_COLUMNS,
): string => csvLines(zips.map((zip) => columns.map(({ value }) => cellOf(value(zip, sources)))));

const cellOf = (value: ExportValue) => (typeof value === 'boolean' ? String(value) : value);
