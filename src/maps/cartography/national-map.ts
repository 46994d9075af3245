/**
 * The basemap of the country in Albers’ projection: states, borders, Great Lakes, interstates, and cities.
 */
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import type { Feature, Point, Position } from 'geojson';
import { basemapInView } from '../../data/basemap/view.ts';
import type { Queryable } from '../../base/db/database.ts';
import type { PlacedZip } from '../../data/market/zips.ts';
import {
  albersRegionOf,
  projectGeometry,
  type AlbersRegionName,
} from '../../base/spatial/albers-usa.ts';
import { bboxOfGeometry, type Bbox } from '../../base/spatial/bbox.ts';
import { states } from '../../base/geodata/states.ts';
import { contains, type Area } from './state-names.ts';

/** Extent of the picture: the United States */
export const UNITED_STATES: Bbox = [-179.2, 17.8, -65.2, 71.5];

/** Boxes whose basemap is loaded */
const BOXES: Readonly<Record<AlbersRegionName, readonly Bbox[]>> = {
  contiguous: [[-125.5, 24, -66, 49.6]],
  alaska: [
    [-180, 50.5, -129, 72],
    [172, 50.5, 180, 55],
  ],
  hawaii: [[-161, 18.5, -154.5, 22.6]],
  puertoRico: [[-67.5, 17.8, -65.1, 18.6]],
};

/**
 * Canadian lakes would float next to the country. Natural Earth's scale rank of the Great Lakes is 0 or 1.
 */
const GREAT_LAKE = { maxRank: 1, maxLat: 49 };

/** Returns a box around a ZIP code in the plane of the projection. */
export function projectPlaced(placed: readonly PlacedZip[]): PlacedZip[] {
  return placed.map((zip) => {
    const coordinates = cornersOf(zip.bbox);
    const box = projectGeometry(albersRegionOf(zip.state), { type: 'MultiPoint', coordinates });
    return { ...zip, bbox: bboxOfGeometry(box) };
  });
}

/**
 * The box of Puerto Rico in the plane. Furniture leaves it free even if the map has none of its ZIP codes.
 */
export const PUERTO_RICO: Bbox = bboxOfGeometry(
  projectGeometry('puertoRico', {
    type: 'MultiPoint',
    coordinates: cornersOf(BOXES.puertoRico[0]!),
  }),
);

function cornersOf([west, south, east, north]: Bbox): Position[] {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
  ];
}

const LAYERS = ['states', 'borders', 'water', 'roads', 'places'] as const;

/** Returns the sources of the basemap, by layer. @param lod level of detail: see `base/spatial/detail.ts` */
export async function nationalBasemap(
  db: Queryable,
  zoom: number,
  lod: number,
): Promise<Record<(typeof LAYERS)[number], Feature[]>> {
  const uspsOf = new Map(states().map(({ fips, usps }) => [fips, usps]));
  const layers = Object.fromEntries(LAYERS.map((layer) => [layer, [] as Feature[]])) as Record<
    (typeof LAYERS)[number],
    Feature[]
  >;
  for (const [region, boxes] of Object.entries(BOXES) as [AlbersRegionName, Bbox[]][]) {
    for (const box of boxes) {
      const view = await basemapInView(db, box, zoom, lod);
      const inRegion = view.states.filter(
        ({ properties }) => albersRegionOf(uspsOf.get(properties!.fips) ?? null) === region,
      ) as Area[];
      const project = (feature: Feature): Feature => ({
        ...feature,
        geometry: projectGeometry(region, feature.geometry),
      });
      const isOnLand = ({ geometry }: Feature) =>
        inRegion.some((state) =>
          contains(state, (geometry as Point).coordinates as [number, number]),
        );
      layers.states.push(...inRegion.map(project));
      if (region === 'contiguous') {
        layers.borders.push(
          ...view.borders.filter(({ properties }) => properties!.kind === 'state').map(project),
        );
        layers.water.push(...view.water.filter(isGreatLake).map(project));
        layers.roads.push(
          ...view.roads.filter(({ properties }) => properties!.kind === 'interstate').map(project),
        );
      }
      layers.places.push(...view.places.filter(isOnLand).map(project));
    }
  }
  return layers;
}

function isGreatLake({ properties, geometry }: Feature): boolean {
  const { kind, rank } = properties as { kind: string; rank: number };
  const [, , , north] = bboxOfGeometry(geometry);
  return kind === 'lake' && rank <= GREAT_LAKE.maxRank && north <= GREAT_LAKE.maxLat + 0.5;
}

const OMITTED = new Set(['ocean', 'zip-dots', 'zip-dot-names']);

/**
 * Everything around the country has one color, because oceans and neighbors are omitted. Dots would be
 * clutter.
 */
export function nationalStyle(style: StyleSpecification): StyleSpecification {
  return { ...style, layers: style.layers.filter(({ id }) => !OMITTED.has(id)) };
}
