/** Draws placed icons. */
import { blendField, blendLinear, blendNearest } from '../raster/sample.ts';
import { fillTexturedQuad, type DrawTexel, type TexturedCorner } from '../raster/textured-quad.ts';
import type { Surface } from '../surface.ts';
import type { Projected } from '../../../base/spatial/view.ts';
import { haloRamp, shapeRamp } from '../raster/distance-field.ts';
import { offsetFrom, onGround } from '../symbol/stance.ts';
import type { PlacedIcon } from './placed-icon.ts';
import type { IconQuad } from './quads.ts';

export function drawIconHalo(surface: Surface, placed: PlacedIcon): void {
  const { icon, halo, drawing, scale, ground } = placed;
  if (halo === null || !drawing.sdf) return;
  const ramp = haloRamp(icon.sizes.drawn * scale, halo, surface.pixelRatio, ground?.softness);
  drawQuads(surface, placed, blendField(surface.pixels, icon.image, halo.tint, ramp));
}

export function drawIcon(surface: Surface, placed: PlacedIcon): void {
  const { icon, tint, opacity, drawing, scale, ground } = placed;
  const { pixels } = surface;
  if (drawing.sdf) {
    const ramp = shapeRamp(icon.sizes.drawn * scale, surface.pixelRatio, ground?.softness);
    return drawQuads(surface, placed, blendField(pixels, icon.image, tint, ramp));
  }
  const blend = drawing.smooth ? blendLinear : blendNearest;
  drawQuads(surface, placed, blend(pixels, icon.image, opacity));
}

function drawQuads({ pixels, pixelRatio }: Surface, placed: PlacedIcon, draw: DrawTexel): void {
  for (const quad of placed.icon.quads) {
    const corners = CORNERS.map(([across, down]): TexturedCorner | null => {
      const corner = cornerAt(placed, quad, across, down);
      if (corner === null) return null;
      const { x, y, w } = corner;
      return {
        x: x * pixelRatio,
        y: y * pixelRatio,
        u: quad.image[across],
        v: quad.image[down],
        w,
      };
    });
    fillTexturedQuad(pixels, corners, draw);
  }
}

const CORNERS = [
  ['left', 'top'],
  ['right', 'top'],
  ['left', 'bottom'],
  ['right', 'bottom'],
] as const;

/**
 * Position of a corner in the picture; null behind the camera. Only the part that scales turns with the
 * icon.
 */
function cornerAt(
  { icon: { sizes, rotation }, x, y, angle, scale, ground }: PlacedIcon,
  { scaled, fixed, minScale }: IconQuad,
  acrossSide: 'left' | 'right',
  downSide: 'top' | 'bottom',
): Projected | null {
  const cos = Math.cos(rotation);
  const sin = Math.sin(rotation);
  const scaledX = scaled[acrossSide];
  const scaledY = scaled[downSide];
  const size = sizes.drawn * scale;
  const across =
    toVertexUnits(scaledX * cos - scaledY * sin) * Math.max(minScale[0], size) + fixed[acrossSide];
  const down =
    toVertexUnits(scaledX * sin + scaledY * cos) * Math.max(minScale[1], size) + fixed[downSide];
  const offset = offsetFrom({ x, y, turn: angle, ground: null }, across, down)!;
  return ground === null ? offset : onGround(ground, offset.x, offset.y);
}

/** Vertices store offsets in 1/32. */
function toVertexUnits(offset: number): number {
  return Math.round(offset * 32) / 32;
}
