/**
 * Compares figures of the ZIP code areas (ZCTAs) of 2010 with those of 2020, by the land that they have in common. Pure.
 */
import type { StoredPart } from '../ingest/vintages/relations.ts';
import { EstimateSum, scaled } from '../statistics/margins.ts';
import { LINES, NO_LINES, type Line, type LineValues } from '../ingest/vintages/lines.ts';

/** Areas whose common land is at least this share of both count as unchanged: borders are drawn anew a little. */
const UNCHANGED_SHARE = 0.99;
/** Smaller parts are slivers along borders. */
const SLIVER = 0.001;

/** Only counts can be divided among areas. */
const MEDIANS: ReadonlySet<Line> = new Set([
  'medianAge',
  'medianIncome',
  'medianHomeValue',
  'medianYearBuilt',
]);

/** Returns whether an area is the same in 2010 and 2020. @param parts those of the area of 2020 */
export const isUnchanged = (zip: string, parts: readonly StoredPart[]): boolean =>
  parts.some(
    (part) =>
      part.zip2010 === zip &&
      part.shareOf2010 >= UNCHANGED_SHARE &&
      part.shareOf2020 >= UNCHANGED_SHARE,
  );

/** An area of 2010 of which a part is in an area of 2020 */
export interface Source {
  zip2010: string;
  /** Share of its counts that belongs to the area of 2020 */
  weight: number;
  lines: LineValues;
}

/** Returns the areas of 2010 that an area of 2020 has a part of. */
export const sourcesOf = (
  parts: readonly StoredPart[],
  linesOf: (zip2010: string) => LineValues | undefined,
): Source[] =>
  parts
    .filter(({ weight }) => weight > SLIVER)
    .map(({ zip2010, weight }) => ({ zip2010, weight, lines: linesOf(zip2010) ?? NO_LINES }));

/**
 * Returns what the areas of 2010 say about an area of 2020: the sum of their counts, each multiplied by the weight of the
 * common part. Medians are unknown, and so is a count of which a part is unknown.
 */
export function apportioned(
  parts: readonly StoredPart[],
  linesOf: (zip2010: string) => LineValues | undefined,
): LineValues {
  const relevant = sourcesOf(parts, linesOf);
  if (relevant.length === 0) return NO_LINES;
  const sum = (line: Line): LineValues[Line] => {
    const sum = new EstimateSum();
    for (const { lines, weight } of relevant) {
      const { value, margin } = lines[line];
      if (value === null || margin === null) return NO_LINES[line];
      sum.add(scaled({ value, margin }, weight));
    }
    return sum.estimate;
  };
  return Object.fromEntries(
    LINES.map((line) => [line, MEDIANS.has(line) ? NO_LINES[line] : sum(line)]),
  ) as LineValues;
}
