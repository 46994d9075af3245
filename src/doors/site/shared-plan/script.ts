/**
 * Replaces the picture with the map. The map loads after everything else. If it can't be shown, the picture
 * stays.
 */
import type { Map as MapLibreMap, StyleSpecification } from 'maplibre-gl';
import { data, find } from '../browser/dom.ts';
import {
  createCard,
  createPopup,
  DARK,
  fetchJson,
  NARROW,
  openMap,
  parseBbox,
  toBounds,
} from '../browser/map-view.ts';

async function showMap(): Promise<void> {
  if (document.readyState !== 'complete') {
    await new Promise((resolve) => addEventListener('load', resolve, { once: true }));
  }
  const frame = find('.map-frame', HTMLElement);
  const showAll = (map: MapLibreMap) =>
    map.cameraForBounds(toBounds(parseBbox(data(frame, 'bbox'))), {
      padding: NARROW.matches ? 16 : 48,
    });
  const { map, maplibregl } = await openMap(frame, {
    style: () =>
      fetchJson<StyleSpecification>(
        `${data(frame, 'plan')}/style.json?style=${DARK.matches ? 'dark' : 'light'}`,
      ),
    camera: showAll,
    start: showAll,
    label: 'Map of the territories',
    showAllLabel: 'Show all territories',
    cooperative: true,
  });
  const card = createPopup(maplibregl, false);
  let shown: string | null = null;
  // A tap also counts as a mouse move.
  map.on('mousemove', 'zip-fill', ({ features, lngLat }) => {
    if (!features?.[0]) return;
    const { zip, territory } = features[0].properties as { zip: string; territory?: string };
    if (zip !== shown) {
      shown = zip;
      card.setDOMContent(createCard([[zip], [territory ?? 'Unassigned']]));
    }
    card.setLngLat(lngLat).addTo(map);
  });
  map.on('mouseleave', 'zip-fill', () => {
    shown = null;
    card.remove();
  });
}

showMap().catch(() => {
  // The picture stays.
});
