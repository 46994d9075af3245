/** A feature in pixels of the picture, ready for drawing. */
import type { View3 } from '../../../base/spatial/view.ts';
import { growRect, type FlatPoints, type RectPx } from '../../../base/spatial/flat.ts';
import type { LayerFilter } from '../style/layer-filter.ts';
import type { StyleFeature } from '../style/style-feature.ts';

/**
 * Margin around the picture in which shapes are kept. Clipped polygon edges lie there, so strokes
 * along them stay invisible up to twice this width.
 */
const MARGIN_PX = 128;

/** The visible part of the plane with its margin: shapes are clipped to it. */
export function clipRectOf({ bounds }: View3): RectPx {
  return growRect(bounds, MARGIN_PX);
}

export interface ScreenShape {
  /** Outer ring first, then holes */
  polygons: FlatPoints[][];
  lines: FlatPoints[];
  points: FlatPoints;
}

export function isEmptyShape({ polygons, lines, points }: ScreenShape): boolean {
  return polygons.length + lines.length + points.length === 0;
}

export class ScreenFeature {
  readonly style: StyleFeature;
  readonly polygons: readonly FlatPoints[][];
  readonly lines: readonly FlatPoints[];
  readonly points: FlatPoints;
  /**
   * Square of the tile that the feature comes from. The shape extends into neighboring tiles, so
   * drawing is clipped to this square. Null if the feature is not split into tiles.
   */
  readonly tile: RectPx | null;

  constructor(style: StyleFeature, shape: ScreenShape, tile: RectPx | null = null) {
    this.style = style;
    this.polygons = shape.polygons;
    this.lines = shape.lines;
    this.points = shape.points;
    this.tile = tile;
  }

  /**
   * Whether this feature, rather than its copy in a neighboring tile, draws what lies at a point.
   */
  ownsPoint(x: number, y: number): boolean {
    return this.tile === null || ownsPoint(this.tile, x, y);
  }
}

/** Returns the features that pass a filter and may be visible, in their order. */
export type ReadPassing = (filter: LayerFilter) => readonly ScreenFeature[];

/** Whether a point lies in a tile. A tile owns its left and upper edges. */
export function ownsPoint({ minX, minY, maxX, maxY }: RectPx, x: number, y: number): boolean {
  return x >= minX && x < maxX && y >= minY && y < maxY;
}
