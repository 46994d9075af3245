/** Draws layers with `*-layer-opacity`: as a whole, so that shapes of the layer don't add up. */
import type { Painter } from './painter.ts';
import type { Pixels } from '../raster/pixels.ts';
import { Surface } from '../surface.ts';
import { tileClipper } from '../tile-clip.ts';

/** Wraps a painter: draws the layer opaquely first, then blends it at the opacity of a property. */
export function withLayerOpacity(property: string, painter: Painter): Painter {
  return (context, layer) => {
    const opacity = layer.read<number>(property)();
    if (opacity === 1) return painter(context, layer);
    if (opacity === 0) return;
    const { view, surface } = context;
    const own = new Surface(view.widthPx, view.heightPx, surface.pixelRatio);
    painter({ ...context, surface: own, clipToTile: tileClipper(own, view) }, layer);
    blendOver(surface.pixels, own.pixels, opacity);
    own.release();
  };
}

function blendOver({ bytes: below }: Pixels, { bytes: above }: Pixels, opacity: number): void {
  for (let i = 3; i < above.length; i += 4) {
    const alpha = above[i]!;
    if (alpha === 0) continue;
    const backdropShare = 1 - (alpha * opacity) / 255;
    for (let c = i - 3; c <= i; c++) below[c] = above[c]! * opacity + below[c]! * backdropShare;
  }
}
