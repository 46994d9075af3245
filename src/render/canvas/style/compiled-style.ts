/** A style document whose expressions are parsed, ready to evaluate. */
import type { GeoJSONVTOptions } from '@maplibre/geojson-vt';
import type {
  Color,
  FeatureFilter,
  SourceSpecification,
  StylePropertyExpression,
} from '@maplibre/maplibre-gl-style-spec';
import type { Feature } from 'geojson';

export interface CompiledStyle {
  /** The visible layers, in the document's order */
  layers: readonly CompiledLayer[];
  /** By source id */
  sources: Readonly<Record<string, CompiledSource>>;
  light: CompiledRoot<LightProperties>;
  /** Null without a sky */
  sky: CompiledRoot<SkyProperties> | null;
}

/** Returns all properties at a zoom, defaults included. */
export type CompiledRoot<T> = (zoom: number) => T;

export interface LightProperties {
  anchor: 'map' | 'viewport';
  /** Distance, and two angles in degrees: clockwise from the top of the anchor, and from straight above */
  position: readonly [radial: number, azimuthal: number, polar: number];
  color: Color;
  intensity: number;
}

/** Fog and atmosphere belong to terrain and to the globe. */
export interface SkyProperties {
  'sky-color': Color;
  'horizon-color': Color;
  /** Height over which the colors blend, as a share of half the picture's height */
  'sky-horizon-blend': number;
}

export type LayerType =
  | 'background'
  | 'circle'
  | 'color-relief'
  | 'fill'
  | 'fill-extrusion'
  | 'heatmap'
  | 'hillshade'
  | 'line'
  | 'raster'
  | 'symbol';

export interface CompiledLayer {
  id: string;
  /** Path in the document, such as `layers[3]`, for messages */
  path: string;
  type: LayerType;
  /** Null for a background */
  source: string | null;
  /** Null unless the source holds vector tiles */
  sourceLayer: string | null;
  minZoom: number;
  maxZoom: number;
  filter: FeatureFilter['filter'] | null;
  /** Whether `within` or `distance` reads the shapes of features in their tiles */
  readsShapes: boolean;
  /** Every layout and paint property of the layer's type, defaults included */
  properties: ReadonlyMap<string, StylePropertyExpression>;
  /** Equal for layers that differ only in paint properties */
  layoutKey: string;
  /** Names of the properties that the document sets */
  given: ReadonlySet<string>;
}

export interface CompiledSource {
  type: SourceSpecification['type'];
  /** Features in the document itself; null if it holds none */
  features: readonly Feature[] | null;
  /** Sentences that name features in the document that are left out */
  warnings: readonly string[];
  /** Applies the source's filter and assigns feature ids as the source declares. */
  select: (features: readonly Feature[]) => readonly Feature[];
  /** How its features are cut into tiles; null unless the source is GeoJSON */
  tiling: GeoJsonTiling | null;
}

export type GeoJsonTiling = GeoJSONVTOptions;
