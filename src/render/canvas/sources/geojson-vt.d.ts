/** The part that we use. The package's own types need a bundler to resolve. */
declare module '@maplibre/geojson-vt' {
  export interface GeoJSONVTOptions {
    maxZoom: number;
    /** Side of a tile, in its units; so are `buffer`, `tolerance`, and `radius` */
    extent: number;
    buffer: number;
    tolerance: number;
    lineMetrics: boolean;
    indexMaxZoom: number;
    indexMaxPoints: number;
    cluster: boolean;
    clusterOptions: ClusterOptions;
  }

  export interface ClusterOptions {
    extent: number;
    radius: number;
    maxZoom: number;
    minPoints: number;
    /** Returns the properties of a point as those of a cluster. */
    map?(properties: Record<string, unknown> | null): Record<string, unknown>;
    /** Adds the properties of a point or cluster to those of a cluster. */
    reduce?(accumulated: Record<string, unknown>, properties: Record<string, unknown>): void;
  }

  export type GeoJSONVTFeature = { id?: string | number; tags: Record<string, unknown> | null } & (
    | { type: 1; geometry: [x: number, y: number][] }
    | { type: 2 | 3; geometry: [x: number, y: number][][] }
  );

  export class GeoJSONVT {
    constructor(data: import('geojson').GeoJSON, options: GeoJSONVTOptions);
    getTile(z: number, x: number, y: number): { features: GeoJSONVTFeature[] } | null;
  }
}
