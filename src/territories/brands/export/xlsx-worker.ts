/** Worker thread that writes one Excel workbook. `xlsx.ts` starts it. */
import writeExcelFile from 'write-excel-file/node';
import { setZipTimes } from '../../../base/files/zip-times.ts';
import { serveJobs } from '../../../base/workers/serve.ts';
import type { ColumnType, ExportValue } from './columns.ts';
import type { Workbook } from './xlsx.ts';

type Column = Workbook['columns'][number];

const HEADING = { fontWeight: 'bold', wrap: true, alignVertical: 'top' } as const;
/** Font of all cells. Without it, programs choose different fonts for headings and cells. */
const FONT = { fontFamily: 'Calibri', fontSize: 11 };
/** Excel's limit of characters in a cell */
const MAX_TEXT = 32_767;

/** Column widths in characters */
const WIDTHS: Readonly<Record<ColumnType, number>> = {
  text: 14,
  flag: 11,
  integer: 14,
  number: 14,
  time: 17,
};
const WIDTH_OF: Readonly<Record<string, number>> = {
  zip: 9,
  city: 22,
  state: 7,
  county: 20,
  sharedWith: 24,
  demographicsVintage: 36,
  scoresVintage: 36,
  boundariesVintage: 22,
};

serveJobs<Workbook, Uint8Array, never, never>(async ({ moment, ...workbook }) => {
  const file = new Uint8Array(await write(workbook));
  if (moment) setZipTimes(file, moment);
  return file;
});

const write = ({ columns, rows, sources }: Workbook): Promise<Buffer> =>
  writeExcelFile(
    [
      {
        sheet: 'ZIP codes',
        orientation: 'landscape',
        stickyRowsCount: 1,
        stickyColumnsCount: 1,
        columns: columns.map(({ name, type }) => ({ width: WIDTH_OF[name] ?? WIDTHS[type] })),
        data: [
          columns.map(({ name }) => ({ value: name, type: String, ...HEADING })),
          ...rows.map((row) => row.map((value, i) => cellOf(value, columns[i]!))),
        ],
      },
      {
        sheet: 'Sources',
        columns: [{ width: 20 }, { width: 80 }],
        data: sources.map(([name, value]) => [
          { value: name, type: String, ...HEADING },
          typeof value === 'number'
            ? { value, type: Number, format: '#,##0', align: 'left' as const }
            : { ...textCell(value), wrap: true },
        ]),
      },
    ],
    FONT,
  ).toBuffer();

/**
 * Returns a cell that is never a formula, even if its text begins with an equals sign. The format `@` keeps leading
 * zeros when a person edits the cell.
 */
const textCell = (value: string) => ({
  value: value.slice(0, MAX_TEXT),
  type: String,
  format: '@',
});

function cellOf(value: ExportValue, { name, type }: Column) {
  if (value === null) return null;
  if (type === 'flag') return { value: value as boolean, type: Boolean };
  if (type === 'time') return { value: new Date(value as string), type: Date, format: TIME };
  if (type === 'text') return textCell(String(value));
  const format = name === 'medianYearBuilt' ? '0' : type === 'integer' ? '#,##0' : '0.0';
  return { value: value as number, type: Number, format };
}

const TIME = 'yyyy-mm-dd hh:mm';
