/** Drawing order, and which features may go into one path. */
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

export interface Batch<Paint> {
  paint: Paint;
  pathData: string;
}

/**
 * Neighbours in drawing order with equal paint, as one path. Only opaque paint is merged: where
 * translucent features overlap, each must show through the other.
 *
 * `paintOf` gives null for what is not to be seen.
 */
export function batchByPaint<Paint extends { opaque: boolean }>(
  features: readonly ScreenFeature[],
  paintOf: (feature: ScreenFeature) => Paint | null,
  outlineOf: (feature: ScreenFeature, paint: Paint) => string = ({ pathData }) => pathData,
): Batch<Paint>[] {
  const batches: Batch<Paint>[] = [];
  let openKey: string | null = null;
  for (const feature of features) {
    const paint = paintOf(feature);
    const pathData = paint === null ? '' : outlineOf(feature, paint);
    if (paint === null || pathData === '') continue;
    const key = paint.opaque ? JSON.stringify(paint) : null;
    const open = batches.at(-1);
    if (open !== undefined && key !== null && key === openKey) open.pathData += pathData;
    else batches.push({ paint, pathData });
    openKey = key;
  }
  return batches;
}
