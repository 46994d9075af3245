/** Symbols on their way from a layer to the picture: one is placed, or left out, as a unit. */
import type { FlatPoints } from '../../../spatial/flat.ts';
import type { SceneLayer } from '../painter.ts';
import type { FeatureText } from './feature-text.ts';
import type { LabelTile, TileFrame } from './label-tiles.ts';

/** A symbol layer with its tiles in this picture. */
export interface SymbolLayer extends Pick<SceneLayer, 'compiled' | 'read' | 'readLayout'> {
  zoom: number;
  tiles: readonly LabelTile[];
}

/** A symbol before placement, at a point or along a line. */
export interface UnplacedSymbol {
  frame: TileFrame;
  /** Position of its feature in the tile */
  ordinal: number;
  sortKey: number;
  /** In whole tile units */
  anchor: { x: number; y: number };
  text: FeatureText;
  /** The line that it follows, and the segment of its anchor; null for a symbol at a point */
  line: { points: FlatPoints; segment: number } | null;
}
