/**
 * Fonts as the layout of labels sees them. Two kinds stand behind this: glyphs as signed distance
 * fields, which a scene brings along and which look as in MapLibre, and the shipped outlines, which
 * Skia draws crisp. All widths are in units of 1/24 em, the size of glyphs from a server.
 */
import type { TextCanvas } from './text-canvas.ts';
import type { GlyphRun, PlacedLabel } from './label.ts';

export const UNITS_PER_EM = 24;

/** How far the baseline lies below a glyph's origin: the ascender that glyph servers assume. */
export const BASELINE_UNITS = 26;

/** What is drawn in one go: a text, and how far it moves the pen, without letter spacing. */
export interface Piece {
  text: string;
  /** Letters in it, each of which may be followed by letter spacing */
  letters: number;
  advance: number;
}

export interface Face {
  /** Whether letters are drawn each by itself even on a level line. */
  readonly isGlyphwise: boolean;
  /** The text without what the font cannot draw. */
  drawable(text: string): string;
  /** A text on a level line, in as few pieces as the font needs. */
  pieces(text: string): readonly Piece[];
  /** A text letter by letter, for lines that bend. */
  letters(text: string): readonly Piece[];
  drawHalo(canvas: TextCanvas, run: GlyphRun, label: PlacedLabel): void;
  drawLetters(canvas: TextCanvas, run: GlyphRun, label: PlacedLabel): void;
}

/** The face for a font stack; null when there is none. */
export type FaceOf = (stack: readonly string[]) => Face | null;

/** Width of a text with its letter spacing. */
export function textWidth(face: Face, text: string, spacing: number): number {
  let width = 0;
  for (const { advance, letters } of face.pieces(text)) width += advance + letters * spacing;
  return width;
}
