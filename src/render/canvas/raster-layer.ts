/** Draws raster layers: tiles of imagery, or a picture at four corners. */
import { drawImage } from './image-layer.ts';
import type { PaintContext, SceneLayer } from './painter.ts';
import { adjustInk } from './raster-color.ts';
import { shownRasterTiles } from './raster-tiles.ts';
import { TextureInk, type Resampling } from './raster/texture-ink.ts';
import { Texture } from './raster/texture.ts';
import { warpOfRect } from './raster/warp.ts';
import { fillTextured, ringOfRect, type MakeInk } from './textured.ts';
import type { ReadProperty } from './property-values.ts';

export function drawRaster(context: PaintContext, { compiled, read }: SceneLayer): void {
  const opacity = read<number>('raster-opacity')();
  if (opacity === 0) return;
  const source = context.sourceOf(compiled.source!);
  const inkOf = rasterInk(read, opacity);
  if (source.type === 'image') {
    drawImage(context, source, inkOf, opacity);
  } else if (source.type === 'raster') {
    for (const { tile, square, shown } of shownRasterTiles(source.tileSet, context)) {
      const texture = new Texture(tile, true);
      fillTextured(context, ringOfRect(shown), warpOfRect(square), inkOf(texture), opacity);
    }
  }
}

/** Returns a function that makes the ink of a texture, with the layer's adjustments. */
function rasterInk(read: ReadProperty, opacity: number): (texture: Texture) => MakeInk {
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
  return (texture) => (warp) =>
    adjustInk(new TextureInk(texture, warp, isNearest ? 'nearest' : 'linear'), adjustment, opacity);
}
