import type { ScreenFeature } from '../sources/screen-feature.ts';
import type { Value } from '../style/property-values.ts';

/** Sorts features by ascending key. The sort is stable; features without a key count as 0. */
export function sortByKey(
  features: readonly ScreenFeature[],
  sortKey: Value<number | undefined>,
): readonly ScreenFeature[] {
  const keys = new Map(features.map((feature) => [feature, sortKey(feature.style) ?? 0]));
  if ([...keys.values()].every((key) => key === 0)) return features;
  return features.toSorted((a, b) => keys.get(a)! - keys.get(b)!);
}
