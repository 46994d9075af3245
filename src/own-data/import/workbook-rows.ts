/** Chooses the sheet of a workbook to read. */
import { badRequest } from '../../errors.ts';
import { truncateInput } from '../../lists/finding.ts';
import { SAMPLE_LINES, type Row } from '../../lists/rows.ts';
import { joinFirst } from '../../text/words.ts';
import { MAX_COLUMNS } from './columns.ts';
import type { RowSource } from './read-rows.ts';
import { findSheet, Workbook, type Sheet } from './workbook.ts';

/** @throws ServiceError 400 for any other file, a sheet that doesn't exist, or sheets without rows */
export async function workbookRows(bytes: Buffer, wanted: string | undefined): Promise<RowSource> {
  const workbook = await Workbook.open(bytes);
  const sheet = wanted === undefined ? await firstTable(workbook) : findSheet(workbook, wanted);
  const others = workbook.sheets.filter((one) => one !== sheet && !one.isHidden);
  return {
    format: 'xlsx',
    sheets: workbook.sheets.map(({ name }) => truncateInput(name)),
    note:
      `Read from the sheet “${truncateInput(sheet.name)}”.` +
      (others.length === 0
        ? ''
        : ` Other sheets: ${joinFirst(
            others.map(({ name }) => `“${truncateInput(name)}”`),
            5,
          )}.`),
    isHeaded: false,
    // One more column than a file may have, so that it is refused
    rows: workbook.rows(sheet, MAX_COLUMNS + 1),
  };
}

/** Returns the first visible sheet with a table, or else with rows. */
async function firstTable(workbook: Workbook): Promise<Sheet> {
  let withRows: Sheet | null = null;
  for (const sheet of workbook.sheets.filter(({ isHidden }) => !isHidden)) {
    const rows = await firstRows(workbook, sheet);
    if (rows.filter(hasSeveralCells).length > 1) return sheet;
    if (rows.length > 0) withRows ??= sheet;
  }
  if (withRows !== null) return withRows;
  throw badRequest('The visible sheets of the workbook are empty. Name a hidden one, or add rows.');
}

const hasSeveralCells = ({ cells }: Row) => cells.filter((cell) => cell.trim() !== '').length > 1;

async function firstRows(workbook: Workbook, sheet: Sheet): Promise<Row[]> {
  const first: Row[] = [];
  for await (const rows of workbook.rows(sheet, MAX_COLUMNS)) {
    first.push(...rows.slice(0, SAMPLE_LINES));
    if (first.length >= SAMPLE_LINES) break;
  }
  return first;
}
