/** The basemap's layers and what one feature of them is, from file to table to picture. */
import type { Geometry } from 'geojson';

export const BASEMAP_LAYERS = ['states', 'counties', 'water', 'roads', 'places'] as const;
export type BasemapLayer = (typeof BASEMAP_LAYERS)[number];

/** Coordinates are WGS 84 longitude and latitude in degrees. */
export interface BasemapFeature {
  layer: BasemapLayer;
  /**
   * states: `state`; counties: `county`; water: `ocean`, `lake`, `river`;
   * roads: `interstate`, `highway`; places: `city`, `capital`
   */
  kind: string;
  /** `Dallas`, `Lake Superior`, `I 35`; null where the source gives none */
  name: string | null;
  /** Census code of a state (2 digits) or county (5), else null */
  fips: string | null;
  /** First zoom at which the feature is worth showing (zooms of 512-pixel tiles, as MapLibre's) */
  minZoom: number;
  /**
   * Importance within the layer: lower is more important (label priority, drawing order). Places
   * and water go by Natural Earth's scale rank: 0 a metropolis or great lake, 10 a village or pond.
   */
  rank: number;
  geometry: Geometry;
}

/** All of a feature but its shape. */
export type FeatureFacts = Omit<BasemapFeature, 'geometry'>;
