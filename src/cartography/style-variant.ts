/** Variants of a basemap style for pictures: without labels, or the territory alone. */
import type { LayerSpecification, StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { paletteOf, withPalette } from '../basemap/palette.ts';

/** The sources of the territory; all others are basemap. */
const TERRITORY_SOURCES = new Set(['zips', 'zip-labels', 'zip-dots']);

export interface VariantOptions {
  /** Whether to draw only the territory, in opaque colors. Default: false */
  transparent?: boolean;
  /** Whether to draw labels. Default: true */
  labels?: boolean;
}

/** Returns a variant without changing the style. */
export function styleVariant(
  style: StyleSpecification,
  { transparent = false, labels = true }: VariantOptions,
): StyleSpecification {
  if (!transparent && labels) return style;
  const layers = style.layers
    .filter((layer) => labels || layer.type !== 'symbol')
    .filter((layer) => !transparent || isTerritory(layer));
  return transparent ? makeOpaque({ ...style, layers }) : { ...style, layers };
}

function isTerritory(layer: LayerSpecification): boolean {
  return 'source' in layer && TERRITORY_SOURCES.has(layer.source as string);
}

/** Makes fills opaque, in the style and in its palette: there is no land below to blend with. */
function makeOpaque(style: StyleSpecification): StyleSpecification {
  const palette = paletteOf(style);
  if (palette === null) return style;
  const layers = style.layers.map((layer): LayerSpecification =>
    layer.type === 'fill' ? { ...layer, paint: { ...layer.paint, 'fill-opacity': 1 } } : layer,
  );
  return withPalette(
    { ...style, layers },
    { ...palette, scores: { ...palette.scores, opacity: 1 } },
  );
}
