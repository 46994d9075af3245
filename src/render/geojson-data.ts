/** Inline GeoJSON of a style document. */
import type { Feature, GeoJSON } from 'geojson';

/** The features of a collection, a single feature, or a bare geometry as a feature. */
export function featuresOf(data: GeoJSON): readonly Feature[] {
  if (data.type === 'FeatureCollection') return data.features;
  if (data.type === 'Feature') return [data];
  return [{ type: 'Feature', properties: {}, geometry: data }];
}
