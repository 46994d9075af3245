/** Text in several faces, sizes and colours: `format` expressions. Pure. */
import type { Face, Section } from './label.ts';
import { breakLines } from './line-breaks.ts';

/** A line of a label, in pieces. */
export type SectionedLine = readonly Section[];

/** Breaks a text into lines no wider than `maxWidth` where it can; widths in 1/24 em. */
export function wrap(sections: SectionedLine, maxWidth: number, spacing: number): SectionedLine[] {
  const text = sections.map((section) => section.text).join('');
  const widthOf = (piece: string, start: number) =>
    cut(sections, start, start + piece.length).reduce(
      (sum, { text: part, face, scale }) => sum + textWidth(face, part, spacing / scale) * scale,
      0,
    );
  let end = 0;
  return breakLines(text, maxWidth, widthOf).map((line) => {
    // Only white space lies between lines.
    const start = text.indexOf(line, end);
    end = start + line.length;
    return cut(sections, start, end);
  });
}

/** Width of a text in 1/24 em, letter spacing included. */
function textWidth(face: Face, text: string, spacing: number): number {
  let width = 0;
  for (const { advance, letters } of face.pieces(text)) width += advance + letters * spacing;
  return width;
}

/** Part of a text, by positions in the whole of it. */
function cut(sections: SectionedLine, start: number, end: number): Section[] {
  const parts: Section[] = [];
  let before = 0;
  for (const section of sections) {
    const text = section.text.slice(Math.max(0, start - before), Math.max(0, end - before));
    if (text !== '') parts.push({ ...section, text });
    before += section.text.length;
  }
  return parts;
}
