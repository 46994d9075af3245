/** Sizes of texts and icons at the three zooms that placement needs. */
import type { CompiledLayer } from '../style/compiled-style.ts';
import { evaluate, propertyReader, type Value } from '../style/property-values.ts';
import type { StyleFeature } from '../style/style-feature.ts';

/** In CSS pixels for a text; relative to the image for an icon */
export interface SymbolSizes {
  /** At the zoom of the picture */
  drawn: number;
  /** At the next integer zoom, so that the label fits until then */
  collision: number;
  /** At zoom 18, so that anchors along lines are the same at all zooms */
  anchor: number;
}

type SizeProperty = 'text-size' | 'icon-size';

const ANCHOR_ZOOM = 18;

export function symbolSizes(
  layer: CompiledLayer,
  property: SizeProperty,
  zoom: number,
  tileZoom: number,
): (feature: StyleFeature) => SymbolSizes {
  const sizeAt = (at: number) => propertyReader(layer, at)<number>(property);
  const collision = sizeAt(tileZoom + 1);
  const anchor = sizeAt(ANCHOR_ZOOM);
  const drawn = drawnSize(layer, property, zoom, tileZoom);
  return (feature) => ({
    drawn: drawn(feature),
    collision: collision(feature),
    anchor: anchor(feature),
  });
}

function drawnSize(
  layer: CompiledLayer,
  property: SizeProperty,
  zoom: number,
  tileZoom: number,
): Value<number> {
  const expression = layer.properties.get(property)!;
  const sizeAt = (at: number) => propertyReader(layer, at)<number>(property);
  const size = sizeAt(zoom);
  if (expression.kind === 'camera') {
    // Never larger than the area that is kept free of other labels
    const sizePx = Math.min(size(), sizeAt(tileZoom + 1)());
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
