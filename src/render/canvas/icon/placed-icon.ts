/** An icon in the picture. */
import type { StyleFeature } from '../property-values.ts';
import type { SymbolPaint } from '../text/symbol-paint.ts';
import type { FeatureIcon } from './feature-icon.ts';

export interface PlacedIcon extends SymbolPaint {
  feature: StyleFeature;
  icon: FeatureIcon;
  /** Position of the anchor, in CSS pixels */
  x: number;
  y: number;
  /** Of the line that it follows, clockwise in radians */
  angle: number;
  drawing: IconDrawing;
}

/** How the icons of a layer in a tile are drawn; they share one program. */
export interface IconDrawing {
  /** Whether alpha channels are distance fields, drawn in a color */
  sdf: boolean;
  /** Whether colors between the pixels of the image are interpolated */
  smooth: boolean;
}
