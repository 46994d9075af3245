/** The forms in which a style document may give GeoJSON. */
import type { Feature, GeoJSON } from 'geojson';

/** A collection's features, a feature by itself, or one made of a bare geometry. */
export function featuresOf(data: GeoJSON): readonly Feature[] {
  if (data.type === 'FeatureCollection') return data.features;
  if (data.type === 'Feature') return [data];
  return [{ type: 'Feature', properties: {}, geometry: data }];
}
