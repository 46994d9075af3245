/**
 * States and counties from us-atlas: the Census Bureau's cartographic boundaries of 2017 (shores at
 * 1:500,000), quantised and simplified by its makers to about 400 m.
 */
import { createRequire } from 'node:module';
import type { MultiPolygon, Polygon, Position } from 'geojson';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import type { BasemapFeature } from '../basemap/features.ts';

export type Atlas = Topology<
  Record<'states' | 'counties' | 'nation', GeometryCollection<{ name: string }>>
>;

/** Reads the package's file: 10 ms. `id` of a geometry is its FIPS code. */
export function loadAtlas(): Atlas {
  return createRequire(import.meta.url)('us-atlas/counties-10m.json') as Atlas;
}

/** County names start to be readable at zoom 5, where the smaller states fill the view. */
const MIN_ZOOM = { states: 0, counties: 5 } as const;

/** Every state, the District of Columbia and the island areas, and their counties. */
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

/** Quantising has flattened some islets and lakelets to lines: rings that enclose nothing. */
function withoutFlatParts(geometry: Polygon | MultiPolygon): MultiPolygon {
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  const coordinates = polygons
    .map((rings) => rings.map(closed).filter(enclosesArea))
    .filter((rings) => rings.length > 0);
  return { type: 'MultiPolygon', coordinates };
}

/** The package's outline of Illinois lacks its last point. */
function closed(ring: Position[]): Position[] {
  const [first, last] = [ring[0]!, ring.at(-1)!];
  return first[0] === last[0] && first[1] === last[1] ? ring : [...ring, first];
}

/** The smallest triangle on the atlas's grid has 1.5e-6 square degrees; less is rounding. */
function enclosesArea(ring: readonly Position[]): boolean {
  let doubled = 0;
  for (let i = 1; i < ring.length; i++) {
    const [x1, y1] = ring[i - 1] as [number, number];
    const [x2, y2] = ring[i] as [number, number];
    doubled += x1 * y2 - x2 * y1;
  }
  return Math.abs(doubled / 2) > 1e-7;
}
