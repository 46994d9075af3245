/** The style of the workspace's map: the choropleth, territories in colors and patterns, and the selection. */
import type {
  ExpressionSpecification,
  FeatureIdentifier,
  FillLayerSpecification,
  LayerSpecification,
  LineLayerSpecification,
  Map as MapLibreMap,
  StyleSpecification,
  SymbolLayerSpecification,
} from 'maplibre-gl';
import { furnitureColors, loadBasemapStyle, scoreColors } from '../../../browser/map-view.ts';
import { addMapImage } from '../../../browser/map-image.ts';
import { choroplethStyle } from '../../../browser/zip-choropleth.ts';
import { isState, ON_ZIPS, stateOf, zipSource } from '../../../browser/zip-tiles.ts';
import { PATTERNS, type Pattern } from '../../../../../maps/cartography/territory-look.ts';

/**
 * Lowest zoom with patterns. At smaller scales, they are coarser than ZIP codes, and a tint marks changed ones, also
 * removed ones.
 */
const PATTERNS_MIN_ZOOM = 5.5;
const GRID_MIN_ZOOM = 6.5;
/**
 * Lowest zoom with outlines of single ZIP codes, as in the basemap's style. At smaller scales, they would take
 * most of the time of a frame: even invisible layers process all points of 33,000 boundaries.
 */
const EDGES_MIN_ZOOM = 5.5;

/**
 * Layers on ZIP codes that are alike in type, lowest zoom, and layout share the geometry that the map prepares
 * for each tile. That geometry is most of the work until a metro is painted, so all lines are alike, and so are
 * all plain fills and all fills with patterns.
 */
const EDGES = {
  ...ON_ZIPS,
  type: 'line',
  minzoom: EDGES_MIN_ZOOM,
  layout: { 'line-join': 'round', visibility: 'visible' },
} as const satisfies Partial<LineLayerSpecification>;
const PLAIN = {
  ...ON_ZIPS,
  type: 'fill',
  layout: { visibility: 'visible' },
} as const satisfies Partial<FillLayerSpecification>;
const PATTERNED = { ...PLAIN, minzoom: PATTERNS_MIN_ZOOM } as const;
/**
 * Smooth edges would draw each fill twice, with shader programs of their own, and show as seams between ZIP codes of
 * the same color.
 */
const WITHOUT_EDGES = { 'fill-antialias': false } as const;

/** Sources of GeoJSON that the map fills */
export const BORDERS = 'territory-borders';
export const NAMES = 'territory-names';

const EMPTY: GeoJSON.FeatureCollection = { type: 'FeatureCollection', features: [] };

export const zipFeature = (zip: string): FeatureIdentifier => ({
  source: 'zips',
  sourceLayer: 'zips',
  id: zip,
});

export async function workspaceStyle(frame: HTMLElement): Promise<StyleSpecification> {
  const basemap = await loadBasemapStyle(frame);
  const style = choroplethStyle(basemap, zipSource(frame));
  const { ink, quietInk, paper } = furnitureColors(basemap);
  const aboveFill = style.layers.findIndex(({ id }) => id === 'zip-fill') + 1;
  const firstName = style.layers.findIndex(({ type }) => type === 'symbol');
  return {
    ...style,
    sources: {
      ...style.sources,
      [BORDERS]: { type: 'geojson', data: EMPTY },
      [NAMES]: { type: 'geojson', data: EMPTY },
    },
    layers: [
      ...style.layers.slice(0, aboveFill).map(alike),
      ...territoryFills(scoreColors(basemap).opacity),
      SHARED_RING,
      gridLayer(quietInk),
      ...style.layers.slice(aboveFill, firstName).map(alike),
      ...outlineLayers(ink),
      ...selectionLayers(ink, paper),
      ...style.layers.slice(firstName),
      nameLayer(ink, paper),
    ],
  };
}

/** Returns a layer of the basemap's style with what the layers above have in common. */
function alike(layer: LayerSpecification): LayerSpecification {
  if (layer.id === 'zip-fill') return { ...layer, ...PLAIN } as FillLayerSpecification;
  if (layer.id === 'zip-outline') return { ...layer, ...EDGES } as LineLayerSpecification;
  return layer;
}

export const patternLayer = (pattern: Pattern) => `territory-${pattern}`;

/** The color of a ZIP code's territory, if it has one */
const territoryColor: ExpressionSpecification = ['to-color', stateOf('color'), 'rgba(0,0,0,0)'];

/** @param opacity as in pictures */
function territoryFills(opacity: number): LayerSpecification[] {
  const fill: FillLayerSpecification = {
    ...PLAIN,
    id: 'territory-fill',
    paint: {
      'fill-color': territoryColor,
      'fill-opacity': ['case', isState('pending'), opacity / 2, opacity],
      ...WITHOUT_EDGES,
    },
  };
  const patterns = PATTERNS.filter((pattern) => pattern !== null).map(
    (pattern): FillLayerSpecification => ({
      ...PATTERNED,
      id: patternLayer(pattern),
      paint: {
        'fill-pattern': pattern,
        'fill-opacity': patternOpacity(pattern, 1),
        ...WITHOUT_EDGES,
      },
    }),
  );
  return [fill, ...patterns];
}

/** A ring inside a ZIP code that several brands hold, in the color of the second one */
const SHARED_RING: LineLayerSpecification = {
  ...EDGES,
  id: 'zip-shared',
  paint: {
    'line-color': ['to-color', stateOf('other'), 'rgba(0,0,0,0)'],
    'line-width': ['interpolate', ['linear'], ['zoom'], EDGES_MIN_ZOOM, 0, 7, 2, 10, 6, 12, 10],
    // In vector tiles, the inside of a polygon is to the right of its outline.
    'line-offset': ['interpolate', ['linear'], ['zoom'], 7, 1, 10, 3, 12, 5],
  },
};

/** Patterns are fainter over a choropleth than over plain colors. */
export const patternOpacity = (pattern: Pattern, opacity: number): ExpressionSpecification => [
  'case',
  ['==', stateOf('pattern'), pattern],
  opacity,
  0,
];

const gridLayer = (color: string): LineLayerSpecification => ({
  ...EDGES,
  id: 'zip-grid',
  paint: {
    'line-color': color,
    'line-opacity': [
      'interpolate',
      ['linear'],
      ['zoom'],
      EDGES_MIN_ZOOM,
      0,
      GRID_MIN_ZOOM,
      0.2,
      8,
      0.45,
    ] as ExpressionSpecification,
    'line-width': 0.75,
  },
});

/** Width by zoom of the line on each side of an outline */
const outlineWidth = (times: number): ExpressionSpecification => [
  'interpolate',
  ['linear'],
  ['zoom'],
  4,
  0.75 * times,
  8,
  2 * times,
  12,
  3.5 * times,
];

/**
 * Outlines are lines. Over other colors, they also have a band on each side, in the color of the territory there.
 */
export const OUTLINE = 'territory-outline';
export const OUTLINE_SIDES = ['left', 'right'].map((side) => `${OUTLINE}-${side}`);
export const outlineLineWidth = (hasSides: boolean) => outlineWidth(hasSides ? 2.6 : 1);

function outlineLayers(ink: string): LineLayerSpecification[] {
  const side = (name: 'left' | 'right', direction: 1 | -1): LineLayerSpecification => ({
    id: `${OUTLINE}-${name}`,
    type: 'line',
    source: BORDERS,
    layout: { 'line-join': 'round', 'line-cap': 'round' },
    paint: {
      'line-color': ['to-color', stateOf(name), 'rgba(0,0,0,0)'],
      'line-width': outlineWidth(1),
      'line-offset': outlineWidth(direction / 2),
    },
  });
  const line: LineLayerSpecification = {
    id: OUTLINE,
    type: 'line',
    source: BORDERS,
    layout: { 'line-join': 'round', 'line-cap': 'round' },
    paint: {
      'line-color': ink,
      'line-width': outlineLineWidth(false),
      'line-opacity': ['case', isState('edge'), 1, 0],
    },
  };
  return [line, side('left', -1), side('right', 1)];
}

const selectionLayers = (
  ink: string,
  paper: string,
): (FillLayerSpecification | LineLayerSpecification)[] => [
  {
    ...PATTERNED,
    id: 'zip-planned',
    paint: {
      'fill-pattern': PLANNED_IMAGE,
      'fill-opacity': ['case', isState('planned'), 1, 0],
      ...WITHOUT_EDGES,
    },
  },
  {
    ...PATTERNED,
    id: 'zip-refused',
    paint: {
      'fill-pattern': REFUSED_IMAGE,
      'fill-opacity': ['case', isState('refused'), 1, 0],
      ...WITHOUT_EDGES,
    },
  },
  {
    ...PATTERNED,
    id: 'zip-removed',
    paint: {
      'fill-pattern': REMOVED_IMAGE,
      'fill-opacity': ['case', isState('removed'), 0.9, 0],
      ...WITHOUT_EDGES,
    },
  },
  {
    ...EDGES,
    id: 'zip-changed',
    paint: {
      'line-color': ink,
      'line-dasharray': [2, 1.5],
      'line-width': [
        'interpolate',
        ['linear'],
        ['zoom'],
        6,
        changedWidth(0.6),
        9,
        changedWidth(1.5),
        12,
        changedWidth(2.5),
      ] as ExpressionSpecification,
    },
  },
  {
    ...PLAIN,
    id: 'zip-selected',
    paint: {
      'fill-color': ink,
      'fill-opacity': [
        'step',
        ['zoom'],
        // Without outlines, a tint marks changed ZIP codes.
        ['case', isState('hovered'), 0.65, isState('selected'), 0.5, isState('changed'), 0.14, 0],
        EDGES_MIN_ZOOM,
        ['case', isState('selected'), 0.28, 0],
      ],
      ...WITHOUT_EDGES,
    },
  },
  // Either the light or the dark line is visible on each class.
  edgeLayer('zip-edge-halo', paper, 2.5),
  edgeLayer('zip-edge', ink, 1),
];

const edgeLayer = (id: string, color: string, times: number): LineLayerSpecification => ({
  ...EDGES,
  id,
  paint: {
    'line-color': color,
    'line-width': [
      'interpolate',
      ['linear'],
      ['zoom'],
      EDGES_MIN_ZOOM,
      edgeWidth(0.4 * times),
      7,
      edgeWidth(0.7 * times),
      10,
      edgeWidth(times),
    ] as ExpressionSpecification,
  },
});

const changedWidth = (px: number): ExpressionSpecification => ['case', isState('changed'), px, 0];

const edgeWidth = (times: number): ExpressionSpecification => [
  'case',
  isState('hovered'),
  3 * times,
  isState('selected'),
  2 * times,
  0,
];

const nameLayer = (ink: string, paper: string): SymbolLayerSpecification => ({
  id: 'territory-names',
  type: 'symbol',
  source: NAMES,
  layout: {
    'text-field': ['get', 'name'],
    'text-font': ['Noto Sans SemiBold'],
    'text-size': ['interpolate', ['linear'], ['zoom'], 5, 11, 9, 15, 12, 18],
    'text-max-width': 8,
    // Names move by up to three lines, because those of small neighbors would cover each other.
    'text-variable-anchor-offset': [
      'center',
      [0, 0],
      'bottom',
      [0, -0.6],
      'top',
      [0, 0.6],
      'left',
      [0.6, 0],
      'right',
      [-0.6, 0],
      'bottom',
      [0, -1.8],
      'top',
      [0, 1.8],
      'bottom',
      [0, -3],
      'top',
      [0, 3],
    ] as (string | [number, number])[],
    'text-justify': 'auto',
    'text-padding': 4,
    'symbol-sort-key': ['-', ['get', 'zips']],
  },
  paint: { 'text-color': ink, 'text-halo-color': paper, 'text-halo-width': 2 },
});

const REMOVED_IMAGE = 'zip-removed';

/** Crosses in a square of 12 pixels */
export const REMOVED_PATH = 'M3.5 3.5L8.5 8.5M3.5 8.5L8.5 3.5';
export const REMOVED_WIDTH = 1.25;

const REMOVED_PX = 12;

const PLANNED_IMAGE = 'zip-planned';

/** Broken diagonals, in a square of 10 pixels */
export const PLANNED_PATH = 'M1 9L4 6M6 4L9 1';
export const PLANNED_WIDTH = 1.5;

const PLANNED_PX = 10;

const REFUSED_IMAGE = 'zip-refused';

/** Crossing diagonals, which no pattern of a territory has, in a square of 8 pixels */
export const REFUSED_PATH = 'M0 0L8 8M0 8L8 0';
export const REFUSED_WIDTH = 1;

const REFUSED_PX = 8;

/** Draws the crosses and the hatching, which a new style lacks. */
export function addMarkImages(map: MapLibreMap): void {
  const { ink } = furnitureColors(map.getStyle());
  addMapImage(map, REFUSED_IMAGE, REFUSED_PX, (context) => {
    context.globalAlpha = 0.6;
    context.strokeStyle = ink;
    context.lineWidth = REFUSED_WIDTH;
    context.stroke(new Path2D(REFUSED_PATH));
  });
  addMapImage(map, PLANNED_IMAGE, PLANNED_PX, (context) => {
    context.strokeStyle = ink;
    context.lineCap = 'round';
    context.lineWidth = PLANNED_WIDTH;
    context.stroke(new Path2D(PLANNED_PATH));
  });
  addMapImage(map, REMOVED_IMAGE, REMOVED_PX, (context) => {
    context.globalAlpha = 0.5;
    context.strokeStyle = ink;
    context.lineCap = 'round';
    context.lineWidth = REMOVED_WIDTH;
    context.stroke(new Path2D(REMOVED_PATH));
  });
}
