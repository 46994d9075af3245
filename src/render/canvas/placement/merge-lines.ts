/** Merges lines that continue each other, so that a label can span the segments of a road. Pure. */
import type { FlatPoints } from '../../../base/spatial/flat.ts';

interface NamedLine<Feature> {
  /** Null for a line that is never merged */
  name: string | null;
  /** Feature of the first piece */
  feature: Feature;
  points: FlatPoints;
}

/**
 * Merges pieces with the same name in their order, as MapLibre does. A merged line keeps the position
 * of its first piece in the list.
 */
export function mergeLines<F>(pieces: readonly NamedLine<F>[]): NamedLine<F>[] {
  const merged: (NamedLine<F> | null)[] = [];
  const byStart = new Map<string, number>();
  const byEnd = new Map<string, number>();
  for (const { name, feature, points } of pieces) {
    if (name === null) {
      merged.push({ name, feature, points });
      continue;
    }
    const start = endKey(name, points, 0);
    const end = endKey(name, points, points.length - 2);
    const before = byEnd.get(start);
    const after = byStart.get(end);
    if (before !== undefined && after !== undefined && before !== after) {
      const next = merged[after]!;
      const whole = concatLines(concatLines(merged[before]!.points, points), next.points);
      merged[before] = { ...merged[before]!, points: whole };
      merged[after] = null;
      byEnd.delete(start);
      byStart.delete(end);
      byEnd.set(endKey(name, whole, whole.length - 2), before);
    } else if (before !== undefined) {
      merged[before] = { ...merged[before]!, points: concatLines(merged[before]!.points, points) };
      byEnd.delete(start);
      byEnd.set(end, before);
    } else if (after !== undefined) {
      merged[after] = { ...merged[after]!, points: concatLines(points, merged[after]!.points) };
      byStart.delete(end);
      byStart.set(start, after);
    } else {
      const index = merged.push({ name, feature, points }) - 1;
      byStart.set(start, index);
      byEnd.set(end, index);
    }
  }
  return merged.filter((line) => line !== null);
}

function endKey(name: string, points: FlatPoints, at: number): string {
  return `${name}:${points[at]}:${points[at + 1]}`;
}

/** Concatenates two lines, the second of which starts where the first ends. */
function concatLines(first: FlatPoints, second: FlatPoints): FlatPoints {
  return [...first, ...second.slice(2)];
}
