/** Inline GeoJSON of a style document. */
import type { Feature, GeoJSON } from 'geojson';

/**
 * The features of a collection, a single feature, or a bare geometry as a feature. As in MapLibre, each
 * geometry of a GeometryCollection becomes a feature, and `null` and features without a geometry are
 * omitted.
 */
export function featuresOf(data: GeoJSON): readonly Feature[] {
  if (data.type === 'FeatureCollection') return data.features.flatMap(splitGeometries);
  if (data.type === 'Feature') return splitGeometries(data);
  return splitGeometries({ type: 'Feature', properties: {}, geometry: data });
}

function splitGeometries(feature: Feature | null): Feature[] {
  const geometry = feature?.geometry;
  if (feature === null || geometry == null) return [];
  if (geometry.type !== 'GeometryCollection') return [feature];
  return geometry.geometries.flatMap((each) => splitGeometries({ ...feature, geometry: each }));
}
