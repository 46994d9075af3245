/** Placed labels, and the fonts that measure and draw them. */
import type { Color } from '@maplibre/maplibre-gl-style-spec';
import type { RectPx } from '../../../base/spatial/flat.ts';
import type { StyleFeature } from '../style/style-feature.ts';
import type { Ground } from '../symbol/stance.ts';
import { tintOf, type Tint } from '../raster/ink.ts';
import type { Surface } from '../surface.ts';
import type { SymbolPaint } from '../symbol/symbol-paint.ts';

export interface PlacedLabel extends SymbolPaint {
  text: string;
  feature: StyleFeature;
  sizePx: number;
  letterSpacingPx: number;
  runs: GlyphRun[];
  /** Bounds of the area kept free of other labels, in CSS pixels */
  box: RectPx;
}

/** A piece of text. Its baseline starts at (x, y), in CSS pixels. */
export interface GlyphRun {
  text: string;
  x: number;
  y: number;
  /** Clockwise, in radians */
  angle: number;
  /** If not null, (x, y) is relative to this place on the map, on which the text lies. */
  ground: Ground | null;
  section: Section;
}

/** Part of a text in one face, size, and color. */
export interface Section {
  text: string;
  face: Face;
  /** Relative to the label's size */
  scale: number;
  /** Height, in 1/24 em of the label's size */
  height: number;
  /**
   * Height of a line with this section, relative to the label's line height; an image counts as a letter
   */
  lineScale: number;
  /** Vertical position in a line with larger type: 0 at the top, 1 at the bottom */
  verticalShare: number;
  /** Whether its letters stand upright in vertical text, each in a square of an em */
  isUpright?: boolean;
  /** Null for the label's color */
  color: Color | null;
}

/** A line of a label, as sections */
export type SectionedLine = readonly Section[];

/** The color of a run, with the label's opacity */
export function inkOf({ section: { color } }: GlyphRun, { tint, opacity }: SymbolPaint): Tint {
  return color === null ? tint : tintOf(color, opacity);
}

/** Text that is placed as a whole. */
export interface Piece {
  text: string;
  /** Number of letters; letter spacing may follow each of them */
  letters: number;
  /** Pen movement in 1/24 em, without letter spacing */
  advance: number;
}

/**
 * A font: signed distance fields of the scene, drawn as in MapLibre, or outlines shipped with the
 * project, drawn crisply by Skia.
 */
export interface Face {
  readonly name: string;
  /** Whether letters are drawn one by one even on a level line */
  readonly isGlyphwise: boolean;
  /** Removes the characters that the font cannot draw. */
  drawable(text: string): string;
  /** Returns the letters of a text without a glyph. */
  missing(text: string): readonly string[];
  /** Splits the text of a level line into as few pieces as the font allows. */
  pieces(text: string): readonly Piece[];
  /** Splits a text into single letters, for lines that bend. */
  letters(text: string): readonly Piece[];
  /** Prepares to draw a run, so that the letters of several runs are made together. */
  prepare?(pixelRatio: number, run: GlyphRun, label: PlacedLabel): void;
  drawHalo(surface: Surface, run: GlyphRun, label: PlacedLabel): void;
  drawLetters(surface: Surface, run: GlyphRun, label: PlacedLabel): void;
}

/** Returns the face for a font stack, or null if no font of the stack is available. */
export type FaceOf = (stack: readonly string[]) => Face | null;
