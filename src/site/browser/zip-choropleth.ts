/**
 * All ZIP codes of a map, colored by class. The tiles contain only shapes and names; the class of each ZIP
 * code is a feature state, so other colors need no other tiles.
 *
 * A map with this style has the source `zips` with the layers `zips` and `zip-labels`, and the style layers
 * `zip-fill`, `zip-outline`, and `zip-names`.
 */
import type {
  ExpressionSpecification,
  LayerSpecification,
  Map as MapLibreMap,
  StyleSpecification,
  VectorSourceSpecification,
} from 'maplibre-gl';
import { type BasemapStyle, furnitureColors, scoreColors } from './map-view.ts';
import { isState, stateOf } from './zip-tiles.ts';

/** The color of a ZIP code */
export interface ZipShade {
  /** 0 for the lowest class to 4; null: in no class */
  shade: number | null;
  /** Whether the color is faint, for less important ZIP codes */
  isFaint?: boolean;
}

/** Opacity of faint ZIP codes, as a part of the usual one */
const FAINT = 0.5;

/** Layers of the basemap's style that show scores and statuses in properties of the tiles */
const BY_PROPERTY = new Set([
  'zip-hatch',
  'zip-shared-edge',
  'zip-isolated-edge',
  'zip-broken-edge',
]);

/** Returns a copy of the service's style with these tiles, colored by the states that `createShading` sets. */
export const choroplethStyle = (
  style: BasemapStyle,
  zips: VectorSourceSpecification,
): StyleSpecification => ({
  ...style,
  sources: { ...style.sources, zips },
  layers: style.layers
    .filter(({ id }) => !BY_PROPERTY.has(id))
    .map((layer) => byState(layer, style)),
});

function byState(layer: LayerSpecification, style: BasemapStyle): LayerSpecification {
  const { colors, opacity } = scoreColors(style);
  if (layer.id === 'zip-fill' && layer.type === 'fill') {
    const isShaded: ExpressionSpecification = ['>=', ['coalesce', stateOf('shade'), -1], 0];
    return {
      ...layer,
      paint: {
        'fill-color': [
          'step',
          ['coalesce', stateOf('shade'), 0],
          colors[0]!,
          ...colors.slice(1).flatMap((color, i) => [i + 1, color]),
        ] as ExpressionSpecification,
        'fill-opacity': ['case', isShaded, ['case', isState('faint'), FAINT * opacity, opacity], 0],
        // Edges between ZIP codes of one color would show as seams.
        'fill-antialias': false,
      },
    };
  }
  if (layer.id === 'zip-names' && layer.type === 'symbol') {
    const { ink, paper } = furnitureColors(style);
    return {
      ...layer,
      paint: { 'text-color': ink, 'text-halo-color': paper, 'text-halo-width': 1.4 },
    };
  }
  return layer;
}

/** Sets the classes of ZIP codes. Updates only those that differ, unless the style is new. */
export function createShading(map: MapLibreMap): {
  show(shades: ReadonlyMap<string, ZipShade>): void;
} {
  let shown: ReadonlyMap<string, ZipShade> = new Map();
  let isStyleLoaded = false;
  const setState = (zip: string, { shade, isFaint = false }: ZipShade) =>
    map.setFeatureState(
      { source: 'zips', sourceLayer: 'zips', id: zip },
      { shade, faint: isFaint },
    );
  map.on('style.load', () => {
    isStyleLoaded = true;
    for (const [zip, shade] of shown) setState(zip, shade);
  });
  return {
    show(shades) {
      const before = shown;
      shown = new Map(shades);
      if (!isStyleLoaded) return;
      for (const zip of before.keys()) if (!shown.has(zip)) setState(zip, { shade: null });
      for (const [zip, shade] of shown) {
        const old = before.get(zip);
        if (old?.shade !== shade.shade || old.isFaint !== shade.isFaint) setState(zip, shade);
      }
    },
  };
}
