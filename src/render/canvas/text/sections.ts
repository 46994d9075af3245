/** Text with several faces, sizes, and colors (`format` expressions). Pure. */
import type { Face, Section, SectionedLine } from './label.ts';
import { lineOrderer } from './bidi.ts';
import { breakLines } from './line-breaks.ts';
import { UNITS_PER_EM } from './units.ts';

/** A text in the size and color of its label */
export const plainSection = (text: string, face: Face): Section => ({
  text,
  face,
  scale: 1,
  height: UNITS_PER_EM,
  lineScale: 1,
  verticalShare: 1,
  color: null,
});

/**
 * Breaks a text into lines, no wider than `maxWidth` if possible, each in display order. Widths are in 1/24
 * em.
 */
export function wrapSections(
  sections: SectionedLine,
  maxWidth: number,
  spacing: number,
): SectionedLine[] {
  const text = sections.map((section) => section.text).join('');
  const widthOf = (piece: string, start: number) =>
    sliceSections(sections, start, start + piece.length).reduce(
      (sum, { text: part, face, scale }) => sum + textWidth(face, part, spacing / scale) * scale,
      0,
    );
  const order = lineOrderer(text);
  let end = 0;
  return breakLines(text, maxWidth, widthOf).map((line) => {
    // Only whitespace separates lines.
    const start = text.indexOf(line, end);
    end = start + line.length;
    return order(sliceSections(sections, start, end), start);
  });
}

/** Width of a text in 1/24 em, letter spacing included. */
function textWidth(face: Face, text: string, spacing: number): number {
  let width = 0;
  for (const { advance, letters } of face.pieces(text)) width += advance + letters * spacing;
  return width;
}

/** Cuts a range out of a text, given as positions in the whole text. */
function sliceSections(sections: SectionedLine, start: number, end: number): Section[] {
  const parts: Section[] = [];
  let offset = 0;
  for (const section of sections) {
    const text = section.text.slice(Math.max(0, start - offset), Math.max(0, end - offset));
    if (text !== '') parts.push({ ...section, text });
    offset += section.text.length;
  }
  return parts;
}
