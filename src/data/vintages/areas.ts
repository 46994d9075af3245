/**
 * Compares figures of the ZIP code areas (ZCTAs) of 2010 with those of 2020, by the land that they have in common. Pure.
 */
import type { StoredPart } from '../ingest/vintages/relations.ts';
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

/**
 * Returns what the areas of 2010 say about an area of 2020: the sum of their counts, each multiplied by the weight of the
 * common part. Medians are unknown, and so is a count of which a part is unknown.
 */
export function apportioned(
  parts: readonly StoredPart[],
  linesOf: (zip2010: string) => LineValues | undefined,
): LineValues {
  const relevant = parts.filter(({ weight }) => weight > SLIVER);
  if (relevant.length === 0) return NO_LINES;
  const sum = (line: Line): LineValues[Line] => {
    let value = 0;
    let squares = 0;
    for (const { zip2010, weight } of relevant) {
      const one = linesOf(zip2010)?.[line];
      if (!one || one.value === null || one.margin === null) return NO_LINES[line];
      value += weight * one.value;
      squares += (weight * one.margin) ** 2;
    }
    return { value, margin: Math.sqrt(squares) };
  };
  return Object.fromEntries(
    LINES.map((line) => [line, MEDIANS.has(line) ? NO_LINES[line] : sum(line)]),
  ) as LineValues;
}
