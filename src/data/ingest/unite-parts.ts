/** Unites the parts of areas that come in several features, such as a ZIP code in two counties. */
import mapshaper, { type Dataset, type Layer } from 'mapshaper';

const { internal } = mapshaper;

export interface Unite {
  /** Returns the same key for the parts of an area, and null for other features. */
  keyOf: (properties: Record<string, unknown>) => string | null;
  /** Receives the keys of areas with several parts. */
  onUnited: (keys: readonly string[]) => void;
}

/**
 * Replaces the first part with the union of all parts. Parts may overlap.
 * @returns the indexes of the other parts, which have no shape now
 */
export function uniteParts(
  layer: Layer,
  dataset: Dataset,
  { keyOf, onUnited }: Unite,
): Set<number> {
  const { data, shapes } = layer;
  if (!data || !shapes) return new Set();
  const byKey = new Map<string, number[]>();
  for (const [i, record] of data.getRecords().entries()) {
    const key = shapes[i] ? keyOf(record) : null;
    if (key !== null) byKey.set(key, [...(byKey.get(key) ?? []), i]);
  }
  const divided = [...byKey].filter(([, parts]) => parts.length > 1);
  if (divided.length === 0) return new Set();
  let next = 0;
  const groups = divided.map(([, parts]) => parts.map(() => next++));
  const copies = structuredClone(divided.flatMap(([, parts]) => parts.map((i) => shapes[i]!)));
  const pieces: Layer = { geometry_type: 'polygon', shapes: copies };
  // Divides the arcs where they cross, in all layers.
  dataset.layers.push(pieces);
  internal.addIntersectionCuts(dataset, {});
  dataset.layers.pop();
  const united = internal.dissolvePolygonGroups2(groups, pieces, dataset, { allow_overlaps: true });
  for (const [group, [, [first]]] of divided.entries()) layer.shapes![first!] = united[group]!;
  const absorbed = new Set(divided.flatMap(([, [, ...others]]) => others));
  for (const i of absorbed) layer.shapes![i] = null;
  onUnited(divided.map(([key]) => key));
  return absorbed;
}
