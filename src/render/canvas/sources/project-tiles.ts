/** Projects tiles to pixels of the picture. */
import type { Viewport } from '../../../base/spatial/camera.ts';
import type { View3 } from '../../../base/spatial/view.ts';
import {
  rectOf,
  rectsMeet,
  polygonsOf,
  type FlatPoints,
  type RectPx,
} from '../../../base/spatial/flat.ts';
import type { TileAddress } from '../../../base/spatial/tile.ts';
import {
  isEmptyShape,
  clipRectOf,
  ScreenFeature,
  type ReadPassing,
  type ScreenShape,
} from './screen-feature.ts';
import type { TileFeature, TiledSource } from './tiled-source.ts';
import type { LayerFilter } from '../style/layer-filter.ts';
import { TILE_EXTENT } from '../style/style-feature.ts';

/**
 * Reads a source layer of all tiles in view, tile by tile. Shapes are not simplified, because a tile is never
 * shown smaller than it was made for.
 *
 * @param isWhole whether to include shapes far outside the picture
 * @throws InvalidSceneError for a tile that cannot be read
 */
export function projectTiles(
  { tilesIn, featuresIn }: TiledSource,
  sourceLayer: string | null,
  viewport: View3,
  isWhole: boolean,
): ReadPassing {
  const clipRect = isWhole ? EVERYWHERE : clipRectOf(viewport);
  const tiles = tilesIn(viewport).map((address) => {
    const features = featuresIn(address, sourceLayer);
    return new ScreenTile(features, tileRect(address, viewport), clipRect);
  });
  return (filter) => {
    const passing: ScreenFeature[] = [];
    for (const tile of tiles) tile.addPassing(filter, passing);
    return passing;
  };
}

/** A tile in the picture. It projects a feature when the first layer shows it. */
class ScreenTile {
  private readonly features: readonly TileFeature[];
  private readonly square: RectPx;
  private readonly clipRect: RectPx;
  /** Null for features that aren't visible */
  private readonly projected = new Map<TileFeature, ScreenFeature | null>();

  constructor(features: readonly TileFeature[], square: RectPx, clipRect: RectPx) {
    this.features = features;
    this.square = square;
    this.clipRect = clipRect;
  }

  addPassing(filter: LayerFilter, passing: ScreenFeature[]): void {
    for (const feature of filter.select(this.features)) {
      let projected = this.projected.get(feature);
      if (projected === undefined) {
        projected = this.project(feature);
        this.projected.set(feature, projected);
      }
      if (projected !== null) passing.push(projected);
    }
  }

  private project(feature: TileFeature): ScreenFeature | null {
    const shape = shapeOf(feature, this.square, this.clipRect);
    return isEmptyShape(shape) ? null : new ScreenFeature(feature.style, shape, this.square);
  }
}

const EVERYWHERE: RectPx = { minX: -Infinity, minY: -Infinity, maxX: Infinity, maxY: Infinity };

/**
 * Square of a tile, in pixels of the picture. Neighbors compute their shared edge from the same number,
 * so they neither gap nor overlap.
 */
export function tileRect({ z, x, y }: TileAddress, viewport: Viewport): RectPx {
  const count = 2 ** z;
  return {
    minX: viewport.xOfWorld(x / count),
    minY: viewport.yOfWorld(y / count),
    maxX: viewport.xOfWorld((x + 1) / count),
    maxY: viewport.yOfWorld((y + 1) / count),
  };
}

function shapeOf({ style, parts }: TileFeature, square: RectPx, clipRect: RectPx): ScreenShape {
  const shape: ScreenShape = { polygons: [], lines: [], points: [] };
  switch (style.type) {
    case 'Point':
      // Circles and heatmaps may reach far.
      for (const part of parts) shape.points.push(...toPx(part, square));
      break;
    case 'LineString':
      // Shapes are not clipped again: dashes start where the tile begins a line.
      for (const part of parts) {
        if (rectsMeet(toPxRect(rectOf(part), square), clipRect))
          shape.lines.push(toPx(part, square));
      }
      break;
    case 'Polygon': {
      const rings: FlatPoints[] = [];
      for (const part of parts) rings.push(toPx(part, square));
      for (const polygon of polygonsOf(rings)) {
        if (rectsMeet(rectOf(polygon[0]!), clipRect)) shape.polygons.push(polygon);
      }
    }
  }
  return shape;
}

function toPx(part: FlatPoints, { minX, minY, maxX }: RectPx): FlatPoints {
  const scale = (maxX - minX) / TILE_EXTENT;
  // A copy is as long as needed; pushing would allocate more.
  const points = part.slice();
  for (let i = 0; i < points.length; i += 2) {
    points[i] = minX + points[i]! * scale;
    points[i + 1] = minY + points[i + 1]! * scale;
  }
  return points;
}

function toPxRect(rect: RectPx, square: RectPx): RectPx {
  const [minX, minY, maxX, maxY] = toPx([rect.minX, rect.minY, rect.maxX, rect.maxY], square);
  return { minX: minX!, minY: minY!, maxX: maxX!, maxY: maxY! };
}
