/** Typography of the furniture: fonts, sizes, and text measurement. */
import type { MeasureEm } from '../canvas/text/measure.ts';
import type { Measure } from './text-block.ts';

export type TextRole =
  | 'title'
  | 'subtitle'
  | 'legend-title'
  | 'legend-label'
  | 'source'
  | 'caption'
  | 'caption-note';

export interface FurnitureText {
  role: TextRole;
  text: string;
  sizePx: number;
  /** Left end of the baseline */
  x: number;
  y: number;
}

export const FACES: Readonly<Record<TextRole, string>> = {
  title: 'Noto Sans SemiBold',
  subtitle: 'Noto Sans Regular',
  'legend-title': 'Noto Sans SemiBold',
  'legend-label': 'Noto Sans Regular',
  source: 'Noto Sans Regular',
  caption: 'Noto Sans SemiBold',
  'caption-note': 'Noto Sans Regular',
};

/** Font sizes in pixels for a picture of about 900 x 900. */
const SIZES: Readonly<Record<TextRole, number>> = {
  title: 19,
  subtitle: 12.5,
  'legend-title': 11.5,
  'legend-label': 11.5,
  source: 10,
  caption: 12.5,
  'caption-note': 11.5,
};

/** In em. Noto Sans extends 1.07 above its baseline and 0.29 below; lines are set slightly tighter. */
const LINE_HEIGHT = 1.3;
const ASCENT = 1;

/** The typography for one picture size. Widths and heights are in CSS pixels. */
export class FurnitureTypography {
  readonly scale: number;
  private readonly measure: MeasureEm;

  /** @param textScale size of texts, relative to the default for the picture's size */
  constructor(widthPx: number, heightPx: number, measure: MeasureEm, textScale = 1) {
    // Text grows more slowly than the picture, because people view large pictures from the same distance.
    const suitable = Math.sqrt(Math.sqrt(widthPx * heightPx) / 900);
    this.scale = textScale * Math.max(0.8, Math.min(1.35, suitable));
    this.measure = measure;
  }

  sizePx(role: TextRole): number {
    return SIZES[role] * this.scale;
  }

  lineHeightPx(role: TextRole): number {
    return SIZES[role] * this.scale * LINE_HEIGHT;
  }

  widthOf(role: TextRole): Measure {
    const sizePx = this.sizePx(role);
    return (text) => this.measure(text, FACES[role]) * sizePx;
  }

  extent(role: TextRole, lines: readonly string[]): { width: number; height: number } {
    const width = Math.max(0, ...lines.map(this.widthOf(role)));
    return { width, height: lines.length * SIZES[role] * this.scale * LINE_HEIGHT };
  }

  /** Positions lines of text one below the other, from the top left corner. */
  placeLines(role: TextRole, lines: readonly string[], x: number, top: number): FurnitureText[] {
    const sizePx = this.sizePx(role);
    return lines.map((text, i) => ({
      role,
      text,
      sizePx,
      x,
      y: top + i * sizePx * LINE_HEIGHT + sizePx * ASCENT,
    }));
  }
}
