/**
 * The United States in Albers' conic equal-area projection, as in EPSG:5070, with Alaska, Hawaii, and
 * Puerto Rico moved below the contiguous states. Areas can be compared, while Mercator enlarges them toward
 * the north.
 *
 * Points of the plane are expressed as the longitude and latitude with the same Web Mercator coordinates,
 * so code that draws Web Mercator can draw the plane. It is centered on 0°, 0°, at the scale of Mercator at
 * latitude 38.
 */
import type { Geometry, Position } from 'geojson';
import { latOfMercatorY, lngOfMercatorX, type LngLat } from './mercator.ts';

interface AlbersRegion {
  /** Standard parallels */
  parallels: readonly [number, number];
  meridian: number;
  /** Point that is drawn at `at` */
  center: LngLat;
  /** In radii of the earth, east and north of the middle of the contiguous states */
  at: readonly [east: number, north: number];
  /** Relative to the contiguous states */
  scale: number;
}

/** Parallels and positions as in d3-geo’s `geoAlbersUsa`, which lacks Puerto Rico. */
const ALBERS_REGIONS = {
  contiguous: {
    parallels: [29.5, 45.5],
    meridian: -96,
    center: [-96.6, 38.7],
    at: [0, 0],
    scale: 1,
  },
  alaska: {
    parallels: [55, 65],
    meridian: -154,
    center: [-156, 58.5],
    at: [-0.307, -0.201],
    scale: 0.35,
  },
  hawaii: {
    parallels: [8, 18],
    meridian: -157,
    center: [-160, 19.9],
    at: [-0.205, -0.212],
    scale: 1,
  },
  puertoRico: {
    parallels: [8, 18],
    meridian: -66,
    center: [-66.4, 18.2],
    at: [0.34, -0.212],
    scale: 1,
  },
} as const satisfies Record<string, AlbersRegion>;

export type AlbersRegionName = keyof typeof ALBERS_REGIONS;

/** The region of a state by its USPS code. Unknown states are contiguous. */
export function albersRegionOf(state: string | null): AlbersRegionName {
  const outlying = { AK: 'alaska', HI: 'hawaii', PR: 'puertoRico' } as const;
  return outlying[state as keyof typeof outlying] ?? 'contiguous';
}

/** The region of a point in the United States */
export function albersRegionAt([lng, lat]: LngLat): AlbersRegionName {
  if (lat > 49.5 && (lng < -129 || lng > 170)) return 'alaska';
  if (lat < 24 && lng < -154) return 'hawaii';
  return lat < 20 && lng > -69 ? 'puertoRico' : 'contiguous';
}

/** The scale of Web Mercator at latitude 38, the middle of the country. */
const MERCATOR_SCALE = 1 / Math.cos(radians(38));
/** Maximum length of an edge, in degrees. Longer ones would be straight where a parallel curves. */
const MAX_EDGE_DEG = 0.5;

/** Projects a longitude and latitude of a region to the plane. */
export function projectAlbers(name: AlbersRegionName, [lng, lat]: LngLat): LngLat {
  const region: AlbersRegion = ALBERS_REGIONS[name];
  const [x, y] = conic(region, lng, lat);
  const [x0, y0] = conic(region, ...region.center);
  const east = region.at[0] + (x - x0) * region.scale;
  const north = region.at[1] + (y - y0) * region.scale;
  // The earth's radius is the world's width divided by 2π.
  const world = MERCATOR_SCALE / (2 * Math.PI);
  return [lngOfMercatorX(0.5 + east * world), latOfMercatorY(0.5 - north * world)];
}

/** Snyder, Map Projections, 14-1 to 14-6, in radii of the earth. */
function conic(
  { parallels, meridian }: AlbersRegion,
  lng: number,
  lat: number,
): [x: number, y: number] {
  const [sine1, sine2] = parallels.map((parallel) => Math.sin(radians(parallel))) as [
    number,
    number,
  ];
  const n = (sine1 + sine2) / 2;
  const c = 1 + sine1 * (2 * n - sine1);
  const radius = Math.sqrt(c - 2 * n * Math.sin(radians(lat))) / n;
  // The Aleutians extend beyond 180°.
  const angle = n * radians(((lng - meridian + 540) % 360) - 180);
  return [radius * Math.sin(angle), Math.sqrt(c) / n - radius * Math.cos(angle)];
}

/** Projects a geometry of a region, and adds points to long edges. */
export function projectGeometry<G extends Geometry>(name: AlbersRegionName, geometry: G): G {
  const point = (position: Position) => projectAlbers(name, position as LngLat) as Position;
  const line = (positions: Position[]) => divideEdges(positions).map(point);
  const projectByType = (): Geometry => {
    switch (geometry.type) {
      case 'Point':
        return { type: 'Point', coordinates: point(geometry.coordinates) };
      case 'MultiPoint':
        return { type: 'MultiPoint', coordinates: geometry.coordinates.map(point) };
      case 'LineString':
        return { type: 'LineString', coordinates: line(geometry.coordinates) };
      case 'MultiLineString':
        return { type: 'MultiLineString', coordinates: geometry.coordinates.map(line) };
      case 'Polygon':
        return { type: 'Polygon', coordinates: geometry.coordinates.map(line) };
      case 'MultiPolygon':
        return {
          type: 'MultiPolygon',
          coordinates: geometry.coordinates.map((rings) => rings.map(line)),
        };
      case 'GeometryCollection':
        return {
          type: 'GeometryCollection',
          geometries: geometry.geometries.map((part) => projectGeometry(name, part)),
        };
    }
  };
  return projectByType() as G;
}

function divideEdges(positions: readonly Position[]): Position[] {
  return positions.flatMap((to, i) => {
    const from = positions[i - 1];
    if (from === undefined) return [to];
    const [west, south] = from as LngLat;
    const [east, north] = to as LngLat;
    const parts = Math.ceil(
      Math.max(Math.abs(east - west), Math.abs(north - south)) / MAX_EDGE_DEG,
    );
    // An edge along the antimeridian is short on the globe.
    if (parts <= 1 || Math.abs(east - west) > 180) return [to];
    return Array.from({ length: parts }, (_, part) => {
      const share = (part + 1) / parts;
      return [west + (east - west) * share, south + (north - south) * share];
    });
  });
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
