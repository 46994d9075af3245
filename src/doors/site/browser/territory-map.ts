/**
 * A map of territories over the boundaries of all ZIP codes, which respond to the pointer. Its frame
 * (account/map/view.ts) contains the addresses and draws the legend's marks.
 */
import type { Map as MapLibreMap, MapGeoJSONFeature } from 'maplibre-gl';
import { data } from './dom.ts';
import {
  type Bbox,
  type CardLine,
  createCard,
  createPopup,
  hasStyle,
  type MapLibre,
  NARROW,
  openMap,
  parseBbox,
  toBounds,
} from './map-view.ts';
import { addMarkImages, territoryStyle } from './territory-style.ts';

/** The look of a ZIP code. Without a state, it is free, and only its border is drawn. */
export interface ZipState {
  /** Status shown by the fill. Pending ZIP codes are also hatched */
  status?: 'live' | 'pending';
  /** Another brand holds it. Shown by an edge and two rings */
  shared?: boolean;
  /** The brand holds none of its neighbors. Shown by a broken edge and a dot in a ring */
  isolated?: boolean;
}

interface TerritoryMapOptions {
  /** Label of the map for screen readers */
  label: string;
  /** Returns the card of a ZIP code; `place` is its city and state. */
  describe(zip: string, place: string | undefined): CardLine[];
  /** `zip` is null for a click outside all ZIP codes. */
  onClick(zip: string | null): void;
}

export interface TerritoryMap {
  /** Draws these ZIP codes in their states, and all others as free. */
  paint(zips: ReadonlyMap<string, ZipState>): void;
  /** Selects these ZIP codes and no others. */
  select(zips: Iterable<string>): void;
  fly(bbox: Bbox): void;
}

/** Layers of the ZIP code tiles */
const SOURCE_LAYERS = ['zips', 'zip-labels'];

/** Resets the states of a ZIP code. */
const FREE = { status: '', shared: false, isolated: false };

type SetState = (zip: string, states: object) => void;

export async function openTerritoryMap(
  frame: HTMLElement,
  options: TerritoryMapOptions,
): Promise<TerritoryMap> {
  const padding = NARROW.matches ? 24 : 56;
  const cameraFor = (map: MapLibreMap, bbox: Bbox) =>
    map.cameraForBounds(toBounds(bbox), { padding, maxZoom: 11 });
  const { map, maplibregl } = await openMap(frame, {
    style: () => territoryStyle(frame),
    camera: (of) => cameraFor(of, parseBbox(data(frame, 'bbox'))),
    start: (of) => cameraFor(of, parseBbox(data(frame, 'start'))),
    label: options.label,
    cooperative: true,
  });
  let painted: ReadonlyMap<string, ZipState> = new Map();
  let selected: ReadonlySet<string> = new Set();
  const setState: SetState = (zip, states) => {
    if (!hasStyle(map)) return;
    for (const sourceLayer of SOURCE_LAYERS) {
      map.setFeatureState({ source: 'zips', sourceLayer, id: zip }, states);
    }
  };
  // Fires again when the color scheme changes.
  map.on('style.load', () => {
    addMarkImages(map, frame);
    for (const [zip, states] of painted) setState(zip, states);
    for (const zip of selected) setState(zip, { selected: true });
  });
  followPointer(map, maplibregl, setState, options);
  return {
    paint(zips) {
      for (const zip of painted.keys()) if (!zips.has(zip)) setState(zip, FREE);
      for (const [zip, states] of zips) setState(zip, { ...FREE, ...states });
      painted = new Map(zips);
    },
    select(zips) {
      const next = new Set(zips);
      for (const zip of selected) if (!next.has(zip)) setState(zip, { selected: false });
      for (const zip of next) if (!selected.has(zip)) setState(zip, { selected: true });
      selected = next;
    },
    fly(bbox) {
      const camera = cameraFor(map, bbox);
      if (camera) map.flyTo(camera);
    },
  };
}

/** The properties of a ZIP code in the tiles */
const propertiesOf = (feature: MapGeoJSONFeature) =>
  feature.properties as { zip: string; place?: string };

function followPointer(
  map: MapLibreMap,
  maplibregl: MapLibre,
  setState: SetState,
  { describe, onClick }: TerritoryMapOptions,
): void {
  const tip = createPopup(maplibregl, false);
  let hovered: string | null = null;
  const hover = (zip: string | null) => {
    if (hovered !== null) setState(hovered, { hovered: false });
    hovered = zip;
    if (zip !== null) setState(zip, { hovered: true });
  };
  map.on('mousemove', 'zip-fill', ({ features, lngLat }) => {
    if (!features?.[0]) return;
    const { zip, place } = propertiesOf(features[0]);
    map.getCanvas().style.cursor = 'pointer';
    if (zip !== hovered) {
      hover(zip);
      tip.setDOMContent(createCard(describe(zip, place)));
    }
    tip.setLngLat(lngLat).addTo(map);
  });
  map.on('mouseleave', 'zip-fill', () => {
    map.getCanvas().style.cursor = '';
    hover(null);
    tip.remove();
  });
  map.on('click', ({ point }) => {
    const [hit] = map.queryRenderedFeatures(point, { layers: ['zip-fill'] });
    if (!hit) {
      onClick(null);
      return;
    }
    const { zip, place } = propertiesOf(hit);
    onClick(zip);
    // The click may have changed the state of the ZIP code.
    if (tip.isOpen()) tip.setDOMContent(createCard(describe(zip, place)));
  });
}
