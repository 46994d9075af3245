/** Features in the schema of Protomaps' basemap, version 4: https://docs.protomaps.com/basemaps/layers */
import { cut, lengthOf, type Area, type Line, type Point } from './lines.ts';

/** Undefined ones are left out. */
type Properties = Readonly<Record<string, string | number | boolean | undefined>>;

export interface StreetFeature {
  layer: 'earth' | 'landuse' | 'water' | 'roads' | 'buildings' | 'places' | 'pois';
  type: 'Point' | 'LineString' | 'Polygon';
  /** First and last zoom of tiles with the feature */
  zooms: readonly [first: number, last: number];
  properties: Properties;
  /** Further properties, from a zoom on */
  details?: { zoom: number; properties: Properties };
  line: Line;
}

export const MAX_ZOOM = 14;

/**
 * By class of OpenStreetMap's `highway`: `kind`, `min_zoom`, and the first zoom of tiles with details. Tiles have a
 * road from the zoom below `min_zoom`, which is for tiles of 256 pixels.
 */
const ROADS = {
  motorway: ['highway', 4, 12],
  motorway_link: ['highway', 12, 14],
  trunk: ['major_road', 7, 11],
  primary: ['major_road', 8, 12],
  secondary: ['major_road', 10, 12],
  tertiary: ['major_road', 12, 13],
  residential: ['minor_road', 13, 14],
  unclassified: ['minor_road', 13, 14],
  footway: ['path', 14, 14],
  cycleway: ['path', 14, 14],
  rail: ['rail', 12, 12],
} as const;

type RoadClass = keyof typeof ROADS;

interface RoadOptions {
  name?: string;
  /** Number and network of the road's shield */
  route?: { ref: string; shield_text: string; network: string };
  isOneway?: true;
  zooms?: readonly [first: number, last: number];
  /** Areas at which the road ends */
  ends?: readonly Area[];
  /** Areas that the road crosses on bridges */
  bridges?: readonly Area[];
}

/** Shorter dead ends are left out; in meters */
const SHORTEST = 40;
/** A longer bridge over a freeway would run along it; in meters */
const LONGEST_BRIDGE = 1500;

/** Returns the parts of roads between the areas at which they end. */
export function road(type: RoadClass, lines: readonly Line[], options: RoadOptions = {}) {
  const { name, route, isOneway, ends = [], bridges = [] } = options;
  const [kind, minZoom, detailZoom] = ROADS[type];
  const { zooms = [minZoom - 1, MAX_ZOOM] } = options;
  const is_link = type === 'motorway_link' || undefined;
  const part = (line: Line, is_bridge?: true): StreetFeature => ({
    layer: 'roads',
    type: 'LineString',
    zooms,
    line,
    properties: { kind, kind_detail: type, min_zoom: minZoom, sort_rank: 400, is_link, ...route },
    details: { zoom: detailZoom, properties: { name, oneway: isOneway && 'yes', is_bridge } },
  });
  return lines
    .flatMap((line) => cut(line, ends).outside)
    .filter((line) => lengthOf(line) > SHORTEST)
    .flatMap((line) => {
      const { inside, outside } = cut(line, bridges);
      const short = inside.filter((bridge) => lengthOf(bridge) < LONGEST_BRIDGE);
      return [...outside.map((open) => part(open)), ...short.map((bridge) => part(bridge, true))];
    });
}

const RANKS = { landuse: 189, water: 200, buildings: 400 };

/** Returns an area. */
export const area = (
  layer: keyof typeof RANKS,
  { ring }: Area,
  first: number,
  properties: Properties,
): StreetFeature => ({
  layer,
  type: 'Polygon',
  zooms: [first, MAX_ZOOM],
  line: ring,
  properties: { ...properties, sort_rank: RANKS[layer] },
});

/** Returns a named point. */
export const label = (
  layer: StreetFeature['layer'],
  at: Point,
  minZoom: number,
  properties: Properties,
): StreetFeature => ({
  layer,
  type: 'Point',
  zooms: [minZoom - 1, MAX_ZOOM],
  line: [at],
  properties: { ...properties, min_zoom: minZoom },
});
