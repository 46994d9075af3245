/** Variants of a basemap style for pictures: without labels, the territory alone, or over imagery. */
import type { LayerSpecification, StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { inkLabels } from '../../data/basemap/label-inks.ts';
import { paletteOf, withPalette } from '../../data/basemap/palette.ts';

/** The sources of the territory. All others belong to the basemap. */
const TERRITORY_SOURCES = new Set([
  'zips',
  'zip-labels',
  'zip-dots',
  'patterns',
  'outlines',
  'outline-names',
]);

interface VariantOptions {
  /** Whether to draw only the territory, in opaque colors. Default: false */
  transparent?: boolean;
  /** Whether to draw labels. Default: true */
  labels?: boolean;
  /** Whether to draw the source `underlay` in place of land and water. Default: false */
  imagery?: boolean;
}

/** Returns a variant without changing the style. */
export function styleVariant(
  style: StyleSpecification,
  { transparent = false, labels = true, imagery = false }: VariantOptions,
): StyleSpecification {
  if (!transparent && labels && !imagery) return style;
  const layers = style.layers
    .filter((layer) => labels || layer.type !== 'symbol')
    .filter((layer) => !transparent || isTerritory(layer));
  if (transparent) return makeOpaque({ ...style, layers });
  return imagery ? overImagery({ ...style, layers }) : { ...style, layers };
}

function isTerritory(layer: LayerSpecification): boolean {
  return 'source' in layer && TERRITORY_SOURCES.has(layer.source as string);
}

/** Layers that imagery replaces */
const SHOWN_BY_IMAGERY = new Set([
  'land',
  'ocean',
  'lakes',
  'lake-shores-casing',
  'lake-shores',
  'rivers',
]);

/** Opacity of ZIP codes over imagery, 0 to 1 */
const OPACITY_OVER_IMAGERY = 0.6;

function overImagery(style: StyleSpecification): StyleSpecification {
  const changes: Readonly<Record<string, object>> = {
    'zip-fill': { 'fill-opacity': OPACITY_OVER_IMAGERY },
    // The faint halo would be invisible on imagery.
    'county-names': { 'text-halo-color': paletteOf(style)?.labelHalo, 'text-halo-width': 1.5 },
  };
  const [background, ...others] = style.layers
    .filter(({ id }) => !SHOWN_BY_IMAGERY.has(id))
    .map((layer) => {
      const paint = { ...layer.paint, ...changes[layer.id] };
      return { ...layer, paint } as LayerSpecification;
    });
  return {
    ...style,
    sources: { ...style.sources, underlay: { type: 'raster', tiles: [] } },
    layers: [background!, { id: 'underlay', type: 'raster', source: 'underlay' }, ...others],
  };
}

/** Makes fills opaque, in the style and its palette, because there is no land below them to blend with. */
function makeOpaque(style: StyleSpecification): StyleSpecification {
  const palette = paletteOf(style);
  if (palette === null) return style;
  const layers = style.layers.map((layer): LayerSpecification =>
    layer.type === 'fill' ? { ...layer, paint: { ...layer.paint, 'fill-opacity': 1 } } : layer,
  );
  return withPalette(inkLabels({ ...style, layers }), {
    ...palette,
    scores: { ...palette.scores, opacity: 1 },
  });
}
