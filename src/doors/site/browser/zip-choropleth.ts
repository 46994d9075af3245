/**
 * All ZIP codes of a map, colored by class. The tiles contain only shapes and names, so changing colors
 * needs no other tiles. The classes of the country are in the style: as feature states of 33,000 features,
 * each layer of each tile would loop over them on the page's own thread. The classes of a market are
 * feature states.
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
import { CHANGE_CLASSES, type ChangeClass } from '../../../data/vintages/classes.ts';
import {
  WHITE_SPACE_CLASSES,
  type WhiteSpaceClass,
} from '../../../territories/own-data/white-space.ts';
import {
  type BasemapStyle,
  furnitureColors,
  hasStyle,
  scoreColors,
  whiteSpaceColors,
  changeColors,
} from './map-view.ts';
import { classColors, classIn } from './zip-classes.ts';
import { stateOf } from './zip-tiles.ts';

/** The data that the colors of ZIP codes show */
export interface Shading {
  /** Classes of the country (`zip-classes.ts`), in fainter colors; empty for none */
  national: string;
  /** ZIP codes with a different class: 0 for the lowest to 4, `whiteSpaceShade`, or `changeShade`; null means in no class */
  own: ReadonlyMap<string, number | null>;
}

const NO_SHADING: Shading = { national: '', own: new Map() };

/** The alpha of fainter colors (one half), as the last digits of a color */
const FAINT = '80';

/** Values of the state `shade` for a ZIP code in no class, and for one without its own class */
const IN_NO_CLASS = -1;
const NOT_OWN = -2;

/** The classes of scores come first. */
const FIRST_WHITE_SPACE = 5;
export const whiteSpaceShade = (name: WhiteSpaceClass): number =>
  FIRST_WHITE_SPACE + WHITE_SPACE_CLASSES.indexOf(name);

/** Then those of white space */
const FIRST_CHANGE = FIRST_WHITE_SPACE + WHITE_SPACE_CLASSES.length;
export const changeShade = (name: ChangeClass): number =>
  FIRST_CHANGE + CHANGE_CLASSES.indexOf(name);

/** Layers of the basemap's style that show scores and statuses in properties of the tiles */
const BY_PROPERTY = new Set([
  'zip-hatch',
  'zip-planned',
  'zip-shared-edge',
  'zip-isolated-edge',
  'zip-broken-edge',
]);

/**
 * Returns a copy of the service's style with these tiles, colored by the feature states that
 * `createShading` sets.
 */
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
  const { opacity } = scoreColors(style);
  if (layer.id === 'zip-fill' && layer.type === 'fill') {
    return {
      ...layer,
      paint: {
        'fill-color': fillColor(style, NO_SHADING),
        'fill-opacity': opacity,
        // Otherwise, edges between ZIP codes of the same color would show as seams.
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

function fillColor(style: StyleSpecification, { national }: Shading): ExpressionSpecification {
  const { colors } = scoreColors(style);
  const faint = colors.map((color) => `${color}${FAINT}`);
  return [
    'step',
    ['coalesce', stateOf('shade'), NOT_OWN],
    classColors(national, faint),
    IN_NO_CLASS,
    'rgba(0,0,0,0)',
    ...colors.flatMap((color, i) => [i, color]),
    ...WHITE_SPACE_CLASSES.flatMap((name) => [
      whiteSpaceShade(name),
      whiteSpaceColors(style)[name],
    ]),
    ...CHANGE_CLASSES.flatMap((name) => [changeShade(name), changeColors(style)[name]]),
  ] as ExpressionSpecification;
}

/** Sets the classes of ZIP codes. Unless the style is new, updates only those that differ. */
export function createShading(map: MapLibreMap): {
  show(shading: Shading): void;
  /** Returns the class in which a ZIP code is shown; null for none. */
  classOf(zip: string): number | null;
} {
  let shown = NO_SHADING;
  const setState = (zip: string, shade: number | null) =>
    map.setFeatureState({ source: 'zips', sourceLayer: 'zips', id: zip }, { shade });
  const setOwn = (zip: string, own: number | null) => setState(zip, own ?? IN_NO_CLASS);
  const setNational = () =>
    map.setPaintProperty('zip-fill', 'fill-color', fillColor(map.getStyle(), shown));
  map.on('style.load', () => {
    if (shown.national !== '') setNational();
    for (const [zip, own] of shown.own) setOwn(zip, own);
  });
  return {
    show(next) {
      const before = shown;
      shown = next;
      if (!hasStyle(map)) return;
      if (next.national !== before.national) setNational();
      for (const zip of before.own.keys()) if (!next.own.has(zip)) setState(zip, null);
      for (const [zip, own] of next.own) if (before.own.get(zip) !== own) setOwn(zip, own);
    },
    classOf(zip) {
      const own = shown.own.get(zip);
      return own === undefined ? classIn(shown.national, zip) : own;
    },
  };
}
