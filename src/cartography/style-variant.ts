/** A basemap style for one kind of picture: layers left out, never changed in place. */
import type { LayerSpecification, StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { paletteOf, withPalette } from '../basemap/palette.ts';

/** The sources of the territory itself; all others are basemap. */
const TERRITORY_SOURCES = new Set(['zips', 'zip-labels', 'zip-dots']);

export interface VariantOptions {
  /** The territory alone, in full colours over nothing */
  transparent?: boolean;
  /** Left out: true */
  labels?: boolean;
}

export function styleVariant(
  style: StyleSpecification,
  { transparent = false, labels = true }: VariantOptions,
): StyleSpecification {
  if (!transparent && labels) return style;
  const layers = style.layers
    .filter((layer) => labels || layer.type !== 'symbol')
    .filter((layer) => !transparent || isTerritory(layer));
  return transparent ? opaque({ ...style, layers }) : { ...style, layers };
}

function isTerritory(layer: LayerSpecification): boolean {
  return 'source' in layer && TERRITORY_SOURCES.has(layer.source as string);
}

/** There is no land to shine through: the legend shows the bare colours, and so does the map. */
function opaque(style: StyleSpecification): StyleSpecification {
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
