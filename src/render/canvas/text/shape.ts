/**
 * Shapes a label around its anchor, with the rules of MapLibre's `symbol/shaping.ts`. Pure; all lengths
 * are in 1/24 em of the label's size.
 */
import type { Piece, Section, SectionedLine } from './label.ts';
import { BASELINE_UNITS, UNITS_PER_EM } from './units.ts';

export type Anchor =
  | 'center'
  | 'left'
  | 'right'
  | 'top'
  | 'bottom'
  | 'top-left'
  | 'top-right'
  | 'bottom-left'
  | 'bottom-right';

export type Justify = 'auto' | 'left' | 'center' | 'right';

interface Typography {
  letterSpacing: number;
  lineHeight: number;
  anchor: Anchor;
  justify: Justify;
  offset: readonly [number, number];
  /** Whether letters of different scales share their middle, as in vertical text at a point */
  alignsMiddles?: boolean;
}

/** A piece relative to the anchor: `x` of the pen at its start, `y` of the glyph origin. */
export interface ShapedPiece {
  piece: Piece;
  section: Section;
  x: number;
  y: number;
}

export interface TextShape {
  pieces: ShapedPiece[];
  top: number;
  bottom: number;
  left: number;
  right: number;
}

/** Distance from the middle of a line up to the origin of its glyphs */
const ORIGIN_ABOVE_MIDDLE = 17;

/**
 * Shapes lines of text. Returns null if none of the text can be drawn.
 *
 * @param piecesOf splits a section into pieces or into single letters
 */
export function shapeText(
  lines: readonly SectionedLine[],
  type: Typography,
  piecesOf: (section: Section) => readonly Piece[],
): TextShape | null {
  const justifyShare = justifyShareOf(type.justify, type.anchor);
  const pieces: ShapedPiece[] = [];
  let width = 0;
  let height = 0;
  let highestLine = 0;
  for (const line of lines) {
    // An empty line takes the normal line height, but does not affect the vertical alignment.
    if (line.length === 0) {
      height += type.lineHeight;
      continue;
    }
    const lineScale = Math.max(...line.map((section) => section.lineScale));
    const lineContent = Math.max(...line.map(({ height }) => height), lineScale * UNITS_PER_EM);
    const shaped = shapeLine(line, type.letterSpacing, lineContent, piecesOf);
    const indent = shaped.width * justifyShare;
    for (const { piece, section, x, rise } of shaped.pieces) {
      const y = height - ORIGIN_ABOVE_MIDDLE + rise;
      const drop = type.alignsMiddles ? (section.scale - (1 + lineScale) / 2) * UNITS_PER_EM : 0;
      pieces.push({ piece, section, x: x - indent, y: y + drop });
    }
    width = Math.max(width, shaped.width);
    // In this order, images that fit change nothing, not even the rounding.
    const lineHeight = type.lineHeight * lineScale + (lineContent - lineScale * UNITS_PER_EM);
    height += lineHeight;
    highestLine = Math.max(highestLine, lineHeight);
  }
  if (pieces.length === 0) return null;

  const across = horizontalShare(type.anchor);
  const down = verticalShare(type.anchor);
  const [offsetX, offsetY] = type.offset;
  const shiftX = (justifyShare - across) * width + offsetX;
  // Lines of different heights align the glyph origins instead of the middles.
  const firstMiddle = highestLine === type.lineHeight ? type.lineHeight / 2 : ORIGIN_ABOVE_MIDDLE;
  const shiftY = firstMiddle - down * height + offsetY;
  for (const each of pieces) {
    each.x += shiftX;
    each.y += shiftY;
  }
  const left = offsetX - across * width;
  const top = offsetY - down * height;
  return { pieces, left, top, right: left + width, bottom: top + height };
}

interface ShapedLine {
  pieces: { piece: Piece; section: Section; x: number; rise: number }[];
  width: number;
}

function shapeLine(
  line: SectionedLine,
  spacing: number,
  lineContent: number,
  piecesOf: (section: Section) => readonly Piece[],
): ShapedLine {
  const pieces: ShapedLine['pieces'] = [];
  let x = 0;
  for (const section of line) {
    const rise = (lineContent - section.height) * section.verticalShare;
    for (const piece of piecesOf(section)) {
      pieces.push({ piece, section, x, rise });
      const advance = section.isUpright ? UNITS_PER_EM : piece.advance;
      x += advance * section.scale + piece.letters * spacing;
    }
  }
  // No letter spacing after the last letter
  return { pieces, width: x - spacing };
}

/**
 * Where the baseline of an upright letter starts, relative to the middle of its advance and its `y`, before
 * the text is turned. The letter itself is turned back. In MapLibre, the middle of a letter's em square is
 * 7 units from the origin of the glyph.
 */
export function uprightOrigin({ piece, section }: ShapedPiece): { x: number; y: number } {
  const halfAdvance = (piece.advance * section.scale) / 2;
  return {
    x: BASELINE_UNITS * section.scale - halfAdvance - 7,
    y: ORIGIN_ABOVE_MIDDLE + halfAdvance,
  };
}

/** Fraction of the text's width to the left of its anchor */
export function horizontalShare(anchor: Anchor): number {
  if (anchor.endsWith('left')) return 0;
  return anchor.endsWith('right') ? 1 : 0.5;
}

export function verticalShare(anchor: Anchor): number {
  if (anchor.startsWith('top')) return 0;
  return anchor.startsWith('bottom') ? 1 : 0.5;
}

export function justifyOf(anchor: Anchor): Justify {
  if (anchor.endsWith('left')) return 'left';
  return anchor.endsWith('right') ? 'right' : 'center';
}

function justifyShareOf(justify: Justify, anchor: Anchor): number {
  if (justify === 'auto') return horizontalShare(anchor);
  return { left: 0, center: 0.5, right: 1 }[justify];
}
