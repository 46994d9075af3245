/** The stages of a symbol from a layer to the picture. A symbol is placed or left out as a whole. */
import type { FlatPoints } from '../../../spatial/flat.ts';
import type { FeatureIcon } from '../icon/feature-icon.ts';
import type { IconDrawing } from '../icon/placed-icon.ts';
import type { SceneLayer } from '../layers/painter.ts';
import type { StyleFeature } from '../style/style-feature.ts';
import type { FeatureText } from './feature-text.ts';
import type { LabelTile, TileFrame } from './label-tiles.ts';

/** A symbol layer with its tiles in this picture. */
export interface SymbolLayer extends Pick<SceneLayer, 'compiled' | 'read' | 'readLayout'> {
  zoom: number;
  tiles: readonly LabelTile[];
}

/** A symbol before placement, at a point or along a line. It has a text, an icon, or both. */
export interface UnplacedSymbol {
  feature: StyleFeature;
  frame: TileFrame;
  /** Position of its feature in the tile */
  ordinal: number;
  sortKey: number;
  /** In whole tile units */
  anchor: { x: number; y: number };
  text: FeatureText | null;
  icon: FeatureIcon | null;
  iconDrawing: IconDrawing;
  /** The line on which it is placed, and the segment of its anchor; null for a symbol at a point */
  line: SymbolLine | null;
}

export interface SymbolLine {
  points: FlatPoints;
  segment: number;
}
