/** The map of places. A click on it sets the coordinates of the page's form. */
import type { Map as MapLibreMap, StyleSpecification } from 'maplibre-gl';
import { data, find, findOptional } from '../../../browser/dom.ts';
import {
  fetchJson,
  loadBasemapStyle,
  openMap,
  toBounds,
  type Bbox,
} from '../../../browser/map-view.ts';
import type { MapPlace } from '../../../../../maps/cartography/place-pins.ts';

/** Zoom of a single place: its streets are in view. */
const PLACE_ZOOM = 13;
/** Around the places, so that none is at the edge: degrees, or a share of their extent */
const MIN_MARGIN_DEG = 0.05;
const MARGIN = 0.15;

/** Colors of ZIP codes would compete with the pins. Their outlines and names stay. */
const withoutScores = (style: StyleSpecification): StyleSpecification => ({
  ...style,
  layers: style.layers.filter(({ id }) => id !== 'zip-fill' && id !== 'zip-hatch'),
});

export async function showPlacesMap(): Promise<void> {
  const frame = find('.places-map', HTMLElement);
  const failure = find('.failure[role]', HTMLElement, frame);
  try {
    const { places } = await fetchJson<{ places: MapPlace[] }>(data(frame, 'places'));
    const { kind, brand, at, sets } = frame.dataset;
    const shown = places.filter(
      (one) => (!kind || one.kind === kind) && (!brand || one.brandId === brand),
    );
    const bbox = boxOf(shown);
    if (bbox) frame.dataset.bbox = bbox.join(' ');
    const [lng, lat] = (at ?? '').split(' ').map(Number);
    const { maplibregl, map, showPins } = await openMap(frame, {
      style: async () => withoutScores(await loadBasemapStyle(frame)),
      hasPins: true,
      camera: (opened) =>
        bbox ? opened.cameraForBounds(toBounds(bbox), { padding: 40 }) : undefined,
      start: () => (at ? { center: [lng!, lat!], zoom: PLACE_ZOOM } : undefined),
      label: 'Map of the places',
      cooperative: true,
      showAllLabel: 'Show all places',
    });
    showPins(shown);
    if (sets !== undefined) setByClick(map, new maplibregl.Marker({ color: '#d97706' }));
  } catch {
    failure.textContent = 'The map can’t be shown. Reload the page to try again.';
  }
}

function setByClick(map: MapLibreMap, marker: import('maplibre-gl').Marker): void {
  const form = find('form.place', HTMLFormElement);
  const input = (name: string) => find(`[name="${name}"]`, HTMLInputElement, form);
  map.getCanvas().style.cursor = 'crosshair';
  map.on('click', ({ lngLat }) => {
    marker.setLngLat(lngLat).addTo(map);
    input('lng').value = lngLat.lng.toFixed(5);
    input('lat').value = lngLat.lat.toFixed(5);
    const details = findOptional('details.adding', HTMLDetailsElement);
    if (details && !details.open) {
      details.open = true;
      input('name').focus();
    }
  });
}

function boxOf(places: readonly MapPlace[]): Bbox | null {
  if (places.length === 0) return null;
  let [west, south, east, north] = [180, 90, -180, -90];
  for (const {
    lngLat: [lng, lat],
  } of places) {
    [west, south, east, north] = [
      Math.min(west, lng),
      Math.min(south, lat),
      Math.max(east, lng),
      Math.max(north, lat),
    ];
  }
  const [x, y] = [east - west, north - south].map((span) =>
    Math.max(MIN_MARGIN_DEG, MARGIN * span),
  );
  return [west - x!, south - y!, east + x!, north + y!];
}
