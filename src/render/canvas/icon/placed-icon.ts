/** An icon in the picture. */
import type { StyleFeature } from '../style/style-feature.ts';
import type { Ground } from '../symbol/stance.ts';
import type { SymbolPaint } from '../symbol/symbol-paint.ts';
import type { FeatureIcon } from './feature-icon.ts';

export interface PlacedIcon extends SymbolPaint {
  feature: StyleFeature;
  icon: FeatureIcon;
  /** Position of the anchor, in CSS pixels */
  x: number;
  y: number;
  /** Direction of the line that it follows, clockwise in radians */
  angle: number;
  /** Size relative to that at the center of the picture */
  scale: number;
  /** If not null, (x, y) is relative to this place on the map, on which the icon lies. */
  ground: Ground | null;
  drawing: IconDrawing;
}

/** How the icons of a layer in a tile are drawn; they share one program. */
export interface IconDrawing {
  /** Whether alpha channels are distance fields, drawn in a color */
  sdf: boolean;
  /** Whether colors between the pixels of the image are interpolated */
  smooth: boolean;
}
