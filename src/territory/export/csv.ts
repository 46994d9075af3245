/** A territory as CSV: one row per ZIP code. */
import { csvLines } from '../../text/csv.ts';
import { EXPORT_COLUMNS, type ExportValue } from './columns.ts';
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

export async function* territoryCsv(territory: Export): AsyncGenerator<string> {
  const sources = await exportSources(territory.tenant.common);
  yield BYTE_ORDER_MARK + csvHeader();
  for await (const zips of exportedZips(territory)) {
    for (const slice of slicesOf(zips)) yield csvRows(slice, sources);
  }
}

export const csvHeader = (): string => csvLines([EXPORT_COLUMNS.map(({ name }) => name)]);

export const csvRows = (zips: readonly ExportedZip[], sources: ExportSources): string =>
  csvLines(zips.map((zip) => EXPORT_COLUMNS.map(({ value }) => cellOf(value(zip, sources)))));

const cellOf = (value: ExportValue) => (typeof value === 'boolean' ? String(value) : value);
