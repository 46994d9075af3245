/**
 * The layers of streets in our styles: those of Protomaps' styles, in the colors of the palette, around the layers of
 * ZIP codes. Fills of ZIP codes lie above land and below water and roads.
 */
import { layers as protomapsLayers } from '@protomaps/basemaps';
import type {
  ExpressionSpecification,
  LayerSpecification,
  StyleSpecification,
  SymbolLayerSpecification,
} from '@maplibre/maplibre-gl-style-spec';
import { ringOf, type Bbox } from '../../base/spatial/bbox.ts';
import { paletteOf } from './palette.ts';
import { paletteValues, type StyleName } from './styles.ts';
import { streetsFlavor, type StreetColors } from './streets-flavor.ts';

/** The source of all layers of streets */
export const STREETS = 'streets';

/** From this zoom, a map shows more of a city than highways. Maps of metros and states stay plain. */
export const STREETS_MIN_ZOOM = 10;

/** Lines and names that streets replace. Their fills cover ours. */
const REPLACED = new Set([
  'lake-shores-casing',
  'lake-shores',
  'rivers',
  'streets',
  'paths',
  'highways-casing',
  'interstates-casing',
  'highways',
  'interstates',
  'road-names',
  'landuse-names',
  'road-shields',
  'lake-names',
  'towns',
  'cities',
  'metropolises',
]);

/** Layers of Protomaps' styles that ours replace, and arrows and house numbers */
const UNUSED =
  /^(background|boundaries|roads_oneway|roads_shields|address_label|places_(region|country)|landcover)/;

type Group = 'ground' | 'above' | 'names' | 'localities';

function groupOf({ id, type }: LayerSpecification): Group {
  if (id === 'places_locality') return 'localities';
  if (type === 'symbol') return 'names';
  const isGround = /^(earth|landuse|buildings)/.test(id) || /runway|taxiway/.test(id);
  return isGround && !/pier/.test(id) ? 'ground' : 'above';
}

/** Inserts a group before a layer of the plain style. */
const PLACES: Readonly<Record<string, Group>> = {
  'nearby-zips': 'ground',
  'zip-outline': 'above',
  'nearby-zip-names': 'names',
  'state-names': 'localities',
};

const SCRIPTS = ['Latin', 'Cyrillic', 'Greek'];

/** In English, or else in the local language. A name in a script that our fonts lack is left out. */
const NAME: ExpressionSpecification = [
  'coalesce',
  ['get', 'name:en'],
  [
    'case',
    ['in', ['coalesce', ['get', 'script'], 'Latin'], ['literal', SCRIPTS]],
    ['coalesce', ['get', 'name'], ''],
    '',
  ],
];

/** Engines compile a style once, so that pictures over streets share one. */
const forPictures = new WeakMap<StyleSpecification, StyleSpecification>();

/**
 * Returns a style for pictures with streets, which show nothing without tiles. It has no outlines of lakes, since streets
 * have the exact ones.
 *
 * @param style all callers share it and its result: treat both as read-only
 */
export function withStreets(style: StyleSpecification, name: StyleName): StyleSpecification {
  let made = forPictures.get(style);
  if (made === undefined) {
    const added = addStreets(style, name);
    made = { ...added, layers: added.layers.filter(({ id }) => !id.startsWith('lake-shores')) };
    forPictures.set(style, made);
  }
  return made;
}

function addStreets(style: StyleSpecification, name: StyleName): StyleSpecification {
  const { streetColors } = paletteValues(name) as unknown as { streetColors: StreetColors };
  const groups = streetGroups(style, streetColors);
  const layers = style.layers.flatMap((layer) => [
    ...(groups[PLACES[layer.id]!] ?? []),
    overStreets(layer, streetColors),
  ]);
  const sources = { ...style.sources, [STREETS]: { type: 'vector' as const, tiles: [] } };
  return { ...style, sources, layers };
}

/**
 * Adds streets to a style for browsers, where they take the place of the plain layers from `STREETS_MIN_ZOOM` on, within
 * the bounds of the archive. Elsewhere, the map stays plain.
 */
export function withStreetsIn(
  style: StyleSpecification,
  name: StyleName,
  { bounds, sourceLayers }: { bounds: Bbox; sourceLayers: readonly string[] },
): StyleSpecification {
  const added = addStreets(style, name);
  const box = { type: 'Polygon', coordinates: [ringOf(bounds)] };
  const layers = added.layers.flatMap((layer): LayerSpecification | [] => {
    if ('source' in layer && layer.source === STREETS) {
      // Browsers report layers that the tiles lack.
      if (!sourceLayers.includes(layer['source-layer']!)) return [];
      return { ...layer, minzoom: Math.max(layer.minzoom ?? 0, STREETS_MIN_ZOOM) };
    }
    if (!REPLACED.has(layer.id)) return layer;
    // `within` knows no areas.
    const isOutside = layer.id.startsWith('lake-shores')
      ? ['>', ['distance', box], 0]
      : ['!', ['within', box]];
    const filter = ['any', ['<', ['zoom'], STREETS_MIN_ZOOM], isOutside];
    const own = 'filter' in layer ? layer.filter : undefined;
    return { ...layer, filter: own ? ['all', own, filter] : filter } as LayerSpecification;
  });
  return { ...added, layers };
}

function streetGroups(
  style: StyleSpecification,
  streetColors: StreetColors,
): Partial<Record<Group, LayerSpecification[]>> {
  const palette = paletteOf(style)!;
  const flavor = streetsFlavor(palette, streetColors);
  const all = protomapsLayers(STREETS, flavor, { lang: 'en' })
    .filter(({ id }) => !UNUSED.test(id))
    .map((layer) => (layer.type === 'symbol' ? withName(layer) : layer));
  const shields = style.layers.find(({ id }) => id === 'road-shields') as SymbolLayerSpecification;
  const groups: Partial<Record<Group, LayerSpecification[]>> = {};
  for (const layer of [
    ...all,
    parkNames(streetColors.parkName, palette.labelHalo),
    shieldLayer(shields),
  ]) {
    (groups[groupOf(layer)] ??= []).push(layer);
  }
  return groups;
}

/** White outlines would look like roads, and thin halos let roads cross the names. */
function overStreets(layer: LayerSpecification, { outline }: StreetColors): LayerSpecification {
  const fromStreets = (plain: unknown, streets: unknown) => [
    'step',
    ['zoom'],
    plain,
    STREETS_MIN_ZOOM,
    streets,
  ];
  const { 'line-color': color, 'text-halo-width': halo } = (layer.paint ?? {}) as Record<
    string,
    unknown
  >;
  const changes: Readonly<Record<string, object>> = {
    'zip-outline': { 'line-color': fromStreets(color, outline) },
    'zip-names': { 'text-halo-width': fromStreets(halo, 2.2) },
  };
  return { ...layer, paint: { ...layer.paint, ...changes[layer.id] } } as LayerSpecification;
}

/** Names in one language, without the images of Protomaps' sprite */
function withName(layer: SymbolLayerSpecification): SymbolLayerSpecification {
  const { 'icon-image': _icon, 'icon-size': _size, ...layout } = layer.layout ?? {};
  return { ...layer, layout: { ...layout, 'text-field': NAME } };
}

/** The schema has the names of parks among its points of interest. */
const parkNames = (color: string, halo: string): SymbolLayerSpecification => ({
  id: 'park_names',
  type: 'symbol',
  source: STREETS,
  'source-layer': 'pois',
  minzoom: 11,
  filter: [
    'all',
    [
      'in',
      ['get', 'kind'],
      ['literal', ['park', 'national_park', 'nature_reserve', 'forest', 'golf_course', 'cemetery']],
    ],
    ['>=', ['zoom'], ['get', 'min_zoom']],
  ],
  layout: {
    'symbol-sort-key': ['get', 'min_zoom'],
    'text-field': NAME,
    'text-font': ['Noto Sans Italic'],
    'text-size': ['interpolate', ['linear'], ['zoom'], 11, 9.5, 15, 12],
    'text-max-width': 7,
    'text-padding': 4,
  },
  paint: { 'text-color': color, 'text-halo-color': halo, 'text-halo-width': 1.2 },
});

/** `US:I` for interstates, `US` or `US:US` for US highways, such as `US:TX` for state routes */
const NETWORK: ExpressionSpecification = ['coalesce', ['get', 'network'], ''];

/** @param shields of the plain style */
function shieldLayer(shields: SymbolLayerSpecification): SymbolLayerSpecification {
  const color = shields.paint?.['text-color'] as unknown as unknown[];
  const [interstate, usHighway] = color.slice(-2) as [string, string];
  const { minzoom: _minzoom, ...layer } = shields;
  return {
    ...layer,
    id: 'street_shields',
    source: STREETS,
    'source-layer': 'roads',
    filter: [
      'all',
      ['in', ['get', 'kind'], ['literal', ['highway', 'major_road']]],
      ['any', ['==', NETWORK, 'US'], ['==', ['slice', NETWORK, 0, 3], 'US:']],
      ['has', 'shield_text'],
      ['<=', ['length', ['get', 'shield_text']], 4],
      // Routes without signs
      ['!=', ['slice', ['get', 'shield_text'], -1], 'U'],
    ],
    layout: {
      ...shields.layout,
      'icon-image': [
        'match',
        NETWORK,
        'US:I',
        'interstate',
        ['US', 'US:US'],
        'us-highway',
        'state-route',
      ] as ExpressionSpecification,
      'text-field': ['get', 'shield_text'],
    },
    paint: { ...shields.paint, 'text-color': ['match', NETWORK, 'US:I', interstate, usHighway] },
  };
}
