/** The form of one label around its anchor, before anyone knows whether it fits. Pure. */
import { rectOf, type RectPx } from '../../../spatial/flat.ts';
import { lineWidthEm, sectionWidthEm, type Section, type SectionedLine } from './sections.ts';

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
  /** Says its own type and ink, where they may differ from the label's */
  section?: Section;
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

export function widthPx(
  text: string,
  type: Pick<Typography, 'face' | 'sizePx' | 'letterSpacingEm'>,
  measure: MeasureEm,
): number {
  return (measure(text, type.face) + text.length * type.letterSpacingEm) * type.sizePx;
}

/** Lines of text set around a point; `offsetEm` moves them. */
export function shapeAtPoint(
  lines: readonly SectionedLine[],
  type: Typography,
  anchor: Anchor,
  offsetEm: readonly [number, number],
  [x, y]: readonly [number, number],
  measure: MeasureEm,
): Shape {
  const { sizePx, letterSpacingEm } = type;
  const widths = lines.map((line) => lineWidthEm(line, letterSpacingEm, measure) * sizePx);
  const width = Math.max(...widths);
  const scales = lines.map(lineScale);
  const heights = scales.map((scale) => scale * type.lineHeightEm * sizePx);
  const height = heights.reduce((sum, each) => sum + each, 0);
  const left = x + offsetEm[0] * sizePx - horizontalShare(anchor) * width;
  const top = y + offsetEm[1] * sizePx - verticalShare(anchor) * height;
  const share = justifiedShare(type.justify, anchor);
  const isScaled = scales.some((scale) => scale !== 1);

  const runs: GlyphRun[] = [];
  let lineTop = top;
  for (const [i, line] of lines.entries()) {
    let runX = left + share * (width - widths[i]!);
    for (const section of line) {
      const baseline = isScaled
        ? lineTop + scaledBaselineEm(scales[i]!, section.scale) * sizePx
        : lineTop + heights[i]! / 2 + BASELINE_BELOW_MIDDLE_EM * sizePx;
      runs.push({ text: section.text, x: runX, y: baseline, angle: 0, section });
      runX += sectionWidthEm(section, letterSpacingEm, measure) * sizePx;
    }
    lineTop += heights[i]!;
  }
  return { runs, box: { minX: left, minY: top, maxX: left + width, maxY: top + height } };
}

/** An empty line is as high as one of the label's own size. */
function lineScale(line: SectionedLine): number {
  return line.length === 0 ? 1 : Math.max(...line.map(({ scale }) => scale));
}

/**
 * The baseline below the top of a line that holds other sizes than the label's: MapLibre puts the
 * feet of its em squares on one level, and the letters 26 of 24 units below the square's head.
 */
function scaledBaselineEm(ofLine: number, scale: number): number {
  return ofLine + (2 / 24) * scale;
}

/** A shape turned clockwise around its point; its box becomes the one around the turned box. */
export function turned(
  { runs, box }: Shape,
  [centerX, centerY]: readonly [number, number],
  degrees: number,
): Shape {
  const angle = (degrees * Math.PI) / 180;
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  const turn = (x: number, y: number) => ({
    x: centerX + (x - centerX) * cos - (y - centerY) * sin,
    y: centerY + (x - centerX) * sin + (y - centerY) * cos,
  });
  const corners = [box.minX, box.maxX].flatMap((x) => [turn(x, box.minY), turn(x, box.maxY)]);
  return {
    runs: runs.map((run) => ({ ...run, ...turn(run.x, run.y), angle: run.angle + angle })),
    box: rectOf(corners.flatMap(({ x, y }) => [x, y])),
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
