/** Text sizes at the three zooms that label placement needs. */
import type { CompiledLayer } from '../compiled-style.ts';
import { evaluate, propertyReader, type StyleFeature, type Value } from '../property-values.ts';

/** In CSS pixels */
export interface TextSizes {
  /** At the zoom of the picture */
  drawnPx: number;
  /** At the next integer zoom, so that the area suffices until then */
  collisionPx: number;
  /** At zoom 18, so that anchors along lines are the same at all zooms */
  anchorPx: number;
}

const ANCHOR_ZOOM = 18;

export function textSizes(
  layer: CompiledLayer,
  zoom: number,
  tileZoom: number,
): (feature: StyleFeature) => TextSizes {
  const collision = sizeAt(layer, tileZoom + 1);
  const anchor = sizeAt(layer, ANCHOR_ZOOM);
  const sizeOf = drawnSize(layer, zoom, tileZoom);
  return (feature) => ({
    drawnPx: sizeOf(feature),
    collisionPx: collision(feature),
    anchorPx: anchor(feature),
  });
}

function sizeAt(layer: CompiledLayer, zoom: number): Value<number> {
  return propertyReader(layer, zoom)<number>('text-size');
}

function drawnSize(layer: CompiledLayer, zoom: number, tileZoom: number): Value<number> {
  const expression = layer.properties.get('text-size')!;
  const size = sizeAt(layer, zoom);
  if (expression.kind === 'camera') {
    // Never larger than the area taken from other labels
    const sizePx = Math.min(size(), sizeAt(layer, tileZoom + 1)());
    return () => sizePx;
  }
  if (expression.kind !== 'composite') return size;
  // A tile stores each feature's size only at the two stops around its zoom.
  const stops = expression.zoomStops;
  const lower = stops.findLast((stop) => stop <= tileZoom) ?? stops[0]!;
  const upper = stops.find((stop) => stop >= tileZoom + 1 && stop >= lower) ?? stops.at(-1)!;
  const t =
    expression.interpolationType === undefined || lower === upper
      ? 0
      : Math.max(0, Math.min(1, expression.interpolationFactor(zoom, lower, upper)));
  const at = (stop: number, feature: StyleFeature | undefined) =>
    evaluate<number>(expression, { zoom: stop }, [], feature);
  return (feature) => at(lower, feature) * (1 - t) + at(upper, feature) * t;
}
