/**
 * Draws text in the fonts of the maps and embeds them into the file. Each font file covers one script, so a text may
 * need several.
 */
import { create, type Font } from 'fontkit';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { openTypeOf } from './woff.ts';

const require = createRequire(import.meta.url);

type Weight = 400 | 600;

const SCRIPTS = ['latin', 'latin-ext', 'vietnamese', 'greek', 'cyrillic'] as const;
const MISSING = '?';

export interface TextStyle {
  sizePt: number;
  weight?: Weight;
  color?: string;
}

interface Run {
  font: string;
  text: string;
}

/** Fonts that are open, by script and weight. Documents share what fontkit has read of them. */
const fonts = new Map<string, Font>();

function openFont(name: string): Font {
  let font = fonts.get(name);
  if (font === undefined) {
    const [script, weight] = name.split(' ');
    const file = `@fontsource/noto-sans/files/noto-sans-${script}-${weight}-normal.woff`;
    font = create(openTypeOf(readFileSync(require.resolve(file))));
    // PDFKit treats fonts with the same name as the same font.
    const postscriptName = `${font.postscriptName}-${script}`;
    Object.defineProperty(font, 'postscriptName', { value: postscriptName });
    fonts.set(name, font);
  }
  return font;
}

export class Typesetter {
  readonly #doc: PDFKit.PDFDocument;
  readonly #registered = new Set<string>();

  constructor(doc: PDFKit.PDFDocument) {
    this.#doc = doc;
  }

  width(text: string, style: TextStyle): number {
    let width = 0;
    for (const run of this.#runs(text, style))
      width += this.#use(run, style).widthOfString(run.text);
    return width;
  }

  /** Draws one line with its top at `y`. @param maxWidth longer text ends with an ellipsis */
  line(text: string, x: number, y: number, style: TextStyle, maxWidth = Infinity): void {
    let at = x;
    for (const run of this.#runs(this.#cut(text, style, maxWidth), style)) {
      const doc = this.#use(run, style);
      doc.fillColor(style.color ?? INK).text(run.text, at, y, { lineBreak: false });
      at += doc.widthOfString(run.text);
    }
  }

  /** Draws one line that ends at `right`. */
  lineTo(text: string, right: number, y: number, style: TextStyle): void {
    this.line(text, right - this.width(text, style), y, style);
  }

  /** Splits a text into lines of at most this width. */
  wrap(text: string, style: TextStyle, maxWidth: number): string[] {
    const lines: string[] = [];
    let line = '';
    for (const word of text.split(' ')) {
      const longer = line === '' ? word : `${line} ${word}`;
      if (line !== '' && this.width(longer, style) > maxWidth) {
        lines.push(line);
        line = word;
      } else line = longer;
    }
    return [...lines, line];
  }

  #cut(text: string, style: TextStyle, maxWidth: number): string {
    if (maxWidth === Infinity || this.width(text, style) <= maxWidth) return text;
    const characters = [...text];
    let [fits, tooLong] = [0, characters.length];
    while (tooLong - fits > 1) {
      const middle = (fits + tooLong) >> 1;
      const shorter = this.#ellipsis(characters, middle);
      if (this.width(shorter, style) <= maxWidth) fits = middle;
      else tooLong = middle;
    }
    return this.#ellipsis(characters, fits);
  }

  #ellipsis = (characters: readonly string[], count: number) =>
    `${characters.slice(0, count).join('').trimEnd()}…`;

  /** Splits a text by the fonts that it needs. */
  #runs(text: string, { weight = 400 }: TextStyle): Run[] {
    const latin = `latin ${weight}`;
    // Most texts are printable ASCII.
    if (/^[ -~]*$/.test(text)) return [{ font: latin, text }];
    const runs: Run[] = [];
    for (const character of text) {
      const code = character.codePointAt(0)!;
      const font = SCRIPTS.map((script) => `${script} ${weight}`).find((name) =>
        openFont(name).hasGlyphForCodePoint(code),
      );
      const last = runs.at(-1);
      const drawn = font === undefined ? MISSING : character;
      if (last?.font === (font ?? latin)) last.text += drawn;
      else runs.push({ font: font ?? latin, text: drawn });
    }
    return runs;
  }

  #use({ font }: Run, { sizePt }: TextStyle): PDFKit.PDFDocument {
    if (!this.#registered.has(font)) {
      this.#doc.registerFont(font, openFont(font) as never);
      this.#registered.add(font);
    }
    return this.#doc.font(font).fontSize(sizePt);
  }
}

export const INK = '#1a1a1a';
/** Color with a contrast of 5.7:1 on white */
export const QUIET = '#5f6368';
export const HAIRLINE = '#c8ccd0';
