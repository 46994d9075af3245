/** Which five-year periods can be compared. Pure. */
import { joinWithAnd } from '../../../base/text/words.ts';

/** The last year of the first period with the ZIP code areas (ZCTAs) of 2020. Earlier ones have those of 2010. */
export const FIRST_OF_2020 = 2020;

/** The first and last year of a period, such as `2019-2023` */
export const spanOf = (year: number): string => `${year - 4}-${year}`;

/**
 * Whether two periods have no year in common. The Census Bureau advises to compare only such five-year estimates: those
 * of overlapping periods share answers, so their difference says little ("Understanding and Using American Community
 * Survey Data", chapter 4).
 */
export const isComparable = (year: number, other: number): boolean => Math.abs(year - other) >= 5;

/** Returns what can be compared among kept periods, in sentences for the report of an import. */
export function comparisonNotes(years: readonly number[]): string[] {
  const notes: string[] = [];
  const pairs = years.flatMap((from) => years.filter((to) => to > from).map((to) => [from, to]));
  const comparable = pairs.filter(([from, to]) => isComparable(from!, to!));
  if (comparable.length > 0) {
    const texts = comparable.map(([from, to]) => `${spanOf(from!)} and ${spanOf(to!)}`);
    notes.push(`These periods can be compared: ${texts.join('; ')}.`);
  }
  const overlapping = pairs.filter(([from, to]) => !isComparable(from!, to!));
  if (overlapping.length > 0) {
    const texts = overlapping.map(
      ([from, to]) =>
        `${spanOf(from!)} and ${spanOf(to!)} (both have ${joinWithAnd(commonYears(from!, to!).map(String))})`,
    );
    notes.push(`These periods overlap, so they aren’t compared: ${texts.join('; ')}.`);
  }
  return notes;
}

const commonYears = (from: number, to: number): number[] => {
  const years: number[] = [];
  for (let year = to - 4; year <= from; year++) years.push(year);
  return years;
};
