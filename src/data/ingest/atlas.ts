/**
 * States and counties from us-atlas: the Census Bureau's cartographic boundaries of 2017
 * (shorelines at 1:500,000), quantized and simplified by the package's authors to about 400 m.
 */
import { createRequire } from 'node:module';
import { area } from '@turf/area';
import type { MultiPolygon, Polygon, Position } from 'geojson';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import type { BasemapFeature } from '../basemap/features.ts';
import { closeRing } from '../../base/spatial/rings.ts';

export type Atlas = Topology<
  Record<'states' | 'counties' | 'nation', GeometryCollection<{ name: string }>>
>;

/** Loads the package's file. The `id` of a geometry is its FIPS code. */
export function loadAtlas(): Atlas {
  return createRequire(import.meta.url)('us-atlas/counties-10m.json') as Atlas;
}

/** County names are legible from zoom 5, where the smaller states fill the view. */
const MIN_ZOOM = { states: 0, counties: 5 } as const;

/** Returns all states, the District of Columbia, and the island areas, with their counties. */
export function atlasStatesAndCounties(): BasemapFeature[] {
  const atlas = loadAtlas();
  return (['states', 'counties'] as const).flatMap((layer) =>
    feature(atlas, atlas.objects[layer]).features.map((shape) => ({
      layer,
      kind: layer === 'states' ? 'state' : 'county',
      name: shape.properties.name,
      fips: String(shape.id),
      minZoom: MIN_ZOOM[layer],
      rank: 0,
      geometry: withoutFlatParts(shape.geometry as Polygon | MultiPolygon),
    })),
  );
}

/** Removes rings without area: quantization flattened some islets and ponds to lines. */
function withoutFlatParts(geometry: Polygon | MultiPolygon): MultiPolygon {
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  const coordinates = polygons
    // The package's outline of Illinois lacks its last point.
    .map((rings) => rings.map(closeRing).filter(enclosesArea))
    .filter((rings) => rings.length > 0);
  return { type: 'MultiPolygon', coordinates };
}

/**
 * The smallest triangle on the atlas's grid measures 1.5e-6 square degrees, at least 5,000 m². Smaller
 * areas are rounding errors.
 */
const enclosesArea = (ring: Position[]): boolean =>
  area({ type: 'Polygon', coordinates: [ring] }) > 500;
