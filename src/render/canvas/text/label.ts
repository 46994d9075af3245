/** A label that found its place, ready to be drawn. */
import type { Color } from '@maplibre/maplibre-gl-style-spec';
import type { RectPx } from '../../../spatial/flat.ts';
import { tintOf, type Tint } from '../raster/pixels.ts';
import type { StyleFeature } from '../values.ts';
import type { Face } from './face.ts';

export interface PlacedLabel {
  text: string;
  feature: StyleFeature;
  sizePx: number;
  letterSpacingPx: number;
  runs: GlyphRun[];
  /** What of the picture it keeps free of others, in CSS pixels */
  box: RectPx;
  /** The layer's, 0..1; the inks have it in them */
  opacity: number;
  ink: TextInk;
  halo: Halo | null;
}

/** A piece of text; x and y are where its baseline begins, in CSS pixels. */
export interface GlyphRun {
  text: string;
  x: number;
  y: number;
  /** Clockwise, in radians */
  angle: number;
  section: Section;
}

/** Part of a text in one type. */
export interface Section {
  text: string;
  face: Face;
  /** Of the label's size */
  scale: number;
  /** Where it stands in a line with larger type: 0 at the top, 1 at the bottom */
  verticalShare: number;
  /** Null for the label's own */
  ink: TextInk | null;
}

/** A colour with all opacity in it, for the canvas and for pixels. */
export interface TextInk {
  css: string;
  tint: Tint;
}

export interface Halo {
  ink: TextInk;
  widthPx: number;
  blurPx: number;
}

export function textInk(color: Color, opacity: number): TextInk {
  const [r, g, b, alpha] = color.rgb;
  const channels = [r, g, b].map((channel) => Math.round(channel * 255)).join(',');
  return { css: `rgba(${channels},${alpha * opacity})`, tint: tintOf(color, opacity) };
}
