/** The sizes of a layer's labels, which follow the zoom in three ways. */
import type { CompiledLayer } from '../compiled-style.ts';
import { propertiesAt, type StyleFeature, type Value } from '../values.ts';

/** CSS pixels */
export interface TextSizes {
  /** As drawn */
  drawn: number;
  /** At the end of the tile's zoom: labels keep free what they will need until there. */
  kept: number;
  /** At zoom 18, by which places along lines are chosen, so that they are the same at all zooms */
  anchored: number;
}

const ANCHORING_ZOOM = 18;

export function textSizes(
  layer: CompiledLayer,
  zoom: number,
  tileZoom: number,
): (feature: StyleFeature) => TextSizes {
  const kept = sizeAt(layer, tileZoom + 1);
  const anchored = sizeAt(layer, ANCHORING_ZOOM);
  const drawn = drawnSize(layer, zoom, tileZoom);
  return (feature) => ({
    drawn: drawn(feature),
    kept: kept(feature),
    anchored: anchored(feature),
  });
}

function sizeAt(layer: CompiledLayer, zoom: number): Value<number> {
  return propertiesAt(layer, zoom)<number>('text-size');
}

function drawnSize(layer: CompiledLayer, zoom: number, tileZoom: number): Value<number> {
  const expression = layer.properties.get('text-size')!;
  const now = sizeAt(layer, zoom);
  if (expression.kind === 'camera') {
    // Never larger than the room that is kept.
    const size = Math.min(now(), sizeAt(layer, tileZoom + 1)());
    return () => size;
  }
  if (expression.kind !== 'composite') return now;
  // A tile knows each feature's size at two stops around its zoom only.
  const stops = expression.zoomStops;
  const lower = stops.findLast((stop) => stop <= tileZoom) ?? stops[0]!;
  const upper = stops.find((stop) => stop >= tileZoom + 1 && stop >= lower) ?? stops.at(-1)!;
  const t =
    expression.interpolationType === undefined || lower === upper
      ? 0
      : Math.max(0, Math.min(1, expression.interpolationFactor(zoom, lower, upper)));
  const at = (stop: number, feature: StyleFeature | undefined) =>
    expression.evaluate({ zoom: stop }, feature as never, {}) as number;
  return (feature) => at(lower, feature) * (1 - t) + at(upper, feature) * t;
}
