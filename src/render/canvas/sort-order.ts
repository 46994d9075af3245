/** Drawing order. */
import type { ScreenFeature } from './screen-feature.ts';
import type { Value } from './values.ts';

/** Ascending by sort key; equal keys, and features without one, keep their order. */
export function inSortOrder(
  features: readonly ScreenFeature[],
  sortKey: Value<number | undefined>,
): readonly ScreenFeature[] {
  const keys = new Map(features.map((feature) => [feature, sortKey(feature.style) ?? 0]));
  if ([...keys.values()].every((key) => key === 0)) return features;
  return features.toSorted((a, b) => keys.get(a)! - keys.get(b)!);
}
