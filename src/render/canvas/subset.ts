/**
 * The part of the style specification that the canvas engine draws: everything it does not name is
 * refused. `any` takes every value the specification allows, expressions included; a list takes
 * just these literal values.
 */
const any = 'any';
type Allowed = typeof any | readonly unknown[];

export interface LayerSubset {
  layout: Readonly<Record<string, Allowed>>;
  paint: Readonly<Record<string, Allowed>>;
}

export const STYLE_KEYS = new Set([
  'version',
  'name',
  'metadata',
  'center',
  'zoom',
  'sources',
  'layers',
  'glyphs',
  // Neither shows in a still picture seen from straight above.
  'transition',
  'light',
]);

/** The tiling options change nothing: a still picture has no tiles. */
export const SOURCE_KEYS = new Set([
  'type',
  'data',
  'attribution',
  'maxzoom',
  'buffer',
  'tolerance',
]);

export const LAYER_KEYS = new Set([
  'id',
  'type',
  'source',
  'minzoom',
  'maxzoom',
  'filter',
  'layout',
  'paint',
  'metadata',
]);

/** Operators that need what a still picture of plain features has not. */
export const REFUSED_OPERATORS = new Set(['within', 'distance', 'image', 'global-state']);

const visibility = ['visible', 'none'];
// With the map unturned and untilted, both anchors and all alignments mean the same.
const eitherAnchor = ['map', 'viewport'];
const eitherAlignment = ['map', 'viewport', 'auto'];

export const LAYER_SUBSETS: Readonly<Record<string, LayerSubset>> = {
  background: {
    layout: { visibility },
    paint: { 'background-color': any, 'background-opacity': any },
  },
  fill: {
    layout: { visibility, 'fill-sort-key': any },
    paint: {
      // Skia smooths every edge; jagged ones cannot be asked of it.
      'fill-antialias': [true],
      'fill-color': any,
      'fill-opacity': any,
      'fill-outline-color': any,
      'fill-translate': any,
      'fill-translate-anchor': eitherAnchor,
    },
  },
  line: {
    layout: {
      visibility,
      'line-cap': any,
      'line-join': any,
      'line-miter-limit': any,
      // Below its limit MapLibre replaces a round join by a mitre: too blunt an angle to tell.
      'line-round-limit': any,
      'line-sort-key': any,
    },
    paint: {
      'line-color': any,
      'line-opacity': any,
      'line-width': any,
      'line-gap-width': any,
      'line-offset': any,
      'line-blur': any,
      'line-dasharray': any,
      'line-translate': any,
      'line-translate-anchor': eitherAnchor,
    },
  },
  circle: {
    layout: { visibility, 'circle-sort-key': any },
    paint: {
      'circle-radius': any,
      'circle-blur': any,
      'circle-color': any,
      'circle-opacity': any,
      'circle-stroke-width': any,
      'circle-stroke-color': any,
      'circle-stroke-opacity': any,
      'circle-translate': any,
      'circle-translate-anchor': eitherAnchor,
      'circle-pitch-scale': eitherAnchor,
      'circle-pitch-alignment': eitherAnchor,
    },
  },
  symbol: {
    layout: {
      visibility,
      'symbol-placement': any,
      'symbol-spacing': any,
      'symbol-sort-key': any,
      'symbol-z-order': ['auto', 'source'],
      'text-field': any,
      'text-font': any,
      'text-size': any,
      'text-max-width': any,
      'text-line-height': any,
      'text-letter-spacing': any,
      'text-justify': any,
      'text-anchor': any,
      'text-variable-anchor': any,
      'text-variable-anchor-offset': any,
      'text-radial-offset': any,
      'text-offset': any,
      'text-transform': any,
      'text-padding': any,
      'text-allow-overlap': any,
      'text-overlap': ['never', 'always'],
      'text-ignore-placement': any,
      'text-max-angle': any,
      'text-keep-upright': any,
      'text-rotate': any,
      // Says what happens to the text when its icon fits nowhere: there are no icons.
      'text-optional': any,
      'text-pitch-alignment': eitherAlignment,
      'text-rotation-alignment': eitherAlignment,
    },
    paint: {
      'text-color': any,
      'text-opacity': any,
      'text-halo-color': any,
      'text-halo-width': any,
      'text-halo-blur': any,
      'text-translate': any,
      'text-translate-anchor': eitherAnchor,
    },
  },
};
