import type { ScreenFeature } from '../sources/screen-feature.ts';
import type { Value } from '../style/property-values.ts';

/** Sorts features by ascending key. The sort is stable; features without a key count as 0. */
export function sortByKey(
  features: readonly ScreenFeature[],
  sortKey: Value<number | undefined>,
): readonly ScreenFeature[] {
  const keys = new Map<ScreenFeature, number>();
  for (const feature of features) {
    const key = sortKey(feature.style) ?? 0;
    if (key !== 0) keys.set(feature, key);
  }
  if (keys.size === 0) return features;
  return features.toSorted((a, b) => (keys.get(a) ?? 0) - (keys.get(b) ?? 0));
}
