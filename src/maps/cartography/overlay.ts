/** Shapes and markers from the caller, drawn on top of the territory. */
import type { LayerSpecification, StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import type { Feature } from 'geojson';
import { bboxOfGeometry, type Bbox } from '../../base/spatial/bbox.ts';

/** The look of a feature. Colors are `#rrggbb`, sizes are in CSS pixels, opacities from 0 to 1. */
export interface OverlayLook {
  stroke: string;
  strokeWidth: number;
  strokeOpacity: number;
  fill: string;
  fillOpacity: number;
  /** Color of a point's marker */
  marker: string;
  /** Color that is readable on the marker */
  ink: string;
  /** One letter or digit in the marker, or none */
  symbol: string;
}

export type Overlay = readonly Feature<Feature['geometry'], OverlayLook>[];

export const overlayBoxes = (overlay: Overlay): Bbox[] =>
  overlay.map(({ geometry }) => bboxOfGeometry(geometry));

const MARKER_RADIUS_PX = 9;

/** Adds shapes below all names and markers above them. Returns the style itself without an overlay. */
export function withOverlay(style: StyleSpecification, overlay: Overlay = []): StyleSpecification {
  if (overlay.length === 0) return style;
  const sourceOf = (dimension: number) => ({
    type: 'geojson' as const,
    data: {
      type: 'FeatureCollection' as const,
      features: overlay.filter(({ geometry }) => dimensionOf(geometry) === dimension),
    },
  });
  const firstName = style.layers.findIndex(({ type }) => type === 'symbol');
  const above = firstName < 0 ? style.layers.length : firstName;
  return {
    ...style,
    sources: {
      ...style.sources,
      'overlay-areas': sourceOf(2),
      'overlay-lines': sourceOf(1),
      markers: sourceOf(0),
    },
    layers: [...style.layers.slice(0, above), ...SHAPES, ...style.layers.slice(above), ...MARKERS],
  };
}

function dimensionOf({ type }: Feature['geometry']): number {
  if (type.endsWith('Polygon')) return 2;
  return type.endsWith('LineString') ? 1 : 0;
}

const edge = (source: string): LayerSpecification => ({
  id: `${source}-edge`,
  type: 'line',
  source,
  layout: { 'line-join': 'round', 'line-cap': 'round' },
  paint: {
    'line-color': ['get', 'stroke'],
    'line-width': ['get', 'strokeWidth'],
    'line-opacity': ['get', 'strokeOpacity'],
  },
});

const SHAPES: readonly LayerSpecification[] = [
  {
    id: 'overlay-areas',
    type: 'fill',
    source: 'overlay-areas',
    paint: { 'fill-color': ['get', 'fill'], 'fill-opacity': ['get', 'fillOpacity'] },
  },
  edge('overlay-areas'),
  edge('overlay-lines'),
];

const MARKERS: readonly LayerSpecification[] = [
  {
    id: 'markers',
    type: 'circle',
    source: 'markers',
    paint: {
      'circle-radius': MARKER_RADIUS_PX,
      'circle-color': ['get', 'marker'],
      'circle-stroke-color': ['get', 'ink'],
      'circle-stroke-width': 1.5,
    },
  },
  {
    id: 'marker-symbols',
    type: 'symbol',
    source: 'markers',
    filter: ['!=', ['get', 'symbol'], ''],
    layout: {
      'text-field': ['get', 'symbol'],
      'text-font': ['Noto Sans SemiBold'],
      'text-size': 11,
      'text-allow-overlap': true,
      'text-ignore-placement': true,
    },
    paint: { 'text-color': ['get', 'ink'] },
  },
];
