/** The layers of the basemap and their features. */
import type { Geometry } from 'geojson';

export const BASEMAP_LAYERS = [
  'states',
  'counties',
  'water',
  'landuse',
  'roads',
  'places',
] as const;
export type BasemapLayer = (typeof BASEMAP_LAYERS)[number];

/** The layers of maps: the imported layers, and the borders of states and counties on land. */
export const MAP_LAYERS = [...BASEMAP_LAYERS, 'borders'] as const;
export type MapLayer = (typeof MAP_LAYERS)[number];

/** Coordinates are WGS 84 longitude and latitude in degrees. */
export interface BasemapFeature {
  layer: BasemapLayer;
  /**
   * states: `state`; counties: `county`; water: `ocean`, `lake`, `river` (a line or an area);
   * landuse: `park`, `golf`, `cemetery`, `airport`, `campus`, `hospital`, `military`;
   * roads: `interstate`, `freeway`, `highway`, `street`, `ramp`, `service`, `path`;
   * places: `city`, `capital`. Borders on land are lines of states and counties: `border`
   */
  kind: string;
  /** `Dallas`, `Lake Superior`, `I 35`; null if the source has no name */
  name: string | null;
  /** Census code of a state (2 digits) or county (5 digits); null for others */
  fips: string | null;
  /** Lowest zoom at which the feature is shown (512-pixel tiles, as in MapLibre) */
  minZoom: number;
  /**
   * Importance within the layer, for label priority and drawing order: lower is more important.
   * Places and water use Natural Earth's scale rank, from 0 (metropolis, great lake) to 10 (village,
   * pond).
   */
  rank: number;
  geometry: Geometry;
}

/** A feature without its geometry. */
export type FeatureFacts = Omit<BasemapFeature, 'geometry'>;
