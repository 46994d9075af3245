/** A style document whose expressions are parsed, ready to evaluate. */
import type {
  FeatureFilter,
  SourceSpecification,
  StylePropertyExpression,
} from '@maplibre/maplibre-gl-style-spec';
import type { Feature } from 'geojson';
import type { CompiledRoot } from './compile-root.ts';
import type { LightProperties } from '../extrusion/light.ts';
import type { SkyProperties } from '../layers/sky.ts';
import type { Tiling } from '../sources/geojson-tiles.ts';

export interface CompiledStyle {
  /** The visible layers, in the document's order */
  layers: readonly CompiledLayer[];
  /** By source id */
  sources: Readonly<Record<string, CompiledSource>>;
  light: CompiledRoot<LightProperties>;
  /** Null without a sky */
  sky: CompiledRoot<SkyProperties> | null;
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
  /** Applies the source's filter and assigns feature ids as the source declares. */
  select: (features: readonly Feature[]) => readonly Feature[];
  /** How its features are cut into tiles; null unless the source is GeoJSON */
  tiling: Tiling | null;
}
