/**
 * The map of a share link. Its facts about ZIP codes come from the page's list. If the map can't be shown,
 * the page keeps its picture.
 */
import type { Feature, Point } from 'geojson';
import type {
  LayerSpecification,
  LngLatLike,
  Map as MapLibreMap,
  MapGeoJSONFeature,
  SourceSpecification,
  StyleSpecification,
} from 'maplibre-gl';
import { control, data, find, findAll, findOptional } from '../browser/dom.ts';
import {
  type CardLine,
  createCard,
  createPopup,
  escapeHtml,
  fetchJson,
  furnitureColors,
  hasStyle,
  loadBasemapStyle,
  type MapLibre,
  NARROW,
  openMap,
  parseBbox,
  toBounds,
} from '../browser/map-view.ts';
import type { Pin } from '../../../maps/cartography/place-pins.ts';
import { isState } from '../browser/zip-tiles.ts';
import { reloadIfClosed, watchShareLink } from './browser/share-link.ts';
import { readZipList } from './browser/zip-list.ts';
import { ZIP_STATUS_LABELS } from '../../../base/text/words.ts';

const frame = find('.map-frame', HTMLElement);
const sharedPath = data(frame, 'shared');
/** Zoom range of the tiles of a large territory. A small territory is loaded as a whole. */
const { tileZooms } = frame.dataset;
const isEmbedded = 'embedded' in frame.dataset;
const pins = JSON.parse(frame.dataset['places'] ?? '[]') as Pin[];
const zipList = readZipList(isEmbedded ? null : (zip) => void showZip(zip));

type Sources = Record<string, SourceSpecification>;

const vintage = escapeHtml(data(frame, 'vintage'));
const zipSources: Promise<Sources> = tileZooms
  ? Promise.resolve(tileSources(tileZooms))
  : geoJsonSources();

function tileSources(zooms: string): Sources {
  const [minzoom = 0, maxzoom = 0] = zooms.split(' ').map(Number);
  const tiles = [`${location.origin}${sharedPath}/tiles/{z}/{x}/{y}.mvt`];
  return {
    zips: { type: 'vector', tiles, minzoom, maxzoom, promoteId: 'zip', attribution: vintage },
  };
}

async function geoJsonSources(): Promise<Sources> {
  const labels = [...zipList.zips].flatMap(([zip, { position, status }]): Feature<Point>[] => {
    if (!position) return [];
    const { lng, lat, labelZoom } = position;
    const geometry: Point = { type: 'Point', coordinates: [lng, lat] };
    return [{ type: 'Feature', properties: { zip, status, labelZoom }, geometry }];
  });
  const boundaries = await fetchJson<GeoJSON.GeoJSON>(`${sharedPath}/boundaries`).catch(
    reloadIfClosed,
  );
  return {
    zips: { type: 'geojson', data: boundaries, promoteId: 'zip', attribution: vintage },
    'zip-labels': { type: 'geojson', data: { type: 'FeatureCollection', features: labels } },
  };
}

/** Returns the service's style with this territory instead of the ZIP codes colored by score. */
async function territoryStyle(): Promise<StyleSpecification> {
  const [style, sources] = await Promise.all([loadBasemapStyle(frame), zipSources]);
  const { zips: _scores, ...basemap } = style.sources;
  const counties = data(frame, 'counties').split(' ');
  const layers = style.layers.map((layer): LayerSpecification => {
    // The names of these counties are replaced by labels of ZIP codes.
    if (layer.id === 'county-names' && layer.type === 'symbol') {
      return { ...layer, filter: ['!', ['in', ['get', 'fips'], ['literal', counties]]] };
    }
    if (!('source' in layer) || layer.source !== 'zips' || tileZooms) return layer;
    const { 'source-layer': source, ...rest } = layer;
    return { ...rest, source: source ?? 'zips' };
  });
  const aboveFill = layers.findIndex(({ type }) => type === 'symbol');
  const highlight = highlightLayer(layers, furnitureColors(style).ink);
  return {
    ...style,
    sources: { ...basemap, ...sources },
    layers: layers.toSpliced(aboveFill, 0, highlight),
  };
}

/** Outlines ZIP codes that are hovered or chosen. */
function highlightLayer(layers: readonly LayerSpecification[], ink: string): LayerSpecification {
  const outline = layers.find(({ id }) => id === 'zip-outline');
  if (outline?.type !== 'line') throw new Error('The style has no line layer zip-outline');
  return {
    ...outline,
    id: 'zip-chosen',
    minzoom: 0,
    paint: {
      'line-color': ink,
      'line-width': ['case', isState('chosen'), 3.5, isState('hovered'), 1.75, 0],
    },
  };
}

/**
 * Returns the camera that shows an extent as large as possible. In an embedded page, the card with the
 * title covers the top or the left side.
 */
function cameraFor(map: MapLibreMap, bbox: string) {
  const margin = isEmbedded || NARROW.matches ? 24 : 56;
  const card = findOptional('.embedded .about', HTMLElement);
  const sides = { top: margin, right: margin, bottom: margin, left: margin };
  const belowCard = { ...sides, top: margin + (card?.offsetHeight ?? 0) };
  const besideCard = { ...sides, left: margin + (card?.offsetWidth ?? 0) };
  const bounds = toBounds(parseBbox(bbox));
  const [largest] = [belowCard, besideCard]
    .flatMap((padding) => map.cameraForBounds(bounds, { padding, maxZoom: 12 }) ?? [])
    .sort((a, b) => (b.zoom ?? 0) - (a.zoom ?? 0));
  return largest;
}

/** Chooses a ZIP code, like a click on it. */
type Status = keyof typeof ZIP_STATUS_LABELS;
type ChooseZip = (zip: string, point: LngLatLike, status: Status) => Promise<void>;

async function openSharedMap(): Promise<{ map: MapLibreMap; chooseZip: ChooseZip }> {
  const { map, maplibregl, showPins } = await openMap(frame, {
    style: territoryStyle,
    hasPins: pins.length > 0,
    camera: (opening) => cameraFor(opening, data(frame, 'bbox')),
    start: (opening) => cameraFor(opening, data(frame, 'start')),
    label: 'Map of the territory',
    cooperative: isEmbedded || NARROW.matches,
  });
  showPins(pins);
  enableAreas(map);
  return { map, chooseZip: followPointer(map, maplibregl) };
}

/** Enables the buttons that zoom to an area, if the territory has several */
function enableAreas(map: MapLibreMap): void {
  const areas = findOptional('.areas', HTMLElement);
  if (!areas) return;
  areas.hidden = false;
  for (const button of findAll('button', HTMLButtonElement, areas)) {
    button.addEventListener('click', () => {
      const camera = cameraFor(map, data(button, 'bbox'));
      if (camera) map.flyTo(camera);
    });
  }
}

const propertiesOf = (feature: MapGeoJSONFeature) =>
  feature.properties as { zip: string; status: Status };

function followPointer(map: MapLibreMap, maplibregl: MapLibre): ChooseZip {
  const tip = createPopup(maplibregl, false);
  const card = createPopup(maplibregl, true);
  const current: Record<'hovered' | 'chosen', string | null> = { hovered: null, chosen: null };
  const setCurrent = (state: 'hovered' | 'chosen', zip: string | null) => {
    const feature = (id: string) => ({
      source: 'zips',
      id,
      ...(tileZooms !== undefined && { sourceLayer: 'zips' }),
    });
    const last = current[state];
    current[state] = zip;
    if (!hasStyle(map)) return;
    if (last !== null) map.setFeatureState(feature(last), { [state]: false });
    if (zip !== null) map.setFeatureState(feature(zip), { [state]: true });
  };
  // Fires again when the color scheme changes.
  map.on('style.load', () => {
    for (const state of ['hovered', 'chosen'] as const) setCurrent(state, current[state]);
  });
  const chooseZip: ChooseZip = async (zip, point, status) => {
    tip.remove();
    setCurrent('chosen', zip);
    card.setLngLat(point).setDOMContent(zipCard(zip, status)).addTo(map);
    if (zipList.zips.has(zip)) return;
    await zipList.lookUp(zip).catch(() => {});
    if (current.chosen === zip) card.setDOMContent(zipCard(zip, status));
  };
  card.on('close', () => setCurrent('chosen', null));
  map.on('mousemove', 'zip-fill', ({ features, lngLat }) => {
    if (!features?.[0]) return;
    const { zip, status } = propertiesOf(features[0]);
    map.getCanvas().style.cursor = 'pointer';
    if (zip !== current.hovered) {
      setCurrent('hovered', zip);
      tip.setDOMContent(zipCard(zip, status));
    }
    if (zip === current.chosen) tip.remove();
    else tip.setLngLat(lngLat).addTo(map);
  });
  map.on('mouseleave', 'zip-fill', () => {
    map.getCanvas().style.cursor = '';
    setCurrent('hovered', null);
    tip.remove();
  });
  map.on('click', ({ point, lngLat }) => {
    const [hit] = map.queryRenderedFeatures(point, { layers: ['zip-fill'] });
    if (!hit) {
      card.remove();
      return;
    }
    const { zip, status } = propertiesOf(hit);
    void chooseZip(zip, lngLat, status);
  });
  return chooseZip;
}

function zipCard(zip: string, status: Status): HTMLElement {
  const lines: CardLine[] = [[zip]];
  const place = zipList.zips.get(zip)?.place;
  if (place) lines.push([place]);
  lines.push([ZIP_STATUS_LABELS[status], status]);
  return createCard(lines);
}

const opened = openSharedMap();
opened.catch(() => {
  frame.dataset.shown = 'picture';
  const picture = find('.first-paint', HTMLElement, frame);
  for (const source of picture.querySelectorAll('source')) source.remove();
  const image = find('img', HTMLImageElement, picture);
  const printed = findOptional('.printed', HTMLImageElement, frame);
  image.src = printed?.src ?? `${sharedPath}/map.png`;
  image.alt = printed?.alt ?? 'Map';
  find('.failure', HTMLElement, frame).textContent =
    'The interactive map couldn’t be loaded. This picture shows the territory instead.';
});

/** Shows a listed ZIP code on the map. */
async function showZip(zip: string): Promise<void> {
  const { map, chooseZip } = await opened;
  const listed = zipList.zips.get(zip);
  if (!listed?.position) return;
  const { lng, lat, labelZoom = 9.5 } = listed.position;
  frame.scrollIntoView({ block: 'nearest' });
  map.flyTo({ center: [lng, lat], zoom: Math.max(map.getZoom(), labelZoom + 0.5) });
  void chooseZip(zip, [lng, lat], listed.status);
}

function enableSearch(): void {
  const form = find('.find', HTMLFormElement);
  const answer = find('output', HTMLOutputElement, form);
  form.hidden = zipList.isEmpty;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const zip = control(form, 'zip', HTMLInputElement).value;
    try {
      const listed = await zipList.lookUp(zip);
      answer.textContent = listed
        ? `Yes: ${zip}, ${listed.place}. ${ZIP_STATUS_LABELS[listed.status]}.`
        : `No, ${zip} is not in this territory.`;
      if (listed) void showZip(zip);
    } catch {
      answer.textContent = `${zip} couldn’t be looked up. Try again.`;
    }
  });
}

function enablePrinting(): void {
  const button = find('.print', HTMLButtonElement);
  const printed = find('.printed', HTMLImageElement, frame);
  button.hidden = false;
  button.addEventListener('click', async () => {
    // When printed, the page shows this picture instead of the map, so wait until it is loaded.
    printed.loading = 'eager';
    await printed.decode().catch(() => {});
    window.print();
  });
}

watchShareLink(sharedPath);
if (!isEmbedded) {
  enableSearch();
  enablePrinting();
}
