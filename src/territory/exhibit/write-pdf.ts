/** Lays out an exhibit as a PDF: a first page with totals and map, maps of areas, tables, and notes. */
import Pdf from 'pdfkit';
import { formatCount, formatTenths } from '../../words.ts';
import type { Cell, Column, ExhibitContent, ExhibitTable, Rows } from './content.ts';
import { AREA_TITLE, FOOTER, FRONT, mapSize, MARGIN } from './pages.ts';
import { Tags } from './tags.ts';
import { HAIRLINE, INK, QUIET, Typesetter, type TextStyle } from './typesetter.ts';

const PRODUCER = 'Territory Intelligence Service';

const EYEBROW: TextStyle = { sizePt: 8.5, weight: 600, color: QUIET };
const TITLE: TextStyle = { sizePt: 22, weight: 600 };
const SUBTITLE: TextStyle = { sizePt: 11, color: QUIET };
const HEADING: TextStyle = { sizePt: 13, weight: 600 };
const BODY: TextStyle = { sizePt: 9 };
const TOTAL: TextStyle = { sizePt: 13, weight: 600 };
const SMALL: TextStyle = { sizePt: 7.5, color: QUIET };
const ROW: TextStyle = { sizePt: 8 };
const HEAD: TextStyle = { sizePt: 8, weight: 600 };

const LINE = 13;
const ROW_HEIGHT = 13;
const HEAD_HEIGHT = 17;
const SECTION_GAP = 22;
/** Number of rows that must fit below the header for a table to begin on a page */
const FEWEST_ROWS = 4;
/** Space between the columns */
const GUTTER = 10;
const STRIPE = '#f3f5f7';

/** The accent color and the largest logo on the first page */
const ACCENT_HEIGHT = 3;
const ACCENT_ABOVE = 13;
const LOGO = { width: 130, height: 26 } as const;

const PIECE_BYTES = 256 * 1024;

/** Largest number of rows with a tag for each cell. Tags in longer tables would make the file many times larger. */
const MAX_TAGGED_ROWS = 2_500;

/**
 * Returns the file in pieces. The same content gives the same bytes.
 * @param rowsFrom returns the next rows of a table
 */
export async function writePdf(
  content: ExhibitContent,
  rowsFrom: (table: number, from: number) => Promise<Rows>,
): Promise<Uint8Array[]> {
  // Footers contain the number of pages, so a first layout only counts them.
  const counter = new Writer(openDocument(content), content, null);
  await counter.write();
  const doc = openDocument(content);
  // PDFKit writes line by line. Sending hundreds of thousands of lines would take longer than making them.
  const pieces: Uint8Array[] = [];
  let lines: Buffer[] = [];
  let bytes = 0;
  const join = () => {
    pieces.push(Buffer.concat(lines));
    lines = [];
    bytes = 0;
  };
  doc.on('data', (line: Buffer) => {
    lines.push(line);
    if ((bytes += line.length) >= PIECE_BYTES) join();
  });
  const ended = new Promise((resolve, reject) => doc.once('end', resolve).once('error', reject));
  await new Writer(doc, content, { pages: counter.page, rowsFrom }).write();
  await ended;
  join();
  return pieces;
}

function openDocument({ brand, organization, day, reference, page }: ExhibitContent) {
  // With midnight as the time, the same state gives the same bytes all day.
  const date = new Date(`${day}T00:00:00Z`);
  return new Pdf({
    size: [page.width, page.height],
    margin: 0,
    autoFirstPage: false,
    pdfVersion: '1.7',
    tagged: true,
    lang: 'en-US',
    displayTitle: true,
    // The typesetter adds fonts.
    font: '',
    info: {
      Title: `Territory exhibit: ${brand}`,
      Author: organization,
      Subject: `Reference ${reference}`,
      Creator: PRODUCER,
      Producer: PRODUCER,
      CreationDate: date,
      ModDate: date,
    },
  });
}

interface Drawing {
  /** Number of pages */
  pages: number;
  rowsFrom(table: number, from: number): Promise<Rows>;
}

class Writer {
  readonly #doc: PDFKit.PDFDocument;
  readonly #content: ExhibitContent;
  readonly #type: Typesetter;
  readonly #tags: Tags;
  readonly #right: number;
  readonly #bottom: number;
  readonly #drawing: Drawing | null;
  #page = 0;
  #y = MARGIN;

  /** @param drawing null: only counts pages */
  constructor(doc: PDFKit.PDFDocument, content: ExhibitContent, drawing: Drawing | null) {
    this.#doc = doc;
    this.#content = content;
    this.#type = new Typesetter(doc);
    this.#tags = new Tags(doc, { draws: drawing !== null });
    this.#drawing = drawing;
    this.#right = content.page.width - MARGIN;
    this.#bottom = content.page.height - MARGIN - FOOTER;
  }

  /** Number of the current page */
  get page(): number {
    return this.#page;
  }

  async write(): Promise<void> {
    this.#front();
    this.#areas();
    for (const [i, table] of this.#content.tables.entries()) await this.#table(table, i);
    this.#notes();
    this.#tags.end();
    this.#doc.end();
  }

  #front(): void {
    const { brand, organization, look, day, reference, maps, page } = this.#content;
    this.#addPage();
    const stated = `Reference ${reference}`;
    this.#accent();
    const room = this.#right - MARGIN - this.#logo(this.#y + 13);
    this.#tags.add('P', () => this.#type.line('TERRITORY EXHIBIT', MARGIN, this.#y, EYEBROW));
    this.#tags.add('P', () => this.#type.lineTo(stated, this.#right, this.#y, EYEBROW));
    this.#tags.add('H1', () => this.#type.line(brand, MARGIN, this.#y + 12, TITLE, room));
    const date = `As of ${longDay(day)}`;
    const besideDate = this.#right - MARGIN - this.#type.width(date, SUBTITLE) - GUTTER;
    const parties = [organization, look.title, look.subtitle].filter(Boolean).join('  ·  ');
    this.#tags.add('P', () => this.#type.line(parties, MARGIN, this.#y + 43, SUBTITLE, besideDate));
    this.#tags.add('P', () => this.#type.lineTo(date, this.#right, this.#y + 43, SUBTITLE));
    this.#totals(this.#y + 68);
    this.#map(maps[0]!, MARGIN + FRONT, mapSize(page, FRONT));
  }

  /** Draws a rule at the top of the page, in the color of the brand. */
  #accent(): void {
    const { accent } = this.#content.look;
    if (accent === null) return;
    const [width, y] = [this.#right - MARGIN, MARGIN - ACCENT_ABOVE];
    this.#tags.artifact(() => this.#doc.rect(MARGIN, y, width, ACCENT_HEIGHT).fill(accent));
  }

  /** Draws the logo at the right, next to the brand's name. @returns its width with the gap */
  #logo(y: number): number {
    const { logo, brand } = this.#content;
    if (logo === null) return 0;
    const { width, height } = LOGO;
    const [px, py] = [logo.readUInt32BE(16), logo.readUInt32BE(20)];
    const drawn = Math.min(width, (height * px) / py);
    const x = this.#right - drawn;
    const draw = () =>
      this.#doc.image(logo, x, y, { fit: [drawn, height], align: 'right', valign: 'center' });
    this.#tags.add('Figure', draw, { alt: `Logo of ${brand}` });
    return drawn + GUTTER;
  }

  #totals(y: number): void {
    const { totals } = this.#content;
    const step = (this.#right - MARGIN) / totals.length;
    this.#rule(y);
    for (const [i, { label, value }] of totals.entries()) {
      const x = MARGIN + i * step;
      this.#tags.add('P', () => {
        this.#type.line(label, x, y + 9, SMALL, step - GUTTER);
        this.#type.line(value, x, y + 21, TOTAL, step - GUTTER);
      });
    }
    this.#rule(y + 48);
  }

  /** Draws the maps of areas, one per page. */
  #areas(): void {
    const { maps, page } = this.#content;
    for (const map of maps.slice(1)) {
      this.#addPage();
      this.#tags.add('H2', () =>
        this.#type.line(map.title!, MARGIN, this.#y, HEADING, this.#right - MARGIN),
      );
      this.#map(map, MARGIN + AREA_TITLE, mapSize(page, AREA_TITLE));
    }
  }

  #map(
    { picture, alt }: ExhibitContent['maps'][number],
    y: number,
    size: { width: number; height: number },
  ) {
    this.#tags.add(
      'Figure',
      () =>
        this.#doc.image(Buffer.from(picture), MARGIN, y, {
          width: size.width,
          height: size.height,
        }),
      { alt },
    );
    this.#tags.artifact(() =>
      this.#doc.lineWidth(0.6).rect(MARGIN, y, size.width, size.height).stroke(HAIRLINE),
    );
    this.#y = this.#bottom;
  }

  async #table(table: ExhibitTable, index: number): Promise<void> {
    const { columns } = table;
    const widths = this.#columnWidths(columns);
    const text = this.#type.wrap(table.text, BODY, this.#right - MARGIN);
    const intro = 22 + text.length * LINE + 6;
    this.#startSection(intro + HEAD_HEIGHT + Math.min(FEWEST_ROWS, table.rows) * ROW_HEIGHT);
    this.#tags.add('H2', () => this.#type.line(table.title, MARGIN, this.#y, HEADING));
    this.#y += 22;
    this.#paragraph(text);
    this.#y += 6;
    const isTagged = table.rows <= MAX_TAGGED_ROWS;
    const element = this.#tags.group(isTagged ? 'Table' : 'P');
    this.#tableHead(columns, widths, isTagged ? element : undefined);
    let rows: Rows = [];
    for (let done = 0, from = 0; done < table.rows; done++) {
      if (this.#drawing && done === from + rows.length) {
        from = done;
        rows = await this.#drawing.rowsFrom(index, from);
        if (rows.length === 0) throw new Error(`an exhibit’s table ends after ${done} rows`);
      }
      if (this.#y + ROW_HEIGHT > this.#bottom) {
        this.#addPage();
        this.#tableHead(columns, widths);
      }
      if (done % 2 === 1) this.#stripe();
      this.#row(rows[done - from] ?? [], columns, widths, ROW, element, isTagged);
    }
    if (table.total === null) return;
    if (this.#y + ROW_HEIGHT > this.#bottom) this.#addPage();
    this.#rule(this.#y);
    this.#row(table.total, columns, widths, HEAD, element, isTagged);
  }

  #stripe(): void {
    const width = this.#right - MARGIN + 6;
    this.#tags.artifact(() => this.#doc.rect(MARGIN - 3, this.#y, width, ROW_HEIGHT).fill(STRIPE));
  }

  #columnWidths(columns: readonly Column[]): number[] {
    const all = columns.reduce((sum, { width }) => sum + width, 0);
    const room = this.#right - MARGIN - GUTTER * (columns.length - 1);
    return columns.map(({ width }) => (room * width) / all);
  }

  /** @param element the table, given on its first page only: screen readers skip repeated headers */
  #tableHead(
    columns: readonly Column[],
    widths: readonly number[],
    element?: PDFKit.PDFStructureElement,
  ): void {
    const row = element && this.#tags.group('TR', element);
    let x = MARGIN;
    for (const [i, column] of columns.entries()) {
      const width = widths[i]!;
      const [left, y] = [x, this.#y + 2];
      const draw = () => this.#cell(column.title, column, left, y, width, HEAD);
      if (row) this.#tags.add('TH', draw, { to: row });
      else this.#tags.artifact(draw, 'Pagination');
      x += width + GUTTER;
    }
    this.#y += HEAD_HEIGHT;
    this.#rule(this.#y - 1.5, INK);
  }

  #row(
    cells: readonly Cell[],
    columns: readonly Column[],
    widths: readonly number[],
    style: TextStyle,
    table: PDFKit.PDFStructureElement,
    isTagged: boolean,
  ): void {
    const y = this.#y + 1;
    let x = MARGIN;
    const placed = cells.map((cell, i) => {
      const left = x;
      x += widths[i]! + GUTTER;
      return () => this.#cell(textOf(cell, columns[i]!), columns[i]!, left, y, widths[i]!, style);
    });
    if (isTagged) {
      const row = this.#tags.group('TR', table);
      for (const draw of placed) this.#tags.add('TD', draw, { to: row });
    } else {
      this.#tags.append('P', () => placed.forEach((draw) => draw()), table);
    }
    this.#y += ROW_HEIGHT;
  }

  #cell(text: string, { kind }: Column, x: number, y: number, width: number, style: TextStyle) {
    if (kind === 'text') this.#type.line(text, x, y, style, width);
    else this.#type.lineTo(text, x + width, y, style);
  }

  #notes(): void {
    const { notes, sources, fingerprint, reference } = this.#content;
    const room = this.#right - MARGIN;
    this.#section('Notes', notes);
    this.#section(
      'Sources',
      sources.map(([name, vintage]) => `${name}: ${vintage}`),
    );
    this.#section('Reference', [
      `${reference} begins the SHA-256 fingerprint of the territory: ${fingerprint}.`,
      'The fingerprint is computed from a sorted list with one line per live or pending ZIP code. Each line, ' +
        'such as “75201 live”, ends with a line break. Two exhibits with the same reference list the same ' +
        'ZIP codes with the same statuses.',
    ]);
    this.#startSection(90);
    const half = (room - 2 * GUTTER) / 2;
    for (const [i, party] of ['First party', 'Second party'].entries()) {
      const x = MARGIN + i * (half + 2 * GUTTER);
      const y = this.#y;
      this.#tags.add('P', () => this.#type.line(party, x, y, SMALL));
      this.#rule(y + 46, INK, x, x + half);
      this.#tags.add('P', () => this.#type.line('Name, signature, and date', x, y + 49, SMALL));
    }
    this.#y += 62;
  }

  #section(title: string, paragraphs: readonly string[]): void {
    const wrapped = paragraphs.map((text) =>
      this.#type.wrap(text, BODY, Math.min(this.#right - MARGIN, 560)),
    );
    // A section stays together, unless it's longer than half a page.
    const height = wrapped.reduce((sum, lines) => sum + lines.length * LINE + 3, 20);
    this.#startSection(Math.min(height, this.#bottom / 2));
    this.#tags.add('H2', () => this.#type.line(title, MARGIN, this.#y, HEADING));
    this.#y += 20;
    for (const lines of wrapped) {
      if (this.#y + lines.length * LINE > this.#bottom) this.#addPage();
      this.#paragraph(lines);
      this.#y += 3;
    }
  }

  #paragraph(lines: readonly string[]): void {
    const y = this.#y;
    this.#tags.add('P', () =>
      lines.forEach((line, i) => this.#type.line(line, MARGIN, y + i * LINE, BODY)),
    );
    this.#y += lines.length * LINE;
  }

  /** Starts a new page unless a section of this height fits on the current one. */
  #startSection(height: number): void {
    if (this.#y > MARGIN) this.#y += SECTION_GAP;
    if (this.#y + height > this.#bottom) this.#addPage();
  }

  #addPage(): void {
    this.#page++;
    this.#y = MARGIN;
    if (!this.#drawing) return;
    this.#doc.addPage();
    this.#footer(this.#drawing.pages);
  }

  #footer(pages: number): void {
    const { brand, organization, reference } = this.#content;
    const y = this.#bottom + 8;
    const number = `Page ${formatCount(this.#page)} of ${formatCount(pages)}`;
    const room = this.#right - MARGIN - this.#type.width(number, SMALL) - 2 * GUTTER;
    const text = `${reference}  ·  ${brand}  ·  ${organization}`;
    this.#tags.artifact(() => {
      this.#type.line(text, MARGIN, y, SMALL, room);
      this.#type.lineTo(number, this.#right, y, SMALL);
    }, 'Pagination');
  }

  #rule(y: number, color = HAIRLINE, from = MARGIN, to = this.#right): void {
    this.#tags.artifact(() => {
      this.#doc.lineWidth(0.6).moveTo(from, y).lineTo(to, y).stroke(color);
    });
  }
}

function textOf(cell: Cell, { kind }: Column): string {
  if (typeof cell === 'string') return cell;
  return kind === 'tenths' ? formatTenths(cell) : formatCount(cell);
}

const dayFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });
const longDay = (day: string) => dayFormat.format(new Date(`${day}T00:00:00Z`));
