/**
 * Pins of places with their names, in pictures and in browsers: an organization's own, and those of competitors. Pins
 * that are close to each other become one circle with their number; names give way to each other.
 */
import type {
  LayerSpecification,
  SourceSpecification,
  StyleSpecification,
} from '@maplibre/maplibre-gl-style-spec';
import type { Feature, Point } from 'geojson';
import { paletteOf, type Palette } from '../../data/basemap/palette.ts';
import type { PlaceKind } from '../../data/basemap/place-symbols.ts';
import { albersRegionAt, projectAlbers } from '../../base/spatial/albers-usa.ts';
import type { LngLat } from '../../base/spatial/mercator.ts';

export interface Pin {
  kind: PlaceKind;
  name: string;
  lngLat: LngLat;
}

/** A pin with what people see of it on an interactive map */
export interface MapPlace extends Pin {
  /** In which it is; null outside of all ZIP codes */
  zip: string | null;
  /** Id; null: the whole organization's */
  brandId: string | null;
}

/** Competitors have circles of their own, so that a circle counts one kind of thing. */
const OWNERS = ['own', 'competitor'] as const;
type Owner = (typeof OWNERS)[number];

const sourceId = (owner: Owner) => `${owner}-places`;

/** Zoom up to which pins become circles. Closer, a person wants to see each. */
const MAX_CLUSTERED_ZOOM = 11;
/** About the width of a pin, CSS pixels */
const CLUSTER_RADIUS_PX = 28;
/** Two pins are easier to read than a circle that says 2. */
const MIN_CLUSTERED = 3;

/** Adds the pins above all other layers. The scene, or the browser, supplies the sources' data. */
export function withPins(style: StyleSpecification, hasNames = true): StyleSpecification {
  const palette = paletteOf(style);
  if (palette === null) return style;
  const source: SourceSpecification = {
    type: 'geojson',
    data: { type: 'FeatureCollection', features: [] },
    cluster: true,
    clusterMaxZoom: MAX_CLUSTERED_ZOOM,
    clusterRadius: CLUSTER_RADIUS_PX,
    clusterMinPoints: MIN_CLUSTERED,
  };
  return {
    ...style,
    sources: {
      ...style.sources,
      ...Object.fromEntries(OWNERS.map((owner) => [sourceId(owner), source])),
    },
    layers: [
      ...style.layers,
      ...OWNERS.toReversed().flatMap((owner) => pinLayers(owner, palette, hasNames)),
    ],
  };
}

/** @param isNational whether the map is in the plane of Albers' projection of the country */
export function pinSources(
  pins: readonly Pin[],
  isNational = false,
): Record<string, Feature<Point>[]> {
  const features = (owner: Owner) =>
    pins
      .filter(({ kind }) => (kind === 'competitor') === (owner === 'competitor'))
      .map(({ kind, name, lngLat }): Feature<Point> => {
        const coordinates = isNational ? projectAlbers(albersRegionAt(lngLat), lngLat) : lngLat;
        return {
          type: 'Feature',
          properties: { kind, name },
          geometry: { type: 'Point', coordinates },
        };
      });
  return Object.fromEntries(OWNERS.map((owner) => [sourceId(owner), features(owner)]));
}

function pinLayers(
  owner: Owner,
  { pins, label, labelHalo }: Palette,
  hasNames: boolean,
): LayerSpecification[] {
  const source = sourceId(owner);
  const isOwn = owner === 'own';
  return [
    {
      id: `${source}-circles`,
      type: 'circle',
      source,
      filter: ['has', 'point_count'],
      paint: {
        'circle-radius': ['step', ['get', 'point_count'], 11, 10, 13, 100, 16],
        'circle-color': isOwn ? pins.own : pins.competitor,
        'circle-stroke-color': isOwn ? pins.edge : pins.competitorInk,
        'circle-stroke-width': 1.6,
      },
    },
    {
      id: `${source}-counts`,
      type: 'symbol',
      source,
      filter: ['has', 'point_count'],
      layout: {
        'text-field': ['get', 'point_count_abbreviated'],
        'text-font': ['Noto Sans SemiBold'],
        'text-size': 11,
        'text-allow-overlap': true,
        'text-padding': 6,
      },
      paint: { 'text-color': isOwn ? pins.ownInk : pins.competitorInk },
    },
    {
      id: source,
      type: 'symbol',
      source,
      filter: ['!', ['has', 'point_count']],
      layout: {
        'icon-image': ['concat', 'place-', ['get', 'kind']],
        'icon-anchor': 'bottom',
        'icon-size': ['interpolate', ['linear'], ['zoom'], 4, 0.65, 8, 1],
        'icon-allow-overlap': true,
        'icon-padding': 1,
        'text-field': hasNames ? ['get', 'name'] : '',
        'text-font': ['Noto Sans SemiBold'],
        'text-size': 11.5,
        'text-max-width': 9,
        'text-line-height': 1.1,
        'text-justify': 'auto',
        // Beside the head of the pin, or below its tip
        'text-variable-anchor-offset': [
          'left',
          [1.25, -1.65],
          'right',
          [-1.25, -1.65],
          'top',
          [0, 0.2],
        ],
        'text-optional': true,
        'text-padding': 2,
      },
      paint: {
        'text-color': isOwn ? label : pins.competitorInk,
        'text-halo-color': labelHalo,
        'text-halo-width': 1.5,
      },
    },
  ];
}
