/** Draws background layers. */
import type { Color } from '@maplibre/maplibre-gl-style-spec';
import type { PaintContext, SceneLayer } from './painter.ts';
import { tintOf, type Tint } from './raster/pixels.ts';

export function drawBackground({ surface: { pixels } }: PaintContext, layer: SceneLayer): void {
  const tint = backgroundTint(layer);
  pixels.clipTo(null);
  for (let y = 0; y < pixels.height; y++) pixels.fillRow(y, 0, pixels.width, tint);
}

export function backgroundTint({ read }: Pick<SceneLayer, 'read'>): Tint {
  return tintOf(read<Color>('background-color')(), read<number>('background-opacity')());
}
