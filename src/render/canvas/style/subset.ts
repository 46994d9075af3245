/**
 * The part of the style specification that the canvas engine draws. The rest of the specification is refused.
 * Other members describe a style or serve its editor, and are ignored.
 */

/** Every value that the specification allows, expressions included; or only the listed literals. */
type Allowed = 'any' | readonly unknown[];

export type Subset = Readonly<Record<string, Allowed>>;

interface LayerSubset {
  layout: Subset;
  paint: Subset;
}

/** Accepts every value of properties. Takes their names, separated by spaces. */
function accept(names: string): Subset {
  return Object.fromEntries(names.split(' ').map((name) => [name, 'any']));
}

export const STYLE_SUBSET: Subset = {
  ...accept('version name metadata center zoom bearing pitch roll state sources layers glyphs'),
  ...accept('sprite light sky'),
  // Transitions animate changes, and a picture is still.
  ...accept('transition'),
  centerAltitude: [0],
  projection: [{ type: 'mercator' }],
};

export const LAYER_MEMBERS: Subset = {
  ...accept('id type source source-layer minzoom maxzoom filter layout paint metadata'),
};

/** Members of Mapbox's specification, and of earlier ones, with which a picture would look different */
export const FOREIGN_MEMBERS = {
  style: new Set('fog lights imports models camera color-theme rain snow iconsets'.split(' ')),
  layer: new Set(['ref', 'appearances']),
};

/** By source type */
export const SOURCE_SUBSETS: Readonly<Record<string, Subset>> = {
  geojson: {
    ...accept('type data attribution filter promoteId generateId'),
    ...accept('maxzoom buffer tolerance lineMetrics cluster'),
    ...accept('clusterRadius clusterMaxZoom clusterMinPoints clusterProperties'),
  },
  vector: {
    ...accept('type url tiles bounds scheme minzoom maxzoom attribution volatile'),
    // Only feature states use it, and a still picture has none.
    ...accept('promoteId'),
    encoding: ['mvt'],
    emptyResponse: ['blank'],
  },
  raster: {
    ...accept('type url tiles bounds scheme minzoom maxzoom tileSize attribution volatile'),
    emptyResponse: ['blank'],
  },
  'raster-dem': {
    ...accept('type url tiles bounds minzoom maxzoom tileSize attribution volatile'),
    ...accept('encoding redFactor greenFactor blueFactor baseShift'),
    emptyResponse: ['blank'],
  },
  image: accept('type url coordinates'),
};

/** By layer type */
export const LAYER_SUBSETS: Readonly<Record<string, LayerSubset>> = {
  background: {
    layout: accept('visibility'),
    paint: accept('background-color background-opacity background-pattern'),
  },
  circle: {
    layout: accept('visibility circle-sort-key'),
    paint: {
      ...accept('circle-radius circle-blur circle-color circle-opacity circle-translate'),
      ...accept('circle-stroke-width circle-stroke-color circle-stroke-opacity'),
      ...accept('circle-translate-anchor circle-pitch-scale circle-pitch-alignment'),
    },
  },
  'color-relief': {
    layout: accept('visibility'),
    paint: accept('color-relief-color color-relief-opacity resampling'),
  },
  fill: {
    layout: accept('visibility fill-sort-key'),
    paint: {
      ...accept('fill-layer-opacity fill-pattern'),
      'fill-layer-blend': ['normal'],
      ...accept('fill-antialias fill-color fill-opacity fill-outline-color fill-translate'),
      ...accept('fill-translate-anchor'),
    },
  },
  'fill-extrusion': {
    layout: { ...accept('visibility'), 'fill-extrusion-rounded-corner-distance': [0] },
    paint: {
      ...accept('fill-extrusion-color fill-extrusion-opacity fill-extrusion-translate'),
      ...accept('fill-extrusion-pattern'),
      ...accept('fill-extrusion-height fill-extrusion-base fill-extrusion-vertical-gradient'),
      ...accept('fill-extrusion-translate-anchor'),
    },
  },
  heatmap: {
    layout: accept('visibility'),
    paint: accept('heatmap-color heatmap-intensity heatmap-opacity heatmap-radius heatmap-weight'),
  },
  hillshade: {
    layout: accept('visibility'),
    paint: {
      ...accept('hillshade-illumination-direction hillshade-illumination-altitude'),
      ...accept('hillshade-illumination-anchor hillshade-exaggeration hillshade-shadow-color'),
      ...accept('hillshade-highlight-color hillshade-accent-color hillshade-method resampling'),
    },
  },
  line: {
    layout: accept('visibility line-cap line-join line-miter-limit line-round-limit line-sort-key'),
    paint: {
      ...accept('line-layer-opacity line-pattern'),
      'line-layer-blend': ['normal'],
      ...accept('line-color line-opacity line-width line-gap-width line-offset line-blur'),
      ...accept('line-dasharray line-gradient line-translate'),
      ...accept('line-translate-anchor'),
    },
  },
  raster: {
    layout: accept('visibility'),
    paint: {
      ...accept('raster-opacity raster-hue-rotate raster-brightness-min raster-brightness-max'),
      ...accept('raster-saturation raster-contrast raster-resampling resampling'),
      // Applies to tiles that load one after another.
      ...accept('raster-fade-duration'),
      'raster-layer-blend': ['normal'],
    },
  },
  symbol: {
    layout: {
      ...accept('visibility symbol-placement symbol-spacing symbol-sort-key symbol-z-order'),
      ...accept('text-field text-font text-size text-transform text-letter-spacing'),
      ...accept('text-max-width text-line-height text-justify text-anchor text-variable-anchor'),
      ...accept('text-variable-anchor-offset text-radial-offset text-offset text-padding'),
      ...accept('text-allow-overlap text-overlap text-ignore-placement'),
      ...accept('text-max-angle text-keep-upright text-rotate'),
      // MapLibre GL JS accepts it without effect.
      ...accept('symbol-avoid-edges'),
      ...accept(
        'text-optional icon-image icon-size icon-rotate icon-offset icon-anchor icon-padding',
      ),
      ...accept('icon-allow-overlap icon-overlap icon-ignore-placement icon-optional'),
      ...accept('icon-text-fit icon-text-fit-padding icon-keep-upright'),
      ...accept('icon-rotation-alignment icon-pitch-alignment'),
      ...accept('text-writing-mode'),
      ...accept('text-rotation-alignment text-pitch-alignment'),
    },
    paint: {
      ...accept('text-color text-opacity text-halo-color text-halo-width text-halo-blur'),
      ...accept('icon-color icon-opacity icon-halo-color icon-halo-width icon-halo-blur'),
      ...accept('text-translate icon-translate'),
      ...accept('text-translate-anchor icon-translate-anchor'),
    },
  },
};
