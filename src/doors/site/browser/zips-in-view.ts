/** The ZIP codes that a map shows, for keys that move between them. */
import type { Map as MapLibreMap, MapGeoJSONFeature } from 'maplibre-gl';
import type { Points } from './points.ts';

interface ZipsInView extends Points {
  zips: readonly string[];
  /** Properties of each in the tiles */
  properties: readonly Record<string, unknown>[];
}

type Extent = [west: number, south: number, east: number, north: number];

/** Each ZIP code is located in the middle of the extent of its parts in the loaded tiles. */
export function zipsInView(map: MapLibreMap, layer: string): ZipsInView {
  const found = new Map<string, { extent: Extent; properties: Record<string, unknown> }>();
  for (const { properties, geometry } of map.queryRenderedFeatures({ layers: [layer] })) {
    const zip = String(properties['zip']);
    const extent: Extent = found.get(zip)?.extent ?? [Infinity, Infinity, -Infinity, -Infinity];
    for (const [x = NaN, y = NaN] of positionsOf(geometry)) {
      extent[0] = Math.min(extent[0], x);
      extent[1] = Math.min(extent[1], y);
      extent[2] = Math.max(extent[2], x);
      extent[3] = Math.max(extent[3], y);
    }
    found.set(zip, { extent, properties });
  }
  const all = [...found.values()];
  return {
    zips: [...found.keys()],
    properties: all.map(({ properties }) => properties),
    lon: all.map(({ extent: [west, , east] }) => (west + east) / 2),
    lat: all.map(({ extent: [, south, , north] }) => (south + north) / 2),
  };
}

function positionsOf(geometry: MapGeoJSONFeature['geometry']): readonly number[][] {
  if (geometry.type === 'Polygon') return geometry.coordinates.flat();
  return geometry.type === 'MultiPolygon' ? geometry.coordinates.flat(2) : [];
}
