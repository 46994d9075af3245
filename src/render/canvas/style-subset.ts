/** The part of the style specification that the canvas engine draws. Everything else is refused. */

/** Every value that the specification allows, expressions included; or only the listed literals. */
export type Allowed = 'any' | readonly unknown[];

type Subset = Readonly<Record<string, Allowed>>;

/** Accepts every value of properties. Takes their names, separated by spaces. */
function accept(names: string): Subset {
  return Object.fromEntries(names.split(' ').map((name) => [name, 'any']));
}

export const STYLE_SUBSET: Subset = {
  ...accept('version name metadata center zoom state sources layers glyphs'),
  // Properties that use the sprite's images are refused individually.
  ...accept('sprite'),
  // Neither affects a still picture seen from straight above.
  ...accept('transition light'),
  centerAltitude: [0],
  bearing: [0],
  pitch: [0],
  roll: [0],
  projection: [{ type: 'mercator' }],
};

export const SOURCE_SUBSETS: Readonly<Record<string, Subset>> = {
  geojson: {
    ...accept('type data attribution filter promoteId generateId'),
    // Options for tiling and line gradients, which have no effect here.
    ...accept('maxzoom buffer tolerance lineMetrics'),
    cluster: [false],
    ...accept('clusterRadius clusterMaxZoom clusterMinPoints clusterProperties'),
  },
  vector: {
    ...accept('type url tiles bounds scheme minzoom maxzoom attribution volatile'),
    // Only feature states use it, and a still picture has none.
    ...accept('promoteId'),
    encoding: ['mvt'],
    emptyResponse: ['blank'],
  },
};

export const LAYER_KEYS = new Set(
  'id type source source-layer minzoom maxzoom filter layout paint metadata interactive'.split(' '),
);

/** Operators that the engine does not implement */
export const REFUSED_OPERATORS = new Set(['within', 'distance', 'image']);

// Without rotation and pitch, all anchors and alignments are equivalent.
const anchor = ['map', 'viewport'];
const alignment = ['map', 'viewport', 'auto'];

export const LAYER_SUBSETS: Readonly<Record<string, { layout: Subset; paint: Subset }>> = {
  background: {
    layout: accept('visibility'),
    paint: accept('background-color background-opacity'),
  },
  fill: {
    layout: accept('visibility fill-sort-key'),
    paint: {
      ...accept('fill-antialias fill-color fill-opacity fill-outline-color fill-translate'),
      'fill-translate-anchor': anchor,
    },
  },
  line: {
    layout: {
      ...accept('visibility line-cap line-join line-miter-limit line-round-limit line-sort-key'),
    },
    paint: {
      ...accept('line-color line-opacity line-width line-gap-width line-offset line-blur'),
      ...accept('line-dasharray line-translate'),
      'line-translate-anchor': anchor,
    },
  },
  circle: {
    layout: accept('visibility circle-sort-key'),
    paint: {
      ...accept('circle-radius circle-blur circle-color circle-opacity circle-translate'),
      ...accept('circle-stroke-width circle-stroke-color circle-stroke-opacity'),
      'circle-translate-anchor': anchor,
      'circle-pitch-scale': anchor,
      'circle-pitch-alignment': anchor,
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
      // Concerns icons that do not fit; there are no icons.
      ...accept('text-optional'),
      'text-writing-mode': [['horizontal']],
      'text-pitch-alignment': alignment,
      'text-rotation-alignment': [...alignment, 'viewport-glyph'],
    },
    paint: {
      ...accept('text-color text-opacity text-halo-color text-halo-width text-halo-blur'),
      ...accept('text-translate'),
      'text-translate-anchor': anchor,
    },
  },
};
