/** A feature in pixels of the picture, as layers draw it. */
import type { Viewport } from '../../spatial/camera.ts';
import type { FlatPoints, RectPx } from '../../spatial/flat.ts';
import type { StyleFeature } from './values.ts';

/**
 * How far beyond the picture shapes are kept: the cut edges of polygons lie there, out of sight as
 * long as no stroke is wider than twice this.
 */
export const MARGIN_PX = 128;

/** What of the plane is kept. */
export function keptRect({ widthPx, heightPx }: Viewport): RectPx {
  return {
    minX: -MARGIN_PX,
    minY: -MARGIN_PX,
    maxX: widthPx + MARGIN_PX,
    maxY: heightPx + MARGIN_PX,
  };
}

export interface Shape {
  /** Outer ring first, then holes */
  polygons: FlatPoints[][];
  lines: FlatPoints[];
  points: FlatPoints;
}

export function isEmptyShape({ polygons, lines, points }: Shape): boolean {
  return polygons.length + lines.length + points.length === 0;
}

export class ScreenFeature {
  readonly style: StyleFeature;
  readonly polygons: readonly FlatPoints[][];
  readonly lines: readonly FlatPoints[];
  readonly points: FlatPoints;
  /**
   * The square of the tile that the feature comes from. Its shape reaches beyond, as the
   * neighbours' shapes reach in here; what is drawn of it lies inside. Null: it is all there is.
   */
  readonly tile: RectPx | null;

  constructor(style: StyleFeature, shape: Shape, tile: RectPx | null = null) {
    this.style = style;
    this.polygons = shape.polygons;
    this.lines = shape.lines;
    this.points = shape.points;
    this.tile = tile;
  }

  /**
   * Whether what stands at a point is this feature's to draw, and not that of the next tile: the
   * left and upper edge belong to a tile, the others to its neighbours.
   */
  owns(x: number, y: number): boolean {
    const { tile } = this;
    if (tile === null) return true;
    return x >= tile.minX && x < tile.maxX && y >= tile.minY && y < tile.maxY;
  }
}
