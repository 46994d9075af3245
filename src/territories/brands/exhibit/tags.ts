/**
 * Draws the content of a PDF with tags, so that screen readers know headings, tables, and descriptions of pictures.
 * All drawing goes through this class, which draws nothing while a layout only counts pages.
 */

type Element = PDFKit.PDFStructureElement;

export class Tags {
  readonly #doc: PDFKit.PDFDocument;
  readonly #draws: boolean;
  readonly #root: Element;

  constructor(doc: PDFKit.PDFDocument, { draws }: { draws: boolean }) {
    this.#doc = doc;
    this.#draws = draws;
    this.#root = doc.struct('Document');
    doc.addStructure(this.#root);
  }

  /** Draws content as an element of the document, or of another element. */
  add(
    type: string,
    draw: () => void,
    { alt, to = this.#root }: { alt?: string; to?: Element } = {},
  ) {
    if (!this.#draws) return;
    const content = this.#mark(type, draw);
    to.add(this.#doc.struct(type, alt === undefined ? {} : { alt }, content));
  }

  /** Adds an element that groups others. */
  group(type: string, to = this.#root): Element {
    const group = this.#doc.struct(type);
    if (this.#draws) to.add(group);
    return group;
  }

  /** Draws more content of an element. */
  append(type: string, draw: () => void, to: Element): void {
    if (this.#draws) to.add(this.#mark(type, draw));
  }

  /** Draws an artifact, which screen readers skip: lines, backgrounds, and repeated headers. */
  artifact(draw: () => void, type: 'Layout' | 'Pagination' = 'Layout'): void {
    if (!this.#draws) return;
    this.#doc.markContent('Artifact', { type });
    draw();
    this.#doc.endMarkedContent();
  }

  end(): void {
    this.#root.end();
  }

  #mark(type: string, draw: () => void) {
    const content = this.#doc.markStructureContent(type);
    draw();
    this.#doc.endMarkedContent();
    return content;
  }
}
