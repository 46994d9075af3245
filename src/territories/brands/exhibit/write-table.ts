/** Writes a table of an exhibit, whose header is repeated on each page. */
import { formatCount, formatTenths } from '../../../base/text/words.ts';
import type { Cell, Column, ExhibitTable, Rows } from './content.ts';
import { BODY, GUTTER, HEADING, LINE, type PageFlow } from './page-flow.ts';
import { MARGIN } from './pages.ts';
import { INK, type TextStyle } from './typesetter.ts';

const ROW: TextStyle = { sizePt: 8 };
const HEAD: TextStyle = { sizePt: 8, weight: 600 };
const ROW_HEIGHT = 13;
const HEAD_HEIGHT = 17;
/** Number of rows that must fit below the header for a table to begin on a page */
const FEWEST_ROWS = 4;
const STRIPE = '#f3f5f7';
/** Largest number of rows with a tag for each cell. Tags in longer tables would make the file many times larger. */
const MAX_TAGGED_ROWS = 2_500;

/** @param rowsFrom returns the rows from a position on. Null: rows only take space */
export async function writeTable(
  flow: PageFlow,
  table: ExhibitTable,
  rowsFrom: ((from: number) => Promise<Rows>) | null,
): Promise<void> {
  const text = flow.type.wrap(table.text, BODY, flow.right - MARGIN);
  const intro = 22 + text.length * LINE + 6;
  flow.startSection(intro + HEAD_HEIGHT + Math.min(FEWEST_ROWS, table.rows) * ROW_HEIGHT);
  flow.tags.add('H2', () => flow.type.line(table.title, MARGIN, flow.y, HEADING));
  flow.y += 22;
  flow.writeParagraph(text);
  flow.y += 6;
  const writer = new TableWriter(flow, table.columns, table.rows <= MAX_TAGGED_ROWS);
  writer.writeHead();
  let rows: Rows = [];
  for (let done = 0, from = 0; done < table.rows; done++) {
    if (rowsFrom && done === from + rows.length) {
      from = done;
      rows = await rowsFrom(from);
      if (rows.length === 0) throw new Error(`an exhibit’s table ends after ${done} rows`);
    }
    if (flow.y + ROW_HEIGHT > flow.bottom) {
      flow.addPage();
      writer.repeatHead();
    }
    if (done % 2 === 1) writer.drawStripe();
    writer.writeRow(rows[done - from] ?? [], ROW);
  }
  if (table.total === null) return;
  if (flow.y + ROW_HEIGHT > flow.bottom) flow.addPage();
  flow.drawRule(flow.y);
  writer.writeRow(table.total, HEAD);
}

class TableWriter {
  readonly #flow: PageFlow;
  readonly #columns: readonly Column[];
  readonly #widths: readonly number[];
  readonly #isTagged: boolean;
  readonly #element: PDFKit.PDFStructureElement;

  /** @param isTagged whether each cell has a tag */
  constructor(flow: PageFlow, columns: readonly Column[], isTagged: boolean) {
    this.#flow = flow;
    this.#columns = columns;
    const all = columns.reduce((sum, { width }) => sum + width, 0);
    const room = flow.right - MARGIN - GUTTER * (columns.length - 1);
    this.#widths = columns.map(({ width }) => (room * width) / all);
    this.#isTagged = isTagged;
    this.#element = flow.tags.group(isTagged ? 'Table' : 'P');
  }

  writeHead(): void {
    this.#writeHead(this.#isTagged ? this.#flow.tags.group('TR', this.#element) : null);
  }

  /** Repeats the header on a further page. Screen readers skip it. */
  repeatHead(): void {
    this.#writeHead(null);
  }

  #writeHead(row: PDFKit.PDFStructureElement | null): void {
    const { tags, y } = this.#flow;
    this.#eachCell((column, x, width) => {
      const draw = () => this.#writeCell(column.title, column, x, y + 2, width, HEAD);
      if (row) tags.add('TH', draw, { to: row });
      else tags.artifact(draw, 'Pagination');
    });
    this.#flow.y += HEAD_HEIGHT;
    this.#flow.drawRule(this.#flow.y - 1.5, INK);
  }

  drawStripe(): void {
    const { doc, tags, right, y } = this.#flow;
    tags.artifact(() => doc.rect(MARGIN - 3, y, right - MARGIN + 6, ROW_HEIGHT).fill(STRIPE));
  }

  writeRow(cells: readonly Cell[], style: TextStyle): void {
    const { tags, y } = this.#flow;
    const placed: (() => void)[] = [];
    this.#eachCell((column, x, width, i) => {
      const cell = cells[i];
      if (cell === undefined) return;
      placed.push(() => this.#writeCell(textOf(cell, column), column, x, y + 1, width, style));
    });
    if (this.#isTagged) {
      const row = tags.group('TR', this.#element);
      for (const draw of placed) tags.add('TD', draw, { to: row });
    } else {
      tags.append('P', () => placed.forEach((draw) => draw()), this.#element);
    }
    this.#flow.y += ROW_HEIGHT;
  }

  #eachCell(place: (column: Column, x: number, width: number, i: number) => void): void {
    let x = MARGIN;
    for (const [i, column] of this.#columns.entries()) {
      place(column, x, this.#widths[i]!, i);
      x += this.#widths[i]! + GUTTER;
    }
  }

  #writeCell(
    text: string,
    { kind }: Column,
    x: number,
    y: number,
    width: number,
    style: TextStyle,
  ) {
    if (kind === 'text') this.#flow.type.line(text, x, y, style, width);
    else this.#flow.type.lineTo(text, x + width, y, style);
  }
}

function textOf(cell: Cell, { kind }: Column): string {
  if (typeof cell === 'string') return cell;
  return kind === 'tenths' ? formatTenths(cell) : formatCount(cell);
}
