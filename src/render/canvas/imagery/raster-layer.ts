/** Draws raster layers: tiles of imagery, or a picture at four corners. */
import { ringOfRect, type FlatPoints } from '../../../base/spatial/flat.ts';
import type { View3 } from '../../../base/spatial/view.ts';
import { imageMesh, type MeshVertex } from './image-mesh.ts';
import type { PaintContext, SceneLayer } from '../layers/painter.ts';
import { adjustInk } from './raster-color.ts';
import type { PictureSource } from '../sources/raster-sources.ts';
import { alignment, shownRasterTiles } from '../sources/raster-tiles.ts';
import { TextureInk, type Resampling, type Sampling } from '../raster/texture-ink.ts';
import { Texture } from '../raster/texture.ts';
import { warpOfRect, warpOfTriangle } from '../raster/warp.ts';
import { fillTextured, type MakeInk } from '../layers/textured.ts';
import type { ReadProperty } from '../style/property-values.ts';

/** Largest pitch, in degrees, at which tiles look sharper if each pixel is read once */
const LEVEL_ENOUGH_PITCH = 20;

/** The most reads per pixel that graphics cards offer */
const MAX_READS = 16;

export function drawRaster(context: PaintContext, { compiled, read }: SceneLayer): void {
  const opacity = read<number>('raster-opacity')();
  if (opacity === 0) return;
  const { surface, view } = context;
  const source = context.sourceOf(compiled.source!);
  if (source.type === 'image') {
    drawImage(context, source, rasterInk(read, opacity, 1), opacity);
  } else if (source.type === 'raster') {
    const isSteep = view.pitch > LEVEL_ENOUGH_PITCH;
    const inkOf = rasterInk(read, opacity, isSteep ? MAX_READS : 1);
    const tiles = shownRasterTiles(source.tileSet, view, surface.pixelRatio);
    for (const { tile, square, shown } of tiles) {
      const texture = new Texture(tile, true);
      fillTextured(context, ringOfRect(shown), warpOfRect(square), inkOf(texture), opacity);
    }
  }
}

/** Draws a picture whose corners may lie anywhere on the map. */
function drawImage(
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
      u,
      v,
      weight,
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

/** Returns a function that makes the ink of a texture, with the layer's adjustments. */
function rasterInk(
  read: ReadProperty,
  opacity: number,
  maxReads: number,
): (texture: Texture) => MakeInk {
  const isNearest = ['raster-resampling', 'resampling'].some(
    (name) => read<Resampling>(name)() === 'nearest',
  );
  const adjustment = {
    hueRotate: read<number>('raster-hue-rotate')(),
    saturation: read<number>('raster-saturation')(),
    contrast: read<number>('raster-contrast')(),
    brightnessMin: read<number>('raster-brightness-min')(),
    brightnessMax: read<number>('raster-brightness-max')(),
  };
  const sampling: Sampling = {
    enlarging: isNearest ? 'nearest' : 'linear',
    shrinking: 'linear',
    maxReads,
  };
  return (texture) => (warp) =>
    adjustInk(new TextureInk(texture, warp, sampling), adjustment, opacity);
}
