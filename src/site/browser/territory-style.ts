/** The style of territory maps: the basemap with ZIP codes drawn by their feature state. */
import type {
  ExpressionSpecification,
  FillLayerSpecification,
  LayerSpecification,
  LineLayerSpecification,
  Map as MapLibreMap,
  StyleSpecification,
  SymbolLayerSpecification,
} from 'maplibre-gl';
import { data, find } from './dom.ts';
import { escapeHtml, furnitureColors, loadBasemapStyle } from './map-view.ts';

/** Names of the boolean states in the style */
type Flag = 'shared' | 'isolated' | 'selected' | 'hovered';

/** Lowest zoom with borders of free ZIP codes. At smaller scales, they would cover the map. */
const GRID_MIN_ZOOM = 7.5;
const MARKS_MIN_ZOOM = 7;

/** Width of an edge by zoom, as a part of its full width */
const EDGE_WIDTHS = [
  [4, 0.1],
  [6, 0.33],
  [10, 1],
] as const;

const state = (name: string): ExpressionSpecification => ['feature-state', name];
const is = (flag: Flag): ExpressionSpecification => ['boolean', state(flag), false];
const not = (condition: ExpressionSpecification): ExpressionSpecification => ['!', condition];
const isHeld: ExpressionSpecification = ['!=', ['coalesce', state('status'), ''], ''];

/** The condition for each mark. A ZIP code has at most one. */
const MARKS: Readonly<Record<string, ExpressionSpecification>> = {
  shared: is('shared'),
  isolated: ['all', is('isolated'), not(is('shared'))],
};

/** Returns the service's style with ZIP codes colored by their state here instead of by score. */
export async function territoryStyle(frame: HTMLElement): Promise<StyleSpecification> {
  const [minzoom, maxzoom] = data(frame, 'tileZooms').split(' ').map(Number);
  const style = await loadBasemapStyle(frame);
  const colors = furnitureColors(style);
  const layers = style.layers.map((layer) => withStates(layer));
  const aboveFill = layers.findIndex(({ id }) => id === 'zip-outline') + 1;
  const firstName = layers.findIndex(({ type }) => type === 'symbol');
  return {
    ...style,
    sources: {
      ...style.sources,
      zips: {
        type: 'vector',
        tiles: [`${location.origin}${data(frame, 'tiles')}`],
        ...(minzoom !== undefined && { minzoom }),
        ...(maxzoom !== undefined && { maxzoom }),
        promoteId: 'zip',
        attribution: escapeHtml(data(frame, 'vintage')),
      },
    },
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

/** Makes a layer of the basemap read the status from the state of a feature. */
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
    const isPending: ExpressionSpecification = ['==', state('status'), 'pending'];
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
    JSON.stringify(state('status')),
  );
  return JSON.parse(replaced) as T;
}

const ON_ZIPS = { source: 'zips', 'source-layer': 'zips' } as const;

const gridLayer = (color: string): LineLayerSpecification => ({
  ...ON_ZIPS,
  id: 'zip-grid',
  type: 'line',
  minzoom: GRID_MIN_ZOOM,
  paint: {
    'line-color': color,
    'line-opacity': 0.45,
    'line-width': ['case', isHeld, 0, 0.75],
  },
});

function edgeLayers(ink: string): (FillLayerSpecification | LineLayerSpecification)[] {
  /** @param widths in pixels at full width; the first condition that holds decides */
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

const PIXEL_RATIO = 2;
const MARK_PX = 18;

/** Draws the legend's marks in the colors of the map. */
export function addMarkImages(map: MapLibreMap, frame: HTMLElement): void {
  const { paper, ink } = furnitureColors(map.getStyle());
  for (const mark of Object.keys(MARKS)) {
    const path = find(`#mark-${mark} path`, SVGPathElement, frame).getAttribute('d') ?? '';
    const image = drawImage(MARK_PX, (context) => {
      context.fillStyle = paper;
      context.beginPath();
      context.arc(MARK_PX / 2, MARK_PX / 2, MARK_PX / 2, 0, 2 * Math.PI);
      context.fill();
      context.strokeStyle = ink;
      context.lineWidth = 1.75;
      context.stroke(new Path2D(path));
    });
    map.addImage(mark, image, { pixelRatio: PIXEL_RATIO });
  }
}

function drawImage(sizePx: number, draw: (context: CanvasRenderingContext2D) => void): ImageData {
  const size = sizePx * PIXEL_RATIO;
  const canvas = document.createElement('canvas');
  canvas.width = size;
  canvas.height = size;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('The browser has no 2D canvas');
  context.scale(PIXEL_RATIO, PIXEL_RATIO);
  draw(context);
  return context.getImageData(0, 0, size, size);
}
