/**
 * The public map of demand: the ZIP codes of the launched metros, colored by the class of their score
 * in a vertical. Its frame comes from `score-map-frame.ts`, and its legend names the classes.
 */
import type {
  CameraOptions,
  ExpressionSpecification,
  LayerSpecification,
  LngLat,
  Map as MapLibreMap,
  StyleSpecification,
} from 'maplibre-gl';
import { data, findAll } from './dom.ts';
import {
  type CardLine,
  createCard,
  createPopup,
  furnitureColors,
  loadBasemapStyle,
  type MapLibre,
  NARROW,
  openMap,
  parseBbox,
  toBounds,
} from './map-view.ts';

/** The ZIP code and metro at a point of the map */
export interface ScoredZip {
  zip: string;
  /** Slug of the launched metro */
  metro: string;
  /** Lower bound of the score's class in the shown vertical; undefined without a score */
  scoreClass: number | undefined;
}

export interface ScoreMapOptions {
  /** Slug of the vertical to show */
  vertical: string;
  /** Label of the map for screen readers */
  label: string;
  showAllLabel: string;
  cooperative: boolean;
  /** From this zoom, people point at ZIP codes; below, at metros. Default: always at ZIP codes */
  zipsMinZoom?: number;
  /** Returns the camera that the map opens with. Default: the one that shows everything */
  start?(map: MapLibreMap): CameraOptions | undefined;
  /** Returns the card of the ZIP code or metro under the pointer. */
  describe(zip: ScoredZip, isMetro: boolean): readonly CardLine[];
  /** @param isMetro whether the scale shows metros rather than ZIP codes */
  onClick(zip: ScoredZip | null, isMetro: boolean, point: LngLat): void;
}

export interface ScoreMap {
  map: MapLibreMap;
  maplibregl: MapLibre;
  /** Colors the ZIP codes by another vertical. */
  setVertical(slug: string): Promise<void>;
  /** Outlines a ZIP code; null removes the outline. */
  choose(zip: string | null): void;
}

/** A metro is smaller than a fingertip on a phone that shows all of them, so touches reach the nearest one. */
const METRO_REACH_PX = 10;

type State = 'hovered' | 'chosen';

/** Space around the target of a flight */
export const paddingPx = () => (NARROW.matches ? 16 : 48);

export async function openScoreMap(
  frame: HTMLElement,
  options: ScoreMapOptions,
): Promise<ScoreMap> {
  let { vertical } = options;
  const { zipsMinZoom = 0 } = options;
  const style = () => scoreStyle(frame, vertical, zipsMinZoom);
  const showAll = (map: MapLibreMap) =>
    map.cameraForBounds(toBounds(parseBbox(data(frame, 'bbox'))), { padding: paddingPx() });
  const { map, maplibregl } = await openMap(frame, {
    ...{ style, label: options.label, showAllLabel: options.showAllLabel },
    cooperative: options.cooperative,
    camera: showAll,
    start: (opening) => options.start?.(opening) ?? showAll(opening),
  });
  const current: Record<State, string | null> = { hovered: null, chosen: null };
  const setState = (state: State, zip: string | null) => {
    const feature = (id: string) => ({ source: 'zips', sourceLayer: 'zips', id });
    const last = current[state];
    current[state] = zip;
    if (!isLoaded(map)) return;
    if (last !== null) map.setFeatureState(feature(last), { [state]: false });
    if (zip !== null) map.setFeatureState(feature(zip), { [state]: true });
  };
  // Fires again when the color scheme changes.
  map.on('style.load', () => {
    for (const state of ['hovered', 'chosen'] as const) setState(state, current[state]);
  });
  followPointer(
    map,
    maplibregl,
    (zip) => setState('hovered', zip),
    options,
    () => vertical,
  );
  return {
    map,
    maplibregl,
    async setVertical(slug) {
      vertical = slug;
      const next = await style();
      // Another vertical may have been chosen meanwhile.
      if (vertical === slug) map.setStyle(next);
    },
    choose: (zip) => setState('chosen', zip),
  };
}

/** The service's style with ZIP codes that have states, and outlines for them */
async function scoreStyle(
  frame: HTMLElement,
  vertical: string,
  zipsMinZoom: number,
): Promise<StyleSpecification> {
  const style = await loadBasemapStyle(frame, vertical);
  const { zips } = style.sources;
  if (zips?.type !== 'vector') throw new Error('The style has no vector source zips');
  const firstName = style.layers.findIndex(({ type }) => type === 'symbol');
  return {
    ...style,
    sources: { ...style.sources, zips: { ...zips, promoteId: 'zip' } },
    layers: style.layers.toSpliced(
      firstName,
      0,
      ...pointedLayers(furnitureColors(style).ink, zipsMinZoom),
    ),
  };
}

/** Returns whether the style has our layers. It has none while it loads. */
const isLoaded = (map: MapLibreMap) => map.getLayer('zip-pointed') !== undefined;

function pointedLayers(ink: string, zipsMinZoom: number): LayerSpecification[] {
  const is = (state: State): ExpressionSpecification => [
    'boolean',
    ['feature-state', state],
    false,
  ];
  const onZips = { source: 'zips', 'source-layer': 'zips' } as const;
  return [
    {
      ...onZips,
      id: 'metro-pointed',
      type: 'fill',
      maxzoom: zipsMinZoom,
      filter: inMetro(null),
      paint: { 'fill-color': ink, 'fill-opacity': 0.3, 'fill-antialias': false },
    },
    {
      ...onZips,
      id: 'zip-pointed',
      type: 'line',
      minzoom: zipsMinZoom,
      layout: { 'line-join': 'round' },
      paint: {
        'line-color': ink,
        'line-width': ['case', is('chosen'), 3.5, is('hovered'), 1.75, 0],
      },
    },
  ];
}

const inMetro = (metro: string | null): ExpressionSpecification => [
  '==',
  ['get', 'metro'],
  metro ?? '',
];

function followPointer(
  map: MapLibreMap,
  maplibregl: MapLibre,
  hover: (zip: string | null) => void,
  { describe, onClick, zipsMinZoom = 0 }: ScoreMapOptions,
  vertical: () => string,
): void {
  const tip = createPopup(maplibregl, false);
  let pointed: string | null = null;
  const isMetro = () => map.getZoom() < zipsMinZoom;
  const scored = (properties: Record<string, unknown>): ScoredZip => ({
    zip: String(properties['zip']),
    metro: String(properties['metro']),
    scoreClass: properties[vertical()] as number | undefined,
  });
  const point = (zip: ScoredZip | null) => {
    hover(zip && !isMetro() ? zip.zip : null);
    if (isLoaded(map)) map.setFilter('metro-pointed', inMetro(zip && isMetro() ? zip.metro : null));
  };
  map.on('mousemove', 'zip-fill', ({ features, lngLat }) => {
    if (!features?.[0]) return;
    const zip = scored(features[0].properties);
    map.getCanvas().style.cursor = 'pointer';
    const key = isMetro() ? zip.metro : zip.zip;
    if (key !== pointed) {
      pointed = key;
      point(zip);
      tip.setDOMContent(createCard(describe(zip, isMetro())));
    }
    tip.setLngLat(lngLat).addTo(map);
  });
  map.on('mouseleave', 'zip-fill', () => {
    map.getCanvas().style.cursor = '';
    pointed = null;
    point(null);
    tip.remove();
  });
  // The card is out of date, because the map under the pointer changed its scale or colors.
  for (const event of ['zoomstart', 'styledata'] as const) {
    map.on(event, () => {
      pointed = null;
      tip.remove();
    });
  }
  map.on('click', ({ point: { x, y }, lngLat }) => {
    const reach = isMetro() ? METRO_REACH_PX : 0;
    const [hit] = map.queryRenderedFeatures(
      [
        [x - reach, y - reach],
        [x + reach, y + reach],
      ],
      { layers: ['zip-fill'] },
    );
    tip.remove();
    onClick(hit ? scored(hit.properties) : null, isMetro(), lngLat);
  });
}

/** The classes of scores in the legend of a frame */
export interface ScoreClasses {
  /** The line of a card that names a class. @param scoreClass its lower bound, or undefined without a score */
  line(scoreClass: number | undefined): CardLine;
  /** The CSS class that fills an element with the color of a score on the map */
  fillOf(score: number | null): string;
}

export function readScoreClasses(frame: HTMLElement): ScoreClasses {
  const keys = findAll('[data-class]', HTMLElement, frame);
  const lowerBounds = keys.map((key) => Number(data(key, 'class')));
  return {
    line(scoreClass) {
      const index = lowerBounds.findIndex((bound) => bound === scoreClass);
      const label = keys[index]?.textContent.trim();
      return label === undefined
        ? ['No score', 'class-none']
        : [`Score ${label}`, `class-${index}`];
    },
    fillOf: (score) =>
      score === null ? 'fill-none' : `fill-${lowerBounds.findLastIndex((bound) => score >= bound)}`,
  };
}
