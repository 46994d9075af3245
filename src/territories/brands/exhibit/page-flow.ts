/** Fills the pages of an exhibit from top to bottom: page breaks, footers, headings, paragraphs, and rules. */
import { formatCount } from '../../../base/text/words.ts';
import type { ExhibitContent } from './content.ts';
import { FOOTER, MARGIN } from './pages.ts';
import { Tags } from './tags.ts';
import { HAIRLINE, QUIET, Typesetter, type TextStyle } from './typesetter.ts';

export const HEADING: TextStyle = { sizePt: 13, weight: 600 };
export const BODY: TextStyle = { sizePt: 9 };
export const SMALL: TextStyle = { sizePt: 7.5, color: QUIET };

export const LINE = 13;
/** Space between columns */
export const GUTTER = 10;
const SECTION_GAP = 22;
/** Longest line of a paragraph that is easy to read */
const MAX_LINE_WIDTH = 560;

export class PageFlow {
  readonly doc: PDFKit.PDFDocument;
  readonly type: Typesetter;
  readonly tags: Tags;
  /** Edges of the content */
  readonly right: number;
  readonly bottom: number;
  /** Top of the next content on the page */
  y = MARGIN;
  readonly #content: ExhibitContent;
  readonly #pages: number | null;
  #page = 0;

  /** @param pages number of pages, for the footers. Null: only counts pages */
  constructor(doc: PDFKit.PDFDocument, content: ExhibitContent, pages: number | null) {
    this.doc = doc;
    this.type = new Typesetter(doc);
    this.tags = new Tags(doc, { draws: pages !== null });
    this.right = content.page.width - MARGIN;
    this.bottom = content.page.height - MARGIN - FOOTER;
    this.#content = content;
    this.#pages = pages;
  }

  /** Number of the current page */
  get page(): number {
    return this.#page;
  }

  addPage(): void {
    this.#page++;
    this.y = MARGIN;
    if (this.#pages === null) return;
    this.doc.addPage();
    this.#writeFooter(this.#pages);
  }

  /** Starts a new page unless a section of this height fits on the current one. */
  startSection(height: number): void {
    if (this.y > MARGIN) this.y += SECTION_GAP;
    if (this.y + height > this.bottom) this.addPage();
  }

  writeSection(title: string, paragraphs: readonly string[]): void {
    const width = Math.min(this.right - MARGIN, MAX_LINE_WIDTH);
    const wrapped = paragraphs.map((text) => this.type.wrap(text, BODY, width));
    // A section stays together, unless it's longer than half a page.
    const height = wrapped.reduce((sum, lines) => sum + lines.length * LINE + 3, 20);
    this.startSection(Math.min(height, this.bottom / 2));
    this.tags.add('H2', () => this.type.line(title, MARGIN, this.y, HEADING));
    this.y += 20;
    for (const lines of wrapped) {
      if (this.y + lines.length * LINE > this.bottom) this.addPage();
      this.writeParagraph(lines);
      this.y += 3;
    }
  }

  writeParagraph(lines: readonly string[]): void {
    const { y } = this;
    this.tags.add('P', () =>
      lines.forEach((line, i) => this.type.line(line, MARGIN, y + i * LINE, BODY)),
    );
    this.y += lines.length * LINE;
  }

  /** Draws a horizontal line. */
  drawRule(y: number, color = HAIRLINE, from = MARGIN, to = this.right): void {
    this.tags.artifact(() => {
      this.doc.lineWidth(0.6).moveTo(from, y).lineTo(to, y).stroke(color);
    });
  }

  #writeFooter(pages: number): void {
    const { brand, organization, reference } = this.#content;
    const y = this.bottom + 8;
    const number = `Page ${formatCount(this.#page)} of ${formatCount(pages)}`;
    const room = this.right - MARGIN - this.type.width(number, SMALL) - 2 * GUTTER;
    const text = `${reference}  ·  ${brand}  ·  ${organization}`;
    this.tags.artifact(() => {
      this.type.line(text, MARGIN, y, SMALL, room);
      this.type.lineTo(number, this.right, y, SMALL);
    }, 'Pagination');
  }
}
