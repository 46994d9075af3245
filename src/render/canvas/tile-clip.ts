/** Limits drawing to tiles, because shapes of a tile extend into its neighbors. */
import { clipRing } from '../../base/spatial/clip.ts';
import { WORLD_COPIES } from '../../base/spatial/covering-tiles.ts';
import { ringOfRect, type FlatPoints, type RectPx } from '../../base/spatial/flat.ts';
import type { View3 } from '../../base/spatial/view.ts';
import { deviceRing } from './raster/device-ring.ts';
import { ConvexArea } from './raster/convex-area.ts';
import type { Pixels } from './raster/pixels.ts';
import type { Surface } from './surface.ts';

/** Limits drawing to a tile, given by its square on the plane; null for the world, up to the horizon. */
export type ClipToTile = (pixels: Pixels, tile: RectPx | null) => void;

export function tileClipper(surface: Surface, view: View3): ClipToTile {
  const { pixelRatio } = surface;
  if (view.isLevel) return (pixels, tile) => pixels.clipTo(tile, pixelRatio);
  const areas = new Map<RectPx, ConvexArea>();
  const world = worldArea(surface, view);
  return (pixels, tile) => {
    if (tile === null) return world === null ? pixels.clipTo(null) : pixels.clipToArea(world);
    const area = areas.get(tile) ?? areaOf(ringOfRect(tile), surface, view);
    areas.set(tile, area);
    pixels.clipToArea(area);
  };
}

/** The part of the picture that shows the world and its copies; null if they fill it */
export function worldArea(surface: Surface, view: View3): ConvexArea | null {
  if (view.isLevel) return null;
  const area = areaOf(clipRing(view.plane, worldRect(view)), surface, view);
  return area.isWhole ? null : area;
}

function areaOf(ring: FlatPoints, { pixels, pixelRatio }: Surface, view: View3): ConvexArea {
  const { points } = deviceRing(view, ring, 0, 0, pixelRatio);
  return new ConvexArea(points, pixels.width, pixels.height);
}

/** The world and its copies, which end at the poles */
function worldRect(view: View3): RectPx {
  return {
    minX: view.xOfWorld(-WORLD_COPIES),
    minY: view.yOfWorld(0),
    maxX: view.xOfWorld(WORLD_COPIES + 1),
    maxY: view.yOfWorld(1),
  };
}
