/** Text in several faces, sizes and colours: `format` expressions. Pure. */
import type { Ink } from '../values.ts';
import { breakLines } from './line-breaks.ts';
import type { MeasureEm, Typography } from './shape.ts';

export interface Section {
  text: string;
  face: string;
  /** Of the label's size */
  scale: number;
  /** Null for the label's own */
  ink: Ink | null;
}

/** A line of a label, in pieces. */
export type SectionedLine = readonly Section[];

export function sectionWidthEm(
  { text, face, scale }: Section,
  letterSpacingEm: number,
  measure: MeasureEm,
): number {
  return measure(text, face) * scale + text.length * letterSpacingEm;
}

export function lineWidthEm(
  line: SectionedLine,
  letterSpacingEm: number,
  measure: MeasureEm,
): number {
  return line.reduce((sum, part) => sum + sectionWidthEm(part, letterSpacingEm, measure), 0);
}

export function wrap(
  sections: SectionedLine,
  { maxWidthEm, letterSpacingEm }: Typography,
  measure: MeasureEm,
): SectionedLine[] {
  const text = sections.map((section) => section.text).join('');
  const lines = breakLines(text, maxWidthEm, (piece, start) =>
    lineWidthEm(cut(sections, start, start + piece.length), letterSpacingEm, measure),
  );
  let end = 0;
  return lines.map((line) => {
    // Only white space lies between lines.
    const start = text.indexOf(line, end);
    end = start + line.length;
    return cut(sections, start, end);
  });
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
