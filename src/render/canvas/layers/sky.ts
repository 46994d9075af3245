/** Draws the sky above the horizon, with the arithmetic of MapLibre's shader (sky.fragment.glsl). */
import { horizonPx, toRadians } from '../../../base/spatial/perspective.ts';
import type { View3 } from '../../../base/spatial/view.ts';
import type { SkyProperties } from '../style/compiled-style.ts';
import type { Surface } from '../surface.ts';

export function drawSky({ pixels, pixelRatio }: Surface, view: View3, sky: SkyProperties): void {
  const { widthPx, heightPx, pitch } = view;
  const roll = toRadians(view.roll);
  const [cos, sin] = [Math.cos(roll), Math.sin(roll)];
  const risePx = horizonPx(pitch, heightPx);
  const [horizonX, horizonY] = [widthPx / 2 - risePx * sin, heightPx / 2 - risePx * cos];
  const blendPx = (sky['sky-horizon-blend'] * heightPx) / 2;
  const { 'sky-color': high, 'horizon-color': low } = sky;
  pixels.clipTo(null);
  for (let y = 0; y < pixels.height; y++) {
    for (let x = 0; x < pixels.width; x++) {
      const abovePx =
        (horizonY - (y + 0.5) / pixelRatio) * cos - ((x + 0.5) / pixelRatio - horizonX) * sin;
      if (abovePx <= 0) continue;
      const share = abovePx < blendPx ? (1 - abovePx / blendPx) ** 2 : 0;
      const mix = (from: number, to: number) => from + (to - from) * share;
      const [r, g, b] = [mix(high.r, low.r), mix(high.g, low.g), mix(high.b, low.b)];
      const index = y * pixels.width + x;
      pixels.blendColor(index, 255 * r, 255 * g, 255 * b, mix(high.a, low.a), 1);
    }
  }
}
