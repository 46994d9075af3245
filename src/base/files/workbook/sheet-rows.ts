/** Reads a sheet of a workbook row by row, with the values that a spreadsheet program shows. */
import type { Row } from '../rows.ts';
import { formatCell, type CellFormat } from './cell-formats.ts';
import { MergedCells } from './merged-cells.ts';
import type { UploadedArchive } from '../uploaded-archive.ts';
import { columnOf, parsing, type Handlers } from './xml.ts';

/** A million rows of ten columns take 500 MB. */
const MAX_SHEET_BYTES = 2_000 * 1024 * 1024;

/** What a workbook says about the cells of all its sheets */
export interface CellFacts {
  strings: readonly string[];
  /** By the number in the attribute `s` of a cell */
  formats: readonly CellFormat[];
  isFrom1904: boolean;
  /** Whether a spreadsheet program should compute all formulas: then, results of 0 may be placeholders */
  isForRecalculation: boolean;
}

/** What is known of a sheet after its rows were read */
export interface SheetFacts {
  hiddenRows: number;
  hasDurations: boolean;
}

export const newFacts = (): SheetFacts => ({ hiddenRows: 0, hasDurations: false });

/** @param facts is filled while the rows are read; null for the first rows without their merged cells */
export async function* sheetRows(
  archive: UploadedArchive,
  path: string,
  workbook: CellFacts,
  maxColumns: number,
  facts: SheetFacts | null,
): AsyncGenerator<Row[]> {
  const merged = new MergedCells(
    facts === null ? [] : await MergedCells.read(archive, path, MAX_SHEET_BYTES),
  );
  const hasResults = !workbook.isForRecalculation || (await hasComputed(archive, path));
  let rows: Row[] = [];
  let line = 0;
  let isHidden = false;
  let cells: string[] = [];
  const cell = new CellReader(workbook, hasResults, facts ?? newFacts());
  const handlers: Handlers = {
    open: (name, attributes) => {
      if (name === 'row') {
        const given = attributes();
        const number = Number(given.r);
        line = Number.isSafeInteger(number) && number > 0 ? number : line + 1;
        isHidden = given.hidden === '1' || given.hidden === 'true';
        cells = [];
        cell.column = -1;
      } else cell.open(name, attributes);
    },
    text: (part) => cell.add(part),
    close: (name) => {
      if (name === 'row') {
        const covered = merged.coveredIn(line, cells, maxColumns);
        if (!cells.some((text) => text.trim() !== '')) return;
        if (isHidden && facts !== null) facts.hiddenRows++;
        rows.push({ line, cells, ...(covered && { covered }) });
      } else if (cell.close(name) && cell.column < maxColumns) {
        while (cells.length < cell.column) cells.push('');
        cells[cell.column] = cell.value();
      }
    },
  };
  for await (const _ of parsing(archive, path, MAX_SHEET_BYTES, handlers)) {
    if (rows.length > 0) yield rows;
    rows = [];
  }
}

/** Collects one cell after another from the elements of a sheet. */
class CellReader {
  /** Index of the column */
  column = -1;
  readonly #workbook: CellFacts;
  readonly #hasResults: boolean;
  readonly #facts: SheetFacts;
  #type = '';
  #format: CellFormat = null;
  #text = '';
  #formula: string | null = null;
  #part: 'value' | 'formula' | null = null;
  // Inside `rPh`, which tells how Japanese characters are pronounced
  #isPhonetic = false;

  constructor(workbook: CellFacts, hasResults: boolean, facts: SheetFacts) {
    this.#workbook = workbook;
    this.#hasResults = hasResults;
    this.#facts = facts;
  }

  open(name: string, attributes: () => Record<string, string>): void {
    if (name === 'c') {
      const given = attributes();
      this.column = columnOf(given.r) ?? this.column + 1;
      this.#type = given.t ?? 'n';
      this.#format = this.#workbook.formats[Number(given.s ?? 0)] ?? null;
      this.#text = '';
      this.#formula = null;
    } else if (name === 'v' || name === 't') this.#part = this.#isPhonetic ? null : 'value';
    else if (name === 'f') {
      this.#part = 'formula';
      this.#formula = '';
    } else if (name === 'rPh') this.#isPhonetic = true;
  }

  add(part: string): void {
    if (this.#part === 'value') this.#text += part;
    else if (this.#part === 'formula') this.#formula += part;
  }

  /** Returns whether the cell is complete. */
  close(name: string): boolean {
    if (name === 'v' || name === 't' || name === 'f') this.#part = null;
    else if (name === 'rPh') this.#isPhonetic = false;
    return name === 'c';
  }

  /** Returns the text of the cell. A formula whose result wasn't saved is its own text. */
  value(): string {
    const [text, type] = [this.#text, this.#type];
    if (this.#formula !== null && this.#isUnsaved()) return `=${this.#formula || '…'}`;
    if (type === 's') return this.#workbook.strings[Number(text)] ?? '';
    if (type === 'b') return text === '1' ? 'TRUE' : 'FALSE';
    if (type !== 'n') return unescapeText(text);
    if (text.trim() === '') return '';
    const value = Number(text);
    if (!Number.isFinite(value)) return text;
    if (this.#format === 'hours') this.#facts.hasDurations = true;
    return formatCell(value, this.#format, this.#workbook.isFrom1904);
  }

  #isUnsaved(): boolean {
    const text = this.#text.trim();
    if (this.#type !== 'n') return false;
    return text === '' || (!this.#hasResults && Number(text) === 0);
  }
}

/** Number of parts of a sheet in which to look for results */
const LOOKED_AT = 8;

/** Whether a formula near the start of a sheet has a result that isn't the placeholder 0 */
async function hasComputed(archive: UploadedArchive, path: string): Promise<boolean> {
  let isFormula = false;
  let isValue = false;
  let text = '';
  let isFound = false;
  const handlers: Handlers = {
    open: (name) => {
      if (name === 'c') [isFormula, text] = [false, ''];
      isFormula ||= name === 'f';
      isValue = name === 'v';
    },
    text: (part) => {
      if (isValue) text += part;
    },
    close: (name) => {
      if (name === 'v') isValue = false;
      else if (name === 'c') isFound ||= isFormula && text.trim() !== '' && Number(text) !== 0;
    },
  };
  let parts = 0;
  for await (const _ of parsing(archive, path, MAX_SHEET_BYTES, handlers)) {
    if (isFound || ++parts >= LOOKED_AT) break;
  }
  return isFound;
}

/** Excel writes control characters as `_x000D_`. */
export const unescapeText = (text: string) =>
  text.includes('_x')
    ? text.replaceAll(/_x([0-9A-F]{4})_/gi, (_, code) => String.fromCharCode(parseInt(code, 16)))
    : text;
