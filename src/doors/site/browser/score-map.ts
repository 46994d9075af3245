/**
 * The public map of demand: the ZIP codes of the launched metros, colored by the class of their score
 * in a vertical. Its frame comes from `score-map-frame.ts`, and its legend names the classes.
 */
import type { FeatureCollection, MultiPolygon } from 'geojson';
import type {
  CameraOptions,
  GeoJSONSource,
  LayerSpecification,
  Map as MapLibreMap,
  StyleSpecification,
} from 'maplibre-gl';
import { data } from './dom.ts';
import {
  furnitureColors,
  hasStyle,
  loadBasemapStyle,
  type MapLibre,
  NARROW,
  openMap,
  parseBbox,
  toBounds,
} from './map-view.ts';
import {
  followPointer,
  pointedLayers,
  type PointingOptions,
  type State,
} from './score-map-pointing.ts';

interface ScoreMapOptions extends PointingOptions {
  /** Slug of the vertical to show */
  vertical: string;
  /** Label of the map for screen readers */
  label: string;
  showAllLabel: string;
  cooperative: boolean;
  /** Returns the initial camera. Default: the camera that shows everything */
  start?(map: MapLibreMap): CameraOptions | undefined;
}

export interface ScoreMap {
  map: MapLibreMap;
  maplibregl: MapLibre;
  /** Colors the ZIP codes by another vertical. */
  setVertical(slug: string): Promise<void>;
  /** Outlines a ZIP code; null removes the outline. */
  choose(zip: string | null): void;
  /** Outlines a city or county; null removes the outline. */
  outline(shape: MultiPolygon | null): void;
}

/** For screen readers */
export const MAP_LABEL =
  'Map of demand by ZIP code. Arrow keys go from ZIP code to ZIP code, and Enter shows its figures.';

/** Space around the destination when the map moves */
export const paddingPx = () => (NARROW.matches ? 16 : 48);

export async function openScoreMap(
  frame: HTMLElement,
  options: ScoreMapOptions,
): Promise<ScoreMap> {
  let { vertical } = options;
  const { zipsMinZoom = 0 } = options;
  let area = outlined(null);
  const style = () => scoreStyle(frame, vertical, zipsMinZoom, area);
  const showAll = (map: MapLibreMap) =>
    map.cameraForBounds(toBounds(parseBbox(data(frame, 'bbox'))), { padding: paddingPx() });
  const { map, maplibregl } = await openMap(frame, {
    style,
    label: options.label,
    showAllLabel: options.showAllLabel,
    cooperative: options.cooperative,
    camera: showAll,
    start: (opening) => options.start?.(opening) ?? showAll(opening),
  });
  const current: Record<State, string | null> = { hovered: null, chosen: null };
  const setState = (state: State, zip: string | null) => {
    const feature = (id: string) => ({ source: 'zips', sourceLayer: 'zips', id });
    const last = current[state];
    current[state] = zip;
    if (!hasStyle(map)) return;
    if (last !== null) map.setFeatureState(feature(last), { [state]: false });
    if (zip !== null) map.setFeatureState(feature(zip), { [state]: true });
  };
  // Fires again when the color scheme changes.
  map.on('style.load', () => {
    for (const state of ['hovered', 'chosen'] as const) setState(state, current[state]);
  });
  followPointer(
    { frame, map, maplibregl, hover: (zip) => setState('hovered', zip), vertical: () => vertical },
    options,
  );
  return {
    map,
    maplibregl,
    async setVertical(slug) {
      vertical = slug;
      const next = await style();
      // Another vertical may have been chosen in the meantime.
      if (vertical === slug) map.setStyle(next);
    },
    choose: (zip) => setState('chosen', zip),
    outline(shape) {
      area = outlined(shape);
      map.getSource<GeoJSONSource>('area')?.setData(area);
    },
  };
}

const outlined = (shape: MultiPolygon | null): FeatureCollection => ({
  type: 'FeatureCollection',
  features: shape ? [{ type: 'Feature', geometry: shape, properties: {} }] : [],
});

/** The service's style with ZIP codes that have states, and outlines for them */
async function scoreStyle(
  frame: HTMLElement,
  vertical: string,
  zipsMinZoom: number,
  area: FeatureCollection,
): Promise<StyleSpecification> {
  const style = await loadBasemapStyle(frame, vertical);
  const { zips } = style.sources;
  if (zips?.type !== 'vector') throw new Error('The style has no vector source zips');
  const firstName = style.layers.findIndex(({ type }) => type === 'symbol');
  return {
    ...style,
    sources: {
      ...style.sources,
      zips: { ...zips, promoteId: 'zip' },
      area: { type: 'geojson', data: area },
    },
    layers: style.layers.toSpliced(
      firstName,
      0,
      ...outlineLayers(furnitureColors(style)),
      ...pointedLayers(furnitureColors(style).ink, zipsMinZoom),
    ),
  };
}

/** A line with an edge of the other tone, which is visible on all classes */
const outlineLayers = ({ ink, paper }: Record<'ink' | 'paper', string>): LayerSpecification[] =>
  [
    { color: paper, width: 7 },
    { color: ink, width: 3 },
  ].map(({ color, width }, i) => ({
    id: `area-outline-${i}`,
    type: 'line',
    source: 'area',
    layout: { 'line-join': 'round' },
    paint: { 'line-color': color, 'line-width': width },
  }));
