/** The form of one label around its anchor, before anyone knows whether it fits. Pure. */
import type { RectPx } from '../../../spatial/flat.ts';
import { breakLines } from './line-breaks.ts';

/** Width of a text in ems, without letter spacing. */
export type MeasureEm = (text: string, face: string) => number;

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

export interface Typography {
  face: string;
  sizePx: number;
  letterSpacingEm: number;
  lineHeightEm: number;
  maxWidthEm: number;
  justify: Justify;
}

/** A piece of text; x and y are where its baseline begins. */
export interface GlyphRun {
  text: string;
  x: number;
  y: number;
  /** Clockwise, in radians */
  angle: number;
}

export interface Shape {
  runs: GlyphRun[];
  /** What the label covers */
  box: RectPx;
}

/**
 * How far the baseline lies below the middle of its line, in ems. MapLibre shifts lines by 17 of 24
 * units against an ascender of 26: capitals come out centred.
 */
export const BASELINE_BELOW_MIDDLE_EM = 9 / 24;

/** The same shift, which MapLibre takes back from offsets above and below the anchor. */
const BASELINE_OFFSET_EM = 7 / 24;

export function widthPx(
  text: string,
  type: Pick<Typography, 'face' | 'sizePx' | 'letterSpacingEm'>,
  measure: MeasureEm,
): number {
  return (measure(text, type.face) + text.length * type.letterSpacingEm) * type.sizePx;
}

export function wrap(text: string, type: Typography, measure: MeasureEm): string[] {
  return breakLines(
    text,
    type.maxWidthEm,
    (piece) => measure(piece, type.face) + piece.length * type.letterSpacingEm,
  );
}

/** Lines of text set around a point; `offsetEm` moves them. */
export function shapeAtPoint(
  lines: readonly string[],
  type: Typography,
  anchor: Anchor,
  offsetEm: readonly [number, number],
  [x, y]: readonly [number, number],
  measure: MeasureEm,
): Shape {
  const { sizePx } = type;
  const widths = lines.map((line) => widthPx(line, type, measure));
  const width = Math.max(...widths);
  const lineHeight = type.lineHeightEm * sizePx;
  const left = x + offsetEm[0] * sizePx - horizontalShare(anchor) * width;
  const top = y + offsetEm[1] * sizePx - verticalShare(anchor) * lines.length * lineHeight;
  const share = justifiedShare(type.justify, anchor);
  return {
    runs: lines.map((text, i) => ({
      text,
      x: left + share * (width - widths[i]!),
      y: top + (i + 0.5) * lineHeight + BASELINE_BELOW_MIDDLE_EM * sizePx,
      angle: 0,
    })),
    box: { minX: left, minY: top, maxX: left + width, maxY: top + lines.length * lineHeight },
  };
}

/** Which part of the text's width lies left of its anchor. */
function horizontalShare(anchor: Anchor): number {
  if (anchor.endsWith('left')) return 0;
  return anchor.endsWith('right') ? 1 : 0.5;
}

function verticalShare(anchor: Anchor): number {
  if (anchor.startsWith('top')) return 0;
  return anchor.startsWith('bottom') ? 1 : 0.5;
}

function justifiedShare(justify: Justify, anchor: Anchor): number {
  if (justify === 'auto') return horizontalShare(anchor);
  return { left: 0, center: 0.5, right: 1 }[justify];
}

/** An offset away from the anchor point by the same distance whatever the anchor. Ems. */
export function radialOffset(anchor: Anchor, distanceEm: number): [number, number] {
  const distance = Math.max(0, distanceEm);
  const isCorner = anchor.includes('-');
  const reach = isCorner ? distance / Math.SQRT2 : distance;
  return directed(anchor, reach, reach);
}

/** A fixed offset, turned to point away from the anchor point. Ems. */
export function directedOffset(
  anchor: Anchor,
  offsetEm: readonly [number, number],
): [number, number] {
  return directed(anchor, Math.abs(offsetEm[0]), Math.abs(offsetEm[1]));
}

function directed(anchor: Anchor, reachX: number, reachY: number): [number, number] {
  let x = 0;
  let y = 0;
  if (anchor.endsWith('left')) x = reachX;
  if (anchor.endsWith('right')) x = -reachX;
  if (anchor.startsWith('top')) y = reachY - BASELINE_OFFSET_EM;
  if (anchor.startsWith('bottom')) y = BASELINE_OFFSET_EM - reachY;
  return [x, y];
}
