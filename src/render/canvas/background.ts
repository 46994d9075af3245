/** Draws background layers. */
import type { Color } from '@maplibre/maplibre-gl-style-spec';
import type { PaintContext, SceneLayer } from './painter.ts';
import { tintOf, type Tint } from './raster/pixels.ts';

export function drawBackground(
  { surface: { pixels }, clipToTile }: PaintContext,
  layer: SceneLayer,
): void {
  const tint = backgroundTint(layer);
  clipToTile(null);
  const { minY, maxY } = pixels.clip;
  for (let y = minY; y < maxY; y++) pixels.fillRow(y, 0, pixels.width, tint);
}

export function backgroundTint({ read }: Pick<SceneLayer, 'read'>): Tint {
  return tintOf(read<Color>('background-color')(), read<number>('background-opacity')());
}
