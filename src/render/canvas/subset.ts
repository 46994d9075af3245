/**
 * The part of the style specification that the canvas engine draws: everything it does not name is
 * refused. `any` takes every value the specification allows, expressions included; a list takes
 * just these literal values.
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
  // Properties that show an image are refused where they stand.
  sprite: any,
  // Neither shows in a still picture seen from straight above.
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
    // How features are cut into tiles, and lines measured for gradients, changes nothing here.
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
    // For feature states, of which a still picture has none.
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

/** Operators that need what a still picture of plain features has not. */
export const REFUSED_OPERATORS = new Set(['within', 'distance', 'image']);

// With the map unturned and untilted, both anchors and all alignments mean the same.
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
      // MapLibre GL JS reads it and does nothing with it.
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
      // Says what happens to the text when its icon fits nowhere: there are no icons.
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
