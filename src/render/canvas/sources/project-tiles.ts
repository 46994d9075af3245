/** Projects tiles to pixels of the picture. */
import type { Viewport } from '../../../spatial/camera.ts';
import type { View3 } from '../../../spatial/view.ts';
import {
  rectOf,
  rectsMeet,
  polygonsOf,
  type FlatPoints,
  type RectPx,
} from '../../../spatial/flat.ts';
import type { TileAddress } from '../../../spatial/tile.ts';
import { isEmptyShape, clipRectOf, ScreenFeature, type ScreenShape } from './screen-feature.ts';
import type { TileFeature, TiledSource } from './tiled-source.ts';
import { TILE_EXTENT } from '../style/style-feature.ts';

/**
 * Projects a source layer of all tiles in view, tile by tile. Shapes are not simplified, because a tile
 * is never shown smaller than it was made for.
 *
 * @param isWhole whether to include shapes far outside the picture
 * @throws InvalidSceneError for a tile that cannot be read
 */
export function projectTiles(
  { tilesIn, featuresIn }: TiledSource,
  sourceLayer: string | null,
  viewport: View3,
  isWhole: boolean,
): ScreenFeature[] {
  const clipRect = isWhole ? EVERYWHERE : clipRectOf(viewport);
  return tilesIn(viewport).flatMap((address) => {
    const square = tileRect(address, viewport);
    return featuresIn(address, sourceLayer).flatMap((feature) => {
      const shape = shapeOf(feature, square, clipRect);
      return isEmptyShape(shape) ? [] : [new ScreenFeature(feature.style, shape, square)];
    });
  });
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
  const scale = (square.maxX - square.minX) / TILE_EXTENT;
  const toPx = (part: FlatPoints): FlatPoints =>
    part.map((value, i) => (i % 2 === 0 ? square.minX : square.minY) + value * scale);
  // Shapes are not clipped again: dashes start where the tile begins a line.
  const isNear = (part: FlatPoints) => rectsMeet(rectOf(part), clipRect);
  const shape: ScreenShape = { polygons: [], lines: [], points: [] };
  switch (style.type) {
    case 'Point':
      // Circles and heatmaps may reach far.
      shape.points = parts.map(toPx).flat();
      break;
    case 'LineString':
      shape.lines = parts.map(toPx).filter(isNear);
      break;
    case 'Polygon':
      shape.polygons = polygonsOf(parts.map(toPx)).filter(([outer]) => isNear(outer!));
  }
  return shape;
}
