/** Draws placed icons. */
import { blendLinear, blendNearest, sampleAlpha } from '../raster/sample.ts';
import type { Pixels } from '../raster/pixels.ts';
import { fillTexturedQuad, type DrawTexel, type TexturedCorner } from '../raster/textured-quad.ts';
import type { Surface } from '../surface.ts';
import { haloRamp, RAMP_STEPS, shapeRamp } from '../text/sdf.ts';
import type { SymbolInk } from '../text/symbol-paint.ts';
import type { PlacedIcon } from './placed-icon.ts';
import type { IconQuad } from './quads.ts';

export function drawIconHalo(surface: Surface, placed: PlacedIcon): void {
  const { icon, halo, drawing } = placed;
  if (halo === null || !drawing.sdf) return;
  const ramp = haloRamp(icon.sizes.drawn, halo, surface.pixelRatio);
  drawQuads(surface, placed, blendField(surface.pixels, placed, halo.ink, ramp));
}

export function drawIcon(surface: Surface, placed: PlacedIcon): void {
  const { icon, ink, opacity, drawing } = placed;
  const { pixels } = surface;
  if (drawing.sdf) {
    const ramp = shapeRamp(icon.sizes.drawn, surface.pixelRatio);
    return drawQuads(surface, placed, blendField(pixels, placed, ink, ramp));
  }
  const blend = drawing.smooth ? blendLinear : blendNearest;
  drawQuads(surface, placed, blend(pixels, icon.image, opacity));
}

function blendField(
  pixels: Pixels,
  { icon: { image } }: PlacedIcon,
  { tint }: SymbolInk,
  coverage: Float32Array,
): DrawTexel {
  return (index, u, v) => {
    const share = coverage[Math.round(sampleAlpha(image, u, v) * RAMP_STEPS)]!;
    if (share > 0 && tint.alpha > 0) pixels.blend(index, tint, share);
  };
}

function drawQuads({ pixels, pixelRatio }: Surface, placed: PlacedIcon, draw: DrawTexel): void {
  for (const quad of placed.icon.quads) {
    const { image, scaled, fixed } = quad;
    const corner = (acrossSide: 'left' | 'right', downSide: 'top' | 'bottom'): TexturedCorner => ({
      ...cornerAt(placed, quad, scaled[acrossSide], scaled[downSide], {
        x: fixed[acrossSide],
        y: fixed[downSide],
        pixelRatio,
      }),
      u: image[acrossSide],
      v: image[downSide],
    });
    fillTexturedQuad(
      pixels,
      [
        corner('left', 'top'),
        corner('right', 'top'),
        corner('left', 'bottom'),
        corner('right', 'bottom'),
      ],
      draw,
    );
  }
}

/** Position of a corner in device pixels. Only the part that scales turns with the icon. */
function cornerAt(
  { icon: { sizes, rotation }, x, y, angle }: PlacedIcon,
  { minScale }: IconQuad,
  scaledX: number,
  scaledY: number,
  fixed: { x: number; y: number; pixelRatio: number },
): { x: number; y: number } {
  const cos = Math.cos(rotation);
  const sin = Math.sin(rotation);
  const across =
    toVertexUnits(scaledX * cos - scaledY * sin) * Math.max(minScale[0], sizes.drawn) + fixed.x;
  const down =
    toVertexUnits(scaledX * sin + scaledY * cos) * Math.max(minScale[1], sizes.drawn) + fixed.y;
  const lineCos = Math.cos(angle);
  const lineSin = Math.sin(angle);
  return {
    x: (x + across * lineCos - down * lineSin) * fixed.pixelRatio,
    y: (y + across * lineSin + down * lineCos) * fixed.pixelRatio,
  };
}

/** Vertices store offsets in 1/32. */
function toVertexUnits(offset: number): number {
  return Math.round(offset * 32) / 32;
}
