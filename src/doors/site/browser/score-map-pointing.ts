/** Lets people point at the ZIP codes of a score map with a mouse, a finger, or arrow keys. */
import type {
  ExpressionSpecification,
  LayerSpecification,
  LngLat,
  LngLatLike,
  Map as MapLibreMap,
} from 'maplibre-gl';
import { followArrows, pan } from './map-arrows.ts';
import { type CardLine, createCard, createPopup, hasStyle, type MapLibre } from './map-view.ts';
import { nearestPoint, pointTowards } from './points.ts';
import { isState, ON_ZIPS } from './zip-tiles.ts';
import { zipsInView } from './zips-in-view.ts';

/** The ZIP code and metro at a point of the map */
export interface ScoredZip {
  zip: string;
  /** Slug of the launched metro */
  metro: string;
  /** Lower bound of the score's class in the shown vertical; undefined without a score */
  scoreClass: number | undefined;
}

export interface PointingOptions {
  /**
   * Zoom from which people point at ZIP codes; below it, they point at metros. Default: always ZIP codes
   */
  zipsMinZoom?: number;
  /** Whether the card of a tapped ZIP code stays on the map. Otherwise, `onClick` may show one */
  keepsCard?: boolean;
  /** Returns the card of the ZIP code or metro under the pointer. */
  describe(zip: ScoredZip, isMetro: boolean): readonly CardLine[];
  /** @param isMetro whether the scale shows metros instead of ZIP codes */
  onClick(zip: ScoredZip | null, isMetro: boolean, point: LngLat): void;
}

/**
 * On a phone that shows all metros, each is smaller than a fingertip, so a touch within this distance
 * reaches the nearest one.
 */
const METRO_REACH_PX = 10;

/** States of a ZIP code */
export type State = 'hovered' | 'chosen';

export function pointedLayers(ink: string, zipsMinZoom: number): LayerSpecification[] {
  return [
    {
      ...ON_ZIPS,
      id: 'metro-pointed',
      type: 'fill',
      maxzoom: zipsMinZoom,
      filter: inMetro(null),
      paint: { 'fill-color': ink, 'fill-opacity': 0.3, 'fill-antialias': false },
    },
    {
      ...ON_ZIPS,
      id: 'zip-pointed',
      type: 'line',
      minzoom: zipsMinZoom,
      layout: { 'line-join': 'round' },
      paint: {
        'line-color': ink,
        'line-width': ['case', isState('chosen'), 3.5, isState('hovered'), 1.75, 0],
      },
    },
  ];
}

const inMetro = (metro: string | null): ExpressionSpecification => [
  '==',
  ['get', 'metro'],
  metro ?? '',
];

interface Pointing {
  frame: HTMLElement;
  map: MapLibreMap;
  maplibregl: MapLibre;
  hover(zip: string | null): void;
  /** Slug of the shown vertical */
  vertical(): string;
}

/**
 * Shows the card of the ZIP code or metro that the mouse or the arrow keys reach. A click or Enter opens
 * it.
 */
export function followPointer(
  { frame, map, maplibregl, hover, vertical }: Pointing,
  { describe, onClick, zipsMinZoom = 0, keepsCard = false }: PointingOptions,
): void {
  const tip = createPopup(maplibregl, false);
  const announced = createAnnouncer(frame);
  let pointed: string | null = null;
  const isMetro = () => map.getZoom() < zipsMinZoom;
  const scoredZipOf = (properties: Record<string, unknown>): ScoredZip => ({
    zip: String(properties['zip']),
    metro: String(properties['metro']),
    scoreClass: properties[vertical()] as number | undefined,
  });
  const point = (zip: ScoredZip | null) => {
    pointed = zip && (isMetro() ? zip.metro : zip.zip);
    hover(zip && !isMetro() ? zip.zip : null);
    if (hasStyle(map)) map.setFilter('metro-pointed', inMetro(zip && isMetro() ? zip.metro : null));
  };
  const showTip = (zip: ScoredZip, at: LngLatLike) => {
    const key = isMetro() ? zip.metro : zip.zip;
    if (key !== pointed) {
      point(zip);
      tip.setDOMContent(createCard(describe(zip, isMetro())));
    }
    tip.setLngLat(at).addTo(map);
  };
  map.on('mousemove', 'zip-fill', ({ features, lngLat }) => {
    if (!features?.[0]) return;
    map.getCanvas().style.cursor = 'pointer';
    showTip(scoredZipOf(features[0].properties), lngLat);
  });
  map.on('mouseleave', 'zip-fill', () => {
    map.getCanvas().style.cursor = '';
    point(null);
    tip.remove();
  });
  // The card is outdated, because the map under the pointer has changed its scale or colors.
  for (const event of ['zoomstart', 'styledata'] as const) {
    map.on(event, () => {
      pointed = null;
      tip.remove();
    });
  }
  map.on('click', ({ point: { x, y }, lngLat, originalEvent }) => {
    const reach = isMetro() ? METRO_REACH_PX : 0;
    const [hit] = map.queryRenderedFeatures(
      [
        [x - reach, y - reach],
        [x + reach, y + reach],
      ],
      { layers: ['zip-fill'] },
    );
    tip.remove();
    onClick(hit ? scoredZipOf(hit.properties) : null, isMetro(), lngLat);
    // A finger doesn't hover, so a tap shows the card, too.
    const isTap = (originalEvent as Partial<PointerEvent>).pointerType === 'touch';
    if (isTap && hit && keepsCard && !isMetro()) showTip(scoredZipOf(hit.properties), lngLat);
  });
  followArrows(map, {
    isReady: () => !isMetro() && hasStyle(map),
    goTowards(direction) {
      const view = zipsInView(map, 'zip-fill');
      const from = pointed === null ? -1 : view.zips.indexOf(pointed);
      const next =
        from < 0 ? nearestPoint(view, map.getCenter()) : pointTowards(view, from, direction);
      if (next === null) {
        pan(map, direction);
        return;
      }
      const zip = scoredZipOf(view.properties[next]!);
      const at: [number, number] = [view.lon[next]!, view.lat[next]!];
      showTip(zip, at);
      announced.textContent = describe(zip, false)
        .map(([text]) => text)
        .join(', ');
      if (!map.getBounds().contains(at)) map.panTo(at);
    },
    choose() {
      const view = zipsInView(map, 'zip-fill');
      const at = pointed === null ? -1 : view.zips.indexOf(pointed);
      if (at < 0) return false;
      tip.remove();
      onClick(
        scoredZipOf(view.properties[at]!),
        false,
        new maplibregl.LngLat(view.lon[at]!, view.lat[at]!),
      );
      return true;
    },
  });
}

/** Adds an element with text that screen readers announce: the ZIP code that the arrow keys reach. */
function createAnnouncer(frame: HTMLElement): HTMLElement {
  const element = document.createElement('p');
  element.className = 'visually-hidden';
  element.role = 'status';
  frame.append(element);
  return element;
}
