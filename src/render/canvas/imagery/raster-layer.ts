/** Draws raster layers: tiles of imagery, or a picture at four corners. */
import { drawImage } from './image-layer.ts';
import type { PaintContext, SceneLayer } from '../layers/painter.ts';
import { adjustInk } from './raster-color.ts';
import { shownRasterTiles } from '../sources/raster-tiles.ts';
import { TextureInk, type Resampling, type Sampling } from '../raster/texture-ink.ts';
import { Texture } from '../raster/texture.ts';
import { warpOfRect } from '../raster/warp.ts';
import { fillTextured, type MakeInk } from '../layers/textured.ts';
import { ringOfRect } from '../../../spatial/flat.ts';
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
