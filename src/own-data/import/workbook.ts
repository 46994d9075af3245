/**
 * Reads Excel workbooks (.xlsx) sheet by sheet and row by row. Readers on npm keep all cells in memory or write
 * temporary files.
 */
import { posix } from 'node:path';
import { Parser } from 'saxen';
import { badRequest } from '../../errors.ts';
import { truncateInput } from '../../lists/finding.ts';
import type { Row } from '../../lists/rows.ts';
import { joinFirst } from '../../text/words.ts';
import { dateText, formatOfCells, type CellFormat } from './cell-formats.ts';
import { ZipArchive } from './zip-archive.ts';

const MB = 1024 * 1024;
/** A million rows of ten columns take 500 MB. */
const MAX_SHEET_BYTES = 2_000 * MB;
const MAX_STRINGS_BYTES = 200 * MB;
const MAX_PART_BYTES = 20 * MB;
/**
 * Number of parts of the archive without an element, which is several times the longest text of a cell. The parser reads
 * a longer text again with each part.
 */
const MAX_QUIET_PARTS = 16;

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
  readonly #archive: ZipArchive;
  readonly #strings: readonly string[];
  readonly #formats: readonly CellFormat[];
  readonly #isFrom1904: boolean;

  private constructor(
    archive: ZipArchive,
    sheets: readonly Sheet[],
    strings: readonly string[],
    formats: readonly CellFormat[],
    isFrom1904: boolean,
  ) {
    this.#archive = archive;
    this.sheets = sheets;
    this.#strings = strings;
    this.#formats = formats;
    this.#isFrom1904 = isFrom1904;
  }

  /** @throws ServiceError 400 for any other archive, or a damaged one */
  static async open(bytes: Buffer): Promise<Workbook> {
    const archive = new ZipArchive(bytes);
    refuseOthers(archive);
    const [main] = (await relations(archive, '')).filter(({ type }) => type === 'officeDocument');
    const path = main?.path ?? 'xl/workbook.xml';
    const related = await relations(archive, path);
    const sheetPaths = new Map(
      related.filter(({ type }) => type === 'worksheet').map((one) => [one.id, one.path]),
    );
    const pathOf = (type: string) => related.find((one) => one.type === type)?.path;
    const sheets: Sheet[] = [];
    let isFrom1904 = false;
    await parseXml(archive, path, MAX_PART_BYTES, {
      open(name, attributes) {
        if (name === 'workbookPr') isFrom1904 = /^(1|true)$/.test(attributes().date1904 ?? '');
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
    return new Workbook(
      archive,
      sheets,
      strings !== undefined && archive.has(strings) ? await readStrings(archive, strings) : [],
      styles !== undefined && archive.has(styles) ? await readFormats(archive, styles) : [],
      isFrom1904,
    );
  }

  /** Reads the rows of a sheet that aren't empty. @param maxColumns later cells are left out */
  async *rows({ path }: Sheet, maxColumns: number): AsyncGenerator<Row[]> {
    let rows: Row[] = [];
    let line = 0;
    let column = -1;
    let cells: string[] = [];
    let type = '';
    let format: CellFormat = null;
    let text = '';
    let isText = false;
    // Inside `rPh`, which tells how Japanese characters are pronounced
    let isPhonetic = false;
    const handlers: Handlers = {
      open: (name, attributes) => {
        if (name === 'c') {
          const given = attributes();
          column = columnOf(given.r) ?? column + 1;
          type = given.t ?? 'n';
          format = this.#formats[Number(given.s ?? 0)] ?? null;
          text = '';
        } else if (name === 'v' || name === 't') isText = !isPhonetic;
        else if (name === 'rPh') isPhonetic = true;
        else if (name === 'row') {
          const given = Number(attributes().r);
          line = Number.isSafeInteger(given) && given > 0 ? given : line + 1;
          column = -1;
          cells = [];
        }
      },
      text: (part) => {
        if (isText) text += part;
      },
      close: (name) => {
        if (name === 'v' || name === 't') isText = false;
        else if (name === 'rPh') isPhonetic = false;
        else if (name === 'c' && column < maxColumns) {
          while (cells.length < column) cells.push('');
          cells[column] = this.#cellText(text, type, format);
        } else if (name === 'row' && cells.some((cell) => cell.trim() !== '')) {
          rows.push({ line, cells });
        }
      },
    };
    for await (const _ of parsing(this.#archive, path, MAX_SHEET_BYTES, handlers)) {
      if (rows.length > 0) yield rows;
      rows = [];
    }
  }

  #cellText(text: string, type: string, format: CellFormat): string {
    if (type === 's') return this.#strings[Number(text)] ?? '';
    if (type === 'b') return text === '1' ? 'TRUE' : 'FALSE';
    if (type !== 'n') return unescapeText(text);
    if (text.trim() === '') return '';
    const value = Number(text);
    if (!Number.isFinite(value)) return text;
    if (format === 'date') return dateText(value, this.#isFrom1904);
    return format === null ? String(value) : format(value);
  }
}

function refuseOthers(archive: ZipArchive): void {
  const has = (pattern: RegExp) => archive.names.some((name) => pattern.test(name));
  if (has(/(^|\/)Index(\.zip|\/.*\.iwa)$/)) throw notReadable('a Numbers spreadsheet');
  if (has(/^xl\/workbook\.bin$/)) throw notReadable('a binary Excel workbook (.xlsb)');
  if (has(/^content\.xml$/)) throw notReadable('an OpenDocument file');
  if (archive.has('[Content_Types].xml') && has(/^xl\//)) return;
  throw badRequest(
    'The file is a ZIP archive, but not an Excel workbook. Unpack it, and upload CSV, an Excel workbook (.xlsx), or GeoJSON.',
  );
}

const notReadable = (what: string) =>
  badRequest(`The file is ${what}. Export it as an Excel workbook (.xlsx) or CSV.`);

/** @throws ServiceError 400 for a name that no sheet has */
export function findSheet({ sheets }: Workbook, wanted: string): Sheet {
  const sheet = sheets.find(({ name }) => name.trim() === wanted.trim());
  if (sheet) return sheet;
  throw badRequest(
    `The workbook has no sheet "${truncateInput(wanted)}". It has ${joinFirst(sheets.map(({ name }) => `"${name}"`))}.`,
  );
}

interface Handlers {
  open(name: string, attributes: () => Record<string, string>): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** Parses a file of the archive. Yields after each part of it. */
async function* parsing(
  archive: ZipArchive,
  path: string,
  maxBytes: number,
  handlers: Handlers,
): AsyncGenerator<void> {
  const parser = new Parser();
  // Some programs write a prefix before each name.
  const local = (name: string) => name.slice(name.indexOf(':') + 1);
  let quietParts = 0;
  parser.on('openTag', (name, attributes, decode) => {
    quietParts = 0;
    handlers.open(local(name), () => {
      const given = attributes();
      for (const key in given) given[key] = decode(given[key]!);
      return given;
    });
  });
  if (handlers.text) {
    parser.on('text', (text, decode) => handlers.text!(decode(text)));
    parser.on('cdata', (text) => handlers.text!(text));
  }
  if (handlers.close) parser.on('closeTag', (name) => handlers.close!(local(name)));
  let problem: Error | null = null;
  parser.on('error', (error) => (problem ??= error));
  const decoder = new TextDecoder();
  for await (const part of archive.read(path, maxBytes)) {
    parser.write(decoder.decode(part, { stream: true }));
    if (++quietParts > MAX_QUIET_PARTS) problem ??= new Error('A text is too long');
    if (problem !== null) break;
    yield;
  }
  if (problem === null) parser.end();
  yield;
  if (problem === null) return;
  throw badRequest(
    'The workbook is damaged. Open it in a spreadsheet program, and save it again.',
    { cause: problem },
  );
}

async function parseXml(...given: Parameters<typeof parsing>): Promise<void> {
  for await (const _ of parsing(...given));
}

/** Returns the files that a file of the workbook refers to. @param path empty for the whole archive */
async function relations(archive: ZipArchive, path: string) {
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

async function readStrings(archive: ZipArchive, path: string): Promise<string[]> {
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
async function readFormats(archive: ZipArchive, path: string): Promise<CellFormat[]> {
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

/** Excel writes control characters as `_x000D_`. */
const unescapeText = (text: string) =>
  text.includes('_x')
    ? text.replaceAll(/_x([0-9A-F]{4})_/gi, (_, code) => String.fromCharCode(parseInt(code, 16)))
    : text;

/** Returns the index of the column in a reference such as `AB12`. */
function columnOf(reference: string | undefined): number | undefined {
  if (reference === undefined) return undefined;
  let column = 0;
  for (let i = 0; i < reference.length; i++) {
    const letter = reference.charCodeAt(i) - 64;
    if (letter < 1 || letter > 26) break;
    column = 26 * column + letter;
  }
  return column === 0 ? undefined : column - 1;
}
