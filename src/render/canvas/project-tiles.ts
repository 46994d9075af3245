/** Vector tiles to features in pixels of the picture. */
import type { Viewport } from '../../spatial/camera.ts';
import { rectOf, rectsMeet, polygonsOf, type FlatPoints, type RectPx } from '../../spatial/flat.ts';
import type { TileAddress } from '../../spatial/tile.ts';
import { shownTiles } from '../vector-tiles.ts';
import { isEmptyShape, keptRect, ScreenFeature, type Shape } from './screen-feature.ts';
import type { VectorSource } from './sources.ts';
import { EXTENT, type TileFeature } from './tile-features.ts';

/**
 * A source layer of all tiles in view, tile by tile. Shapes are not thinned, as a tile never shows
 * smaller than it was made for.
 *
 * @throws InvalidSceneError for a tile that cannot be read
 */
export function projectTiles(
  { tileSet, featuresIn }: VectorSource,
  sourceLayer: string,
  viewport: Viewport,
): ScreenFeature[] {
  const kept = keptRect(viewport);
  return shownTiles(viewport, tileSet).flatMap((address) => {
    const square = squareOf(address, viewport);
    return featuresIn(address, sourceLayer).flatMap((feature) => {
      const shape = shapeOf(feature, square, kept);
      return isEmptyShape(shape) ? [] : [new ScreenFeature(feature.style, shape, square)];
    });
  });
}

/** Neighbours compute the edge between them from the same number: no gap, no overlap. */
export function squareOf({ z, x, y }: TileAddress, viewport: Viewport): RectPx {
  const count = 2 ** z;
  return {
    minX: viewport.xOfWorld(x / count),
    minY: viewport.yOfWorld(y / count),
    maxX: viewport.xOfWorld((x + 1) / count),
    maxY: viewport.yOfWorld((y + 1) / count),
  };
}

function shapeOf({ style, parts }: TileFeature, square: RectPx, kept: RectPx): Shape {
  const scale = (square.maxX - square.minX) / EXTENT;
  const inPx = (part: FlatPoints): FlatPoints =>
    part.map((value, i) => (i % 2 === 0 ? square.minX : square.minY) + value * scale);
  // Nothing is cut anew: dashes are measured from where the tile begins a line.
  const isNear = (part: FlatPoints) => rectsMeet(rectOf(part), kept);
  const shape: Shape = { polygons: [], lines: [], points: [] };
  switch (style.type) {
    case 'Point':
      shape.points = parts.map(inPx).filter(isNear).flat();
      break;
    case 'LineString':
      shape.lines = parts.map(inPx).filter(isNear);
      break;
    case 'Polygon':
      shape.polygons = polygonsOf(parts.map(inPx)).filter(([outer]) => isNear(outer!));
  }
  return shape;
}
