/** Compiles a source declaration: its filter and feature ids. */
import type {
  GeoJSONSourceSpecification,
  SourceSpecification,
} from '@maplibre/maplibre-gl-style-spec';
import type { Feature } from 'geojson';
import { featuresOf } from '../geojson-data.ts';
import type { CompiledSource } from './compiled-style.ts';
import { styleFeature } from './property-values.ts';
import { featureFilter } from '../style-spec.ts';

export function compileSource(
  id: string,
  source: SourceSpecification,
  globalState: Record<string, unknown>,
): CompiledSource {
  const { type } = source;
  if (type !== 'geojson') return { type, features: null, select: (features) => features };
  const filter = sourceFilter(id, source, globalState);
  const idOf = featureIdReader(source);
  return {
    type,
    features: typeof source.data === 'string' ? null : featuresOf(source.data),
    select(features) {
      const selected = filter === null ? features : features.filter(filter);
      if (idOf === null) return selected;
      return selected.map((feature, index) => ({ ...feature, id: idOf(feature, index) }));
    },
  };
}

function sourceFilter(
  id: string,
  { filter }: GeoJSONSourceSpecification,
  globalState: Record<string, unknown>,
): ((feature: Feature) => boolean) | null {
  if (filter === undefined) return null;
  const passes = featureFilter(filter as never, `sources.${id}.filter`, globalState).filter;
  return (feature) => {
    const style = styleFeature(feature);
    return style !== null && passes({ zoom: 0 }, style as never);
  };
}

/** Returns a function that assigns feature ids, or null if features keep their own. */
function featureIdReader({ promoteId, generateId }: GeoJSONSourceSpecification) {
  if (typeof promoteId === 'string') {
    return ({ properties }: Feature) => properties?.[promoteId] as string | number | undefined;
  }
  return generateId === true ? (_feature: Feature, index: number) => index : null;
}
