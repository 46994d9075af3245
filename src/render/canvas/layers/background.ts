/** Draws background layers. */
import type { Color } from '@maplibre/maplibre-gl-style-spec';
import type { PaintContext, SceneLayer } from './painter.ts';
import { patternOf } from './pattern.ts';
import { tintOf, type Tint } from '../raster/ink.ts';

export function drawBackground(context: PaintContext, layer: SceneLayer): void {
  const { pixels } = context.surface;
  const tint = backgroundTint(layer);
  const pattern = patternOf(context, layer, 'background-pattern');
  const ink = pattern?.(undefined, null) ?? null;
  // A missing pattern isn't replaced by the color.
  if (pattern !== null && ink === null) return;
  const opacity = layer.read<number>('background-opacity')();
  context.clipToTile(pixels, null);
  const { minY, maxY } = pixels.clip;
  for (let y = minY; y < maxY; y++) {
    if (ink === null) pixels.fillRow(y, 0, pixels.width, tint);
    else pixels.fillRowWith(y, 0, pixels.width, ink, opacity);
  }
}

/** Whether it covers its area without letting anything through */
export function isOpaqueBackground(layer: SceneLayer): boolean {
  const { type, given } = layer.compiled;
  if (type !== 'background' || given.has('background-pattern')) return false;
  return backgroundTint(layer).alpha >= 1;
}

function backgroundTint({ read }: SceneLayer): Tint {
  return tintOf(read<Color>('background-color')(), read<number>('background-opacity')());
}
