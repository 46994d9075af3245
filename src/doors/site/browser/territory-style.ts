/** The style of territory maps: the basemap with ZIP codes styled by their feature state. */
import type {
  ExpressionSpecification,
  FillLayerSpecification,
  LayerSpecification,
  LineLayerSpecification,
  Map as MapLibreMap,
  StyleSpecification,
  SymbolLayerSpecification,
} from 'maplibre-gl';
import { find } from './dom.ts';
import { addMapImage } from './map-image.ts';
import { furnitureColors, loadBasemapStyle } from './map-view.ts';
import { isState, ON_ZIPS, stateOf, zipSource } from './zip-tiles.ts';

/** Names of the boolean states in the style */
type Flag = 'shared' | 'isolated' | 'selected' | 'hovered';

/** Lowest zoom with borders of free ZIP codes. At smaller scales, they would cover the map. */
const GRID_MIN_ZOOM = 7.5;
const MARKS_MIN_ZOOM = 7;

/** Width of an edge by zoom, as a share of its full width */
const EDGE_WIDTHS = [
  [4, 0.1],
  [6, 0.33],
  [10, 1],
] as const;

const is = (flag: Flag): ExpressionSpecification => isState(flag);
const not = (condition: ExpressionSpecification): ExpressionSpecification => ['!', condition];
const isHeld: ExpressionSpecification = ['!=', ['coalesce', stateOf('status'), ''], ''];

/** The condition for each mark. A ZIP code has at most one mark. */
const MARKS: Readonly<Record<string, ExpressionSpecification>> = {
  shared: is('shared'),
  isolated: ['all', is('isolated'), not(is('shared'))],
};

/** Returns the service's style with ZIP codes colored by their state instead of their score. */
export async function territoryStyle(frame: HTMLElement): Promise<StyleSpecification> {
  const style = await loadBasemapStyle(frame);
  const colors = furnitureColors(style);
  const layers = style.layers.map((layer) => withStates(layer));
  const aboveFill = layers.findIndex(({ id }) => id === 'zip-outline') + 1;
  const firstName = layers.findIndex(({ type }) => type === 'symbol');
  return {
    ...style,
    sources: { ...style.sources, zips: zipSource(frame) },
    layers: [
      ...layers.slice(0, aboveFill),
      gridLayer(colors.quietInk),
      ...layers.slice(aboveFill, firstName),
      ...edgeLayers(colors.ink),
      ...layers.slice(firstName),
      ...markLayers(),
    ],
  };
}

/** Makes a layer of the basemap read the status from the feature state. */
function withStates(layer: LayerSpecification): LayerSpecification {
  if (layer.id === 'zip-fill' && layer.type === 'fill') {
    const byState = replaceStatus(layer);
    const opacity = byState.paint?.['fill-opacity'] as ExpressionSpecification | number;
    return {
      ...byState,
      paint: { ...byState.paint, 'fill-opacity': ['case', isHeld, opacity, 0] },
    };
  }
  if (layer.id === 'zip-hatch' && layer.type === 'fill') {
    const isPending: ExpressionSpecification = ['==', stateOf('status'), 'pending'];
    const { filter: _filter, ...unfiltered } = layer;
    return { ...unfiltered, paint: { ...layer.paint, 'fill-opacity': ['case', isPending, 1, 0] } };
  }
  if (layer.id === 'zip-outline' && layer.type === 'line') {
    return { ...layer, paint: { ...layer.paint, 'line-opacity': ['case', isHeld, 1, 0] } };
  }
  if (layer.id === 'zip-names' && layer.type === 'symbol' && layer.paint) {
    return { ...layer, paint: replaceStatus(layer.paint) };
  }
  return layer;
}

/** Replaces `["get", "status"]` everywhere in a part of a style. */
function replaceStatus<T>(part: T): T {
  const text = JSON.stringify(part);
  const replaced = text.replaceAll(
    JSON.stringify(['get', 'status']),
    JSON.stringify(stateOf('status')),
  );
  return JSON.parse(replaced) as T;
}

const gridLayer = (color: string): LineLayerSpecification => ({
  ...ON_ZIPS,
  id: 'zip-grid',
  type: 'line',
  minzoom: GRID_MIN_ZOOM,
  paint: { 'line-color': color, 'line-opacity': 0.45, 'line-width': ['case', isHeld, 0, 0.75] },
});

function edgeLayers(ink: string): (FillLayerSpecification | LineLayerSpecification)[] {
  /** @param widths in pixels at full width. The first condition that is true applies */
  const edge = (
    id: string,
    widths: readonly [when: ExpressionSpecification, px: number][],
    more: LineLayerSpecification['paint'] = {},
  ): LineLayerSpecification => ({
    ...ON_ZIPS,
    id,
    type: 'line',
    layout: { 'line-join': 'round' },
    paint: {
      'line-color': ink,
      'line-width': [
        'interpolate',
        ['linear'],
        ['zoom'],
        ...EDGE_WIDTHS.flatMap(([zoom, part]) => [
          zoom,
          ['case', ...widths.flatMap(([when, px]) => [when, px * part]), 0],
        ]),
      ] as ExpressionSpecification,
      ...more,
    },
  });
  return [
    {
      ...ON_ZIPS,
      id: 'zip-selected',
      type: 'fill',
      paint: { 'fill-color': ink, 'fill-opacity': ['case', is('selected'), 0.24, 0] },
    },
    edge('zip-edge-broken', [[is('isolated'), 2.25]], { 'line-dasharray': [2, 1.5] }),
    edge('zip-edge', [
      [is('selected'), 3.5],
      [is('hovered'), 2],
      [is('shared'), 2.25],
    ]),
  ];
}

const markLayers = (): SymbolLayerSpecification[] =>
  Object.entries(MARKS).map(([mark, when]) => ({
    source: 'zips',
    'source-layer': 'zip-labels',
    id: `zip-${mark}`,
    type: 'symbol',
    minzoom: MARKS_MIN_ZOOM,
    layout: {
      'icon-image': mark,
      'icon-offset': [0, -15],
      'icon-allow-overlap': true,
      'icon-ignore-placement': true,
    },
    paint: { 'icon-opacity': ['case', when, 1, 0] },
  }));

const MARK_PX = 18;

/** Draws the legend's marks in the colors of the map. */
export function addMarkImages(map: MapLibreMap, frame: HTMLElement): void {
  const { paper, ink } = furnitureColors(map.getStyle());
  for (const mark of Object.keys(MARKS)) {
    const path = find(`#mark-${mark} path`, SVGPathElement, frame).getAttribute('d') ?? '';
    addMapImage(map, mark, MARK_PX, (context) => {
      context.fillStyle = paper;
      context.beginPath();
      context.arc(MARK_PX / 2, MARK_PX / 2, MARK_PX / 2, 0, 2 * Math.PI);
      context.fill();
      context.strokeStyle = ink;
      context.lineWidth = 1.75;
      context.stroke(new Path2D(path));
    });
  }
}
