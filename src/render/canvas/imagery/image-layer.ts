/** Draws an image source: a picture whose corners may lie anywhere on the map. */
import type { FlatPoints } from '../../../spatial/flat.ts';
import type { View3 } from '../../../spatial/view.ts';
import { imageMesh, type MeshVertex } from './image-mesh.ts';
import type { PaintContext } from '../layers/painter.ts';
import type { PictureSource } from '../sources/raster-sources.ts';
import { alignment } from '../sources/raster-tiles.ts';
import { Texture } from '../raster/texture.ts';
import { warpOfTriangle } from '../raster/warp.ts';
import { fillTextured, type MakeInk } from '../layers/textured.ts';

export function drawImage(
  context: PaintContext,
  { picture, corners }: PictureSource,
  inkOf: (texture: Texture) => MakeInk,
  opacity: number,
): void {
  const { view } = context;
  // An image has no smaller copies of itself, unlike tiles.
  const makeInk = inkOf(new Texture(picture, false));
  const triangles = imageMesh(corners);
  const align = alignment(view, context.surface.pixelRatio);
  for (const world of worldsShown(view)) {
    const toPlane = ({ x, y, u, v, weight }: MeshVertex) => ({
      x: align.x(view.xOfWorld(x + world)),
      y: align.y(view.yOfWorld(y)),
      ...{ u, v, weight },
    });
    for (const triangle of triangles) {
      const [a, b, c] = triangle.map(toPlane) as [MeshVertex, MeshVertex, MeshVertex];
      const warp = warpOfTriangle(a, b, c);
      const ring: FlatPoints = [a.x, a.y, b.x, b.y, c.x, c.y];
      if (warp !== null) fillTextured(context, ring, warp, makeInk, opacity);
    }
  }
}

/**
 * Returns the copies of the world in view and one more on each side, because an image there may extend into
 * the view.
 */
function worldsShown(view: View3): number[] {
  const { west, east } = view.worldEdges();
  const first = Math.min(0, Math.floor(west) - 1);
  const last = Math.max(0, Math.floor(east) + 1);
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}
