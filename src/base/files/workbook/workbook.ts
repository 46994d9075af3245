/**
 * Reads Excel workbooks (.xlsx) sheet by sheet and row by row. Readers on npm keep all cells in memory or write
 * temporary files.
 */
import { posix } from 'node:path';
import { badRequest } from '../../../errors.ts';
import { formatCount, joinFirst, truncateInput } from '../../text/words.ts';
import { SAMPLE_LINES, type Row, type Table } from '../rows.ts';
import { formatOfCells, type CellFormat } from './cell-formats.ts';
import {
  newFacts,
  sheetRows,
  unescapeText,
  type CellFacts,
  type SheetFacts,
} from './sheet-rows.ts';
import type { UploadedArchive } from '../uploaded-archive.ts';
import { parseXml } from './xml.ts';

const MB = 1024 * 1024;
const MAX_STRINGS_BYTES = 200 * MB;
const MAX_PART_BYTES = 20 * MB;
/** Columns to look at while choosing a sheet */
const FIRST_COLUMNS = 500;
/** More than people can choose from */
const MAX_SHEETS = 500;

const tooManySheets = () =>
  badRequest(`The workbook has more than ${MAX_SHEETS} sheets. Save the sheet to upload as CSV.`);

export interface Sheet {
  name: string;
  isHidden: boolean;
  path: string;
}

export class Workbook {
  readonly sheets: readonly Sheet[];
  readonly #archive: UploadedArchive;
  readonly #cells: CellFacts;

  private constructor(archive: UploadedArchive, sheets: readonly Sheet[], cells: CellFacts) {
    this.#archive = archive;
    this.sheets = sheets;
    this.#cells = cells;
  }

  /** @throws ServiceError 400 for a damaged archive */
  static async open(archive: UploadedArchive): Promise<Workbook> {
    const [main] = (await relations(archive, '')).filter(({ type }) => type === 'officeDocument');
    const path = main?.path ?? 'xl/workbook.xml';
    const related = await relations(archive, path);
    const sheetPaths = new Map(
      related.filter(({ type }) => type === 'worksheet').map((one) => [one.id, one.path]),
    );
    const pathOf = (type: string) => related.find((one) => one.type === type)?.path;
    const sheets: Sheet[] = [];
    let isFrom1904 = false;
    let isForRecalculation = false;
    await parseXml(archive, path, MAX_PART_BYTES, {
      open(name, attributes) {
        if (name === 'workbookPr') isFrom1904 = isTrue(attributes().date1904);
        if (name === 'calcPr') isForRecalculation = isTrue(attributes().fullCalcOnLoad);
        if (name !== 'sheet') return;
        const { name: title = '', state, ...rest } = attributes();
        const id = Object.entries(rest).find(([key]) => key.endsWith(':id'))?.[1];
        const sheetPath = id === undefined ? undefined : sheetPaths.get(id);
        if (sheetPath === undefined) return;
        if (sheets.length >= MAX_SHEETS) throw tooManySheets();
        const isHidden = state !== undefined && state !== 'visible';
        sheets.push({ name: title, isHidden, path: sheetPath });
      },
    });
    const strings = pathOf('sharedStrings');
    const styles = pathOf('styles');
    return new Workbook(archive, sheets, {
      strings:
        strings !== undefined && archive.has(strings) ? await readStrings(archive, strings) : [],
      formats:
        styles !== undefined && archive.has(styles) ? await readFormats(archive, styles) : [],
      isFrom1904,
      isForRecalculation,
    });
  }

  /**
   * Reads the rows of a sheet that aren't empty.
   * @param maxColumns later cells are left out
   * @param facts is filled while the rows are read; null for the first rows without their merged cells
   */
  rows(sheet: Sheet, maxColumns: number, facts: SheetFacts | null): AsyncGenerator<Row[]> {
    return sheetRows(this.#archive, sheet.path, this.#cells, maxColumns, facts);
  }
}

const isTrue = (attribute: string | undefined) => /^(1|true)$/.test(attribute ?? '');

/** Returns the files that a file of the workbook refers to. @param path empty for the whole archive */
async function relations(archive: UploadedArchive, path: string) {
  const folder = posix.dirname(path);
  const list = posix.join(folder, '_rels', `${posix.basename(path)}.rels`);
  const found: { id: string; type: string; path: string }[] = [];
  if (!archive.has(list)) return found;
  await parseXml(archive, list, MAX_PART_BYTES, {
    open(name, attributes) {
      if (name !== 'Relationship') return;
      const { Id: id = '', Type: type = '', Target: target = '' } = attributes();
      const absolute = target.startsWith('/') ? target.slice(1) : posix.join(folder, target);
      found.push({ id, type: type.slice(type.lastIndexOf('/') + 1), path: absolute });
    },
  });
  return found;
}

async function readStrings(archive: UploadedArchive, path: string): Promise<string[]> {
  const strings: string[] = [];
  let text = '';
  let isText = false;
  let isPhonetic = false;
  await parseXml(archive, path, MAX_STRINGS_BYTES, {
    open(name) {
      if (name === 'si') text = '';
      else if (name === 't') isText = !isPhonetic;
      else if (name === 'rPh') isPhonetic = true;
    },
    text(part) {
      if (isText) text += part;
    },
    close(name) {
      if (name === 'si') strings.push(unescapeText(text));
      else if (name === 't') isText = false;
      else if (name === 'rPh') isPhonetic = false;
    },
  });
  return strings;
}

/** Returns the formats of cells by the number in their attribute `s`. */
async function readFormats(archive: UploadedArchive, path: string): Promise<CellFormat[]> {
  const codes = new Map<number, string>();
  const formats: CellFormat[] = [];
  let isCells = false;
  await parseXml(archive, path, MAX_PART_BYTES, {
    open(name, attributes) {
      if (name === 'numFmt') {
        const { numFmtId, formatCode = '' } = attributes();
        codes.set(Number(numFmtId), formatCode);
      } else if (name === 'cellXfs') isCells = true;
      else if (name === 'xf' && isCells) {
        const id = Number(attributes().numFmtId ?? 0);
        formats.push(formatOfCells(id, codes.get(id)));
      }
    },
    close(name) {
      if (name === 'cellXfs') isCells = false;
    },
  });
  return formats;
}

/**
 * Opens the sheet of a workbook to read.
 * @param wanted name of the sheet. Default: the first visible one with a table, or else with rows
 * @param isTable whether the first rows of a sheet have a table
 * @throws ServiceError 400 for a damaged archive, a sheet that doesn't exist, or sheets without rows
 */
export async function openSheet(
  archive: UploadedArchive,
  wanted: string | undefined,
  isTable: (rows: readonly Row[]) => boolean,
  maxColumns: number,
): Promise<Table> {
  const workbook = await Workbook.open(archive);
  const sheet =
    wanted === undefined ? await firstTable(workbook, isTable) : findSheet(workbook, wanted);
  const others = workbook.sheets.filter((one) => one !== sheet && !one.isHidden);
  const facts = newFacts();
  return {
    format: 'xlsx',
    sheet: truncateInput(sheet.name),
    sheets: workbook.sheets.map(({ name }) => truncateInput(name)),
    get note() {
      const names = others.map(({ name }) => `“${truncateInput(name)}”`);
      const { hiddenRows: hidden, hasDurations } = facts;
      const isOne = hidden === 1;
      return [
        `Read from the sheet “${truncateInput(sheet.name)}”.`,
        names.length === 0 ? '' : `Other sheets: ${joinFirst(names, 5)}.`,
        hidden === 0
          ? ''
          : `${isOne ? '1 row is' : `${formatCount(hidden)} rows are`} hidden, for example by a filter, and ` +
            `${isOne ? 'is' : 'are'} read, too.`,
        hasDurations ? 'Durations are read as hours.' : '',
      ]
        .filter((part) => part !== '')
        .join(' ');
    },
    isHeaded: false,
    hasStoredNumbers: true,
    hasSemicolons: false,
    rows: workbook.rows(sheet, maxColumns + 1, facts),
  };
}

async function firstTable(
  workbook: Workbook,
  isTable: (rows: readonly Row[]) => boolean,
): Promise<Sheet> {
  let withRows: Sheet | null = null;
  for (const sheet of workbook.sheets.filter(({ isHidden }) => !isHidden)) {
    const rows = await firstRows(workbook, sheet);
    if (isTable(rows)) return sheet;
    if (rows.length > 0) withRows ??= sheet;
  }
  if (withRows !== null) return withRows;
  throw badRequest('The visible sheets of the workbook are empty. Name a hidden one, or add rows.');
}

async function firstRows(workbook: Workbook, sheet: Sheet): Promise<Row[]> {
  const first: Row[] = [];
  for await (const rows of workbook.rows(sheet, FIRST_COLUMNS, null)) {
    first.push(...rows.slice(0, SAMPLE_LINES));
    if (first.length >= SAMPLE_LINES) break;
  }
  return first;
}

/** @throws ServiceError 400 for a name that no sheet has */
function findSheet({ sheets }: Workbook, wanted: string): Sheet {
  const sheet = sheets.find(({ name }) => name.trim() === wanted.trim());
  if (sheet) return sheet;
  throw badRequest(
    `The workbook has no sheet "${truncateInput(wanted)}". It has ${joinFirst(sheets.map(({ name }) => `"${name}"`))}.`,
  );
}
