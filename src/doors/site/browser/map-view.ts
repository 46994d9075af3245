/**
 * MapLibre GL maps over the service's own basemap, for share pages and the account area. A map is in
 * a frame, an element with
 *
 *   data-maplibre       URL of the MapLibre GL module
 *   data-api            path of the API root
 *   data-style-version  version of the service's styles. Without it, the browser revalidates the style
 *   data-bbox           initial extent: west, south, east, north
 *   data-shown          set here: `map` once the map is drawn
 *   .map                the element that becomes the map
 */
import type * as maplibre from 'maplibre-gl';
import type {
  CameraOptions,
  IControl,
  Map as MapLibreMap,
  Popup,
  StyleSpecification,
} from 'maplibre-gl';
import type { Pin } from '../../../maps/cartography/place-pins.ts';
import { isBusy, RETRIES_MS } from './busy.ts';
import { data, find } from './dom.ts';
import { pinsOn, stylePins } from './place-pins.ts';
import type { ChangeClass } from '../../../data/vintages/classes.ts';
import type { WhiteSpaceClass } from '../../../territories/own-data/white-space.ts';

export type MapLibre = typeof maplibre;

/** West, south, east, north */
export type Bbox = readonly [number, number, number, number];

/** A line of a card: its text and its CSS class */
export type CardLine = readonly [text: string, kind?: string];

export const DARK = matchMedia('(prefers-color-scheme: dark)');
export const STILL = matchMedia('(prefers-reduced-motion: reduce)');
export const NARROW = matchMedia('(max-width: 900px)');

/** Narrower maps show the attribution behind a button, because it would take two lines. */
const MIN_ATTRIBUTION_WIDTH_PX = 900;

/**
 * Moves a URL of the service to this page's origin, because the page may be open under a different host
 * name.
 */
function onThisOrigin(url: string): string {
  const { pathname, search } = new URL(url, location.href);
  return location.origin + decodeURI(pathname) + search;
}

/** The status of a response isn't a success */
export class StatusError extends Error {
  readonly status: number;

  constructor(url: string, status: number) {
    super(`${url} returned status ${status}`);
    this.status = status;
  }
}

/** @throws StatusError */
export async function fetchOk(url: string): Promise<Response> {
  const response = await fetch(url);
  if (!response.ok) throw new StatusError(url, response.status);
  return response;
}

/** @throws StatusError */
export async function fetchJson<T>(url: string): Promise<T> {
  const response = await fetchOk(url);
  return (await response.json()) as T;
}

/** Escapes text for a map's attribution, which is HTML. */
export function escapeHtml(text: string): string {
  const element = document.createElement('i');
  element.textContent = text;
  return element.innerHTML;
}

/** The service's style documents contain the palette of the maps as metadata. */
export interface BasemapStyle extends StyleSpecification {
  metadata: {
    'territory:palette': {
      furniture: Record<'ink' | 'quietInk' | 'paper', string>;
      scores: { colors: readonly string[]; noData: string; opacity: number };
      whiteSpace: Readonly<Record<WhiteSpaceClass, string>>;
      changes: Readonly<Record<ChangeClass, string>>;
    };
  };
}

/**
 * Returns the service's style in the reader's color scheme.
 * @param vertical slug of the vertical whose scores color the ZIP codes. Default: the service's default
 */
export function loadBasemapStyle(frame: HTMLElement, vertical?: string): Promise<BasemapStyle> {
  const name = DARK.matches ? 'dark' : 'light';
  const { styleVersion } = frame.dataset;
  const query = new URLSearchParams({
    ...(vertical !== undefined && { vertical }),
    ...(styleVersion !== undefined && { v: styleVersion }),
  });
  return fetchJson(`${data(frame, 'api')}/styles/${name}.json?${query}`);
}

export const furnitureColors = (style: StyleSpecification) =>
  (style as BasemapStyle).metadata['territory:palette'].furniture;

export const scoreColors = (style: StyleSpecification) =>
  (style as BasemapStyle).metadata['territory:palette'].scores;

export const whiteSpaceColors = (style: StyleSpecification) =>
  (style as BasemapStyle).metadata['territory:palette'].whiteSpace;

export const changeColors = (style: StyleSpecification) =>
  (style as BasemapStyle).metadata['territory:palette'].changes;

export const toBounds = ([west, south, east, north]: Bbox): [
  [number, number],
  [number, number],
] => [
  [west, south],
  [east, north],
];

/** Reads a bbox from an attribute: four numbers separated by spaces. */
export function parseBbox(text: string): Bbox {
  const [west, south, east, north] = text.split(' ').map(Number);
  if (west === undefined || south === undefined || east === undefined || north === undefined) {
    throw new Error(`Not a bbox: ${text}`);
  }
  return [west, south, east, north];
}

interface MapView {
  /** Creates the style. It's called again when the reader's color scheme changes. */
  style(): Promise<StyleSpecification>;
  /** Returns the camera that shows everything. */
  camera(map: MapLibreMap): CameraOptions | undefined;
  /** Returns the initial camera. */
  start(map: MapLibreMap): CameraOptions | undefined;
  /** Label of the map for screen readers */
  label: string;
  /** Whether the page scrolls over the map. Zooming and panning then need a key or two fingers. */
  cooperative: boolean;
  /** Label of the button that shows everything. Default: `Show the whole territory` */
  showAllLabel?: string;
  /** Whether it shows places. Default: false */
  hasPins?: boolean;
}

interface OpenMap {
  maplibregl: MapLibre;
  map: MapLibreMap;
  /** Shows these places and no others, if the map has pins */
  showPins(pins: readonly Pin[]): void;
}

export async function openMap(
  frame: HTMLElement,
  { style: makePlainStyle, camera, start, label, cooperative, showAllLabel, hasPins }: MapView,
): Promise<OpenMap> {
  const makeStyle = hasPins ? async () => stylePins(await makePlainStyle()) : makePlainStyle;
  const [maplibregl, style] = await Promise.all([
    import(data(frame, 'maplibre')) as Promise<MapLibre>,
    makeStyle(),
  ]);
  const isNarrow = frame.clientWidth < MIN_ATTRIBUTION_WIDTH_PX;
  const map = new maplibregl.Map({
    container: find('.map', HTMLElement, frame),
    style,
    bounds: toBounds(parseBbox(data(frame, 'bbox'))),
    cooperativeGestures: cooperative,
    attributionControl: { compact: isNarrow },
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    maxZoom: 17,
    // Labels appear at once for people who prefer no motion.
    fadeDuration: STILL.matches ? 0 : 300,
    transformRequest: (url) => ({ url: onThisOrigin(url) }),
  });
  retryTiles(map);
  const opening = start(map);
  if (opening) map.jumpTo(opening);
  map.keyboard.disableRotation();
  map.touchZoomRotate.disableRotation();
  map.addControl(new maplibregl.NavigationControl({ showCompass: false }), 'top-right');
  map.addControl(showAllControl(map, camera, showAllLabel), 'top-right');
  map.getCanvas().setAttribute('aria-label', label);
  if (isNarrow) {
    map.once('load', () => {
      const attribution = find('.maplibregl-ctrl-attrib', HTMLElement, frame);
      attribution.classList.remove('maplibregl-compact-show');
      attribution.removeAttribute('open');
    });
  }
  map.once('idle', () => {
    frame.dataset.shown = 'map';
  });
  followColorScheme(map, makeStyle);
  return { maplibregl, map, showPins: pinsOn(map) };
}

/**
 * Returns whether the map has its style. In the first frame of a map and of another color scheme, which a hidden page
 * never reaches, MapLibre refuses changes of layers and of states. `style.load` follows.
 */
export const hasStyle = (map: MapLibreMap) => map.getLayersOrder().length > 0;

function followColorScheme(map: MapLibreMap, makeStyle: MapView['style']): void {
  let changes = 0;
  DARK.addEventListener('change', async () => {
    const change = ++changes;
    // MapLibre reports the images of a style as missing if the style is replaced before its sprite has loaded.
    if (!map.isStyleLoaded()) await map.once('idle');
    if (change !== changes) return;
    // The page may have changed what the style shows during the wait.
    const style = await makeStyle();
    // Without a diff, so that images in the old colors are redrawn.
    if (change === changes) map.setStyle(style, { diff: false });
  });
}

/** MapLibre's error event for a tile that can't be loaded */
interface TileError extends ErrorEvent {
  error: Error & { status?: number };
  sourceId?: string;
  tile?: { tileID: { canonical: { z: number; x: number; y: number } } };
}

/** Requests tiles again if a busy service refused them. MapLibre requests each tile only once. */
function retryTiles(map: MapLibreMap): void {
  const tries = new Map<string, number>();
  map.on('error', (event) => {
    const { error, sourceId, tile } = event as unknown as TileError;
    if (!isBusy(error.status) || !sourceId || !tile) {
      // oxlint-disable-next-line no-console -- MapLibre does so while there is no listener
      console.error(error);
      return;
    }
    const { z, x, y } = tile.tileID.canonical;
    const key = `${sourceId}/${z}/${x}/${y}`;
    const tried = tries.get(key) ?? 0;
    const delayMs = RETRIES_MS[tried];
    if (delayMs === undefined) return;
    tries.set(key, tried + 1);
    setTimeout(() => {
      if (map.getSource(sourceId)) map.refreshTiles(sourceId, [{ z, x, y }]);
    }, delayMs);
  });
}

function showAllControl(
  map: MapLibreMap,
  camera: MapView['camera'],
  label = 'Show the whole territory',
): IControl {
  const element = document.createElement('div');
  element.className = 'maplibregl-ctrl maplibregl-ctrl-group';
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'whole';
  button.title = label;
  button.setAttribute('aria-label', button.title);
  button.addEventListener('click', () => {
    const showAll = camera(map);
    if (showAll) map.flyTo(showAll);
  });
  element.append(button);
  return { onAdd: () => element, onRemove: () => element.remove() };
}

/** Creates a card next to a point of the map. With `closeButton`, it stays until it is closed. */
export const createPopup = (maplibregl: MapLibre, closeButton: boolean): Popup =>
  new maplibregl.Popup({
    closeButton,
    closeOnClick: false,
    // The focus stays in the list from which the ZIP code was chosen.
    focusAfterOpen: false,
    maxWidth: '16rem',
    offset: 8,
  });

/** Returns the content of a card. The first line is its heading. */
export function createCard(lines: readonly CardLine[]): HTMLElement {
  const element = document.createElement('div');
  element.className = 'zip-card';
  element.append(
    ...lines.map(([text, kind = ''], i) => {
      const line = document.createElement(i === 0 ? 'b' : 'span');
      line.textContent = text;
      line.className = kind;
      return line;
    }),
  );
  return element;
}
