/**
 * A territory as an Excel workbook: a sheet with a row per ZIP code, and a sheet with the sources. A thread
 * writes it, because that takes seconds for the whole country.
 */
import { EXPORT_COLUMNS, type ColumnType, type ExportColumn, type ExportValue } from './columns.ts';
import { fileKind, writeInThread } from './file-worker.ts';
import { slicesOf } from './slices.ts';
import { exportedZips, exportSources, type Export } from './zips.ts';

export interface Workbook {
  columns: { name: string; type: ColumnType }[];
  rows: ExportValue[][];
  /** Rows of the second sheet */
  sources: [name: string, value: string | number][];
  /** Set for a workbook of an earlier moment, so that it always has the same bytes */
  moment?: Date | null;
}

export const territoryXlsx = (
  territory: Export,
  now: Date,
  columns: readonly ExportColumn[] = EXPORT_COLUMNS,
): Promise<Uint8Array> => writeWorkbook(() => workbookOf(territory, columns, now));

export const workbooks = fileKind<Workbook>('territories/brands/export/xlsx-worker.ts');

/** Writes a workbook. @param load reads the rows when it's their turn */
export const writeWorkbook = (load: () => Promise<Workbook>): Promise<Uint8Array> =>
  writeInThread(workbooks, load);

async function workbookOf(
  territory: Export,
  columns: readonly ExportColumn[],
  now: Date,
): Promise<Workbook> {
  const { moment, common } = territory.tenant;
  const sources = await exportSources(common);
  const rows: ExportValue[][] = [];
  const vintages = new Set<string>();
  let withoutBoundary = 0;
  for await (const zips of exportedZips(territory)) {
    for (const slice of slicesOf(zips)) {
      for (const zip of slice) {
        rows.push(columns.map(({ value }) => value(zip, sources)));
        if (zip.demographics) vintages.add(zip.demographics.sourceVintage);
        if (!zip.hasBoundary) withoutBoundary++;
      }
    }
  }
  return {
    columns: columns.map(({ name, type }) => ({ name, type })),
    rows,
    moment,
    sources: [
      ['Brand', territory.brand.name],
      [moment ? 'As of' : 'Exported', `${now.toISOString().slice(0, 16).replace('T', ' ')} UTC`],
      ['ZIP codes', rows.length],
      ['Without a boundary', withoutBoundary],
      ['Boundaries', sources.boundaries],
      ['Census figures', [...vintages].sort().join('\n') || 'None'],
      ['Scores', sources.scores],
      ['Figures', 'Only live ZIP codes have figures. An empty cell means unknown, never zero.'],
    ],
  };
}
