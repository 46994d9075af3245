/**
 * The part of the style specification that the canvas engine draws. Everything else is refused. `any`
 * accepts every value that the specification allows, expressions included; a list accepts only its
 * literal values.
 */
const any = 'any';
export type Allowed = typeof any | readonly unknown[];

export interface LayerSubset {
  layout: Readonly<Record<string, Allowed>>;
  paint: Readonly<Record<string, Allowed>>;
}

export const STYLE_SUBSET: Readonly<Record<string, Allowed>> = {
  version: any,
  name: any,
  metadata: any,
  center: any,
  zoom: any,
  centerAltitude: [0],
  bearing: [0],
  pitch: [0],
  roll: [0],
  projection: [{ type: 'mercator' }],
  state: any,
  sources: any,
  layers: any,
  glyphs: any,
  // Properties that use its images are refused individually.
  sprite: any,
  // Neither affects a still picture seen from straight above.
  transition: any,
  light: any,
};

export const SOURCE_SUBSETS: Readonly<Record<string, Readonly<Record<string, Allowed>>>> = {
  geojson: {
    type: any,
    data: any,
    attribution: any,
    filter: any,
    promoteId: any,
    generateId: any,
    // Options of tiling and of line gradients, which have no effect here
    maxzoom: any,
    buffer: any,
    tolerance: any,
    lineMetrics: any,
    cluster: [false],
    clusterRadius: any,
    clusterMaxZoom: any,
    clusterMinPoints: any,
    clusterProperties: any,
  },
  vector: {
    type: any,
    url: any,
    tiles: any,
    bounds: any,
    scheme: any,
    minzoom: any,
    maxzoom: any,
    attribution: any,
    volatile: any,
    // Only feature states use it, and a still picture has none.
    promoteId: any,
    encoding: ['mvt'],
    emptyResponse: ['blank'],
  },
};

export const LAYER_KEYS = new Set([
  'id',
  'type',
  'source',
  'source-layer',
  'minzoom',
  'maxzoom',
  'filter',
  'layout',
  'paint',
  'metadata',
]);

/** Operators that the engine does not implement */
export const REFUSED_OPERATORS = new Set(['within', 'distance', 'image']);

// Without rotation and pitch, all anchors and alignments are equivalent.
const eitherAnchor = ['map', 'viewport'];
const eitherAlignment = ['map', 'viewport', 'auto'];

export const LAYER_SUBSETS: Readonly<Record<string, LayerSubset>> = {
  background: {
    layout: { visibility: any },
    paint: { 'background-color': any, 'background-opacity': any },
  },
  fill: {
    layout: { visibility: any, 'fill-sort-key': any },
    paint: {
      'fill-antialias': any,
      'fill-color': any,
      'fill-opacity': any,
      'fill-outline-color': any,
      'fill-translate': any,
      'fill-translate-anchor': eitherAnchor,
    },
  },
  line: {
    layout: {
      visibility: any,
      'line-cap': any,
      'line-join': any,
      'line-miter-limit': any,
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
    layout: { visibility: any, 'circle-sort-key': any },
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
      visibility: any,
      'symbol-placement': any,
      'symbol-spacing': any,
      'symbol-sort-key': any,
      'symbol-z-order': any,
      // MapLibre GL JS accepts it without effect.
      'symbol-avoid-edges': any,
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
      'text-overlap': any,
      'text-ignore-placement': any,
      'text-max-angle': any,
      'text-keep-upright': any,
      'text-rotate': any,
      'text-writing-mode': [['horizontal']],
      // Concerns icons that do not fit; there are no icons.
      'text-optional': any,
      'text-pitch-alignment': eitherAlignment,
      'text-rotation-alignment': [...eitherAlignment, 'viewport-glyph'],
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
