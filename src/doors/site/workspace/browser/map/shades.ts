/** Divides the values of a measure into the five classes of the map. Pure. */
import { formatMeasure, isScore, type Unit } from '../measures.ts';

/** The classes of scores are the same on every map. */
export const SCORE_BREAKS = [20, 40, 60, 80] as const;
const CLASSES = 5;

/** Lower bounds of all classes but the lowest, ascending: up to four */
export type Breaks = readonly number[];

/**
 * Scores are divided in the same way on every map, and other measures into fifths of the market's ZIP codes. Equal
 * values are in the same class. If these are more than a fifth, such as the zeros of an own data set, the classes above
 * share the rest evenly. No class is empty.
 */
export function breaksOf(name: string, values: Float64Array): Breaks {
  if (isScore(name)) return SCORE_BREAKS;
  const known = values.filter((value) => !Number.isNaN(value)).sort();
  const breaks: number[] = [];
  let start = 0;
  for (let classes = CLASSES; classes > 1; classes--) {
    let next = start + Math.floor((known.length - start) / classes);
    while (next > start && next < known.length && known[next] === known[next - 1]) next++;
    if (next === start || next >= known.length) continue;
    const value = known[next]!;
    // A class of zeros has no other values.
    const rounded = roundTwo(value, known[next - 1] === 0 ? Math.floor : Math.round);
    const least = breaks.at(-1) ?? -Infinity;
    const lower = [rounded, value].find(
      (one) => known.at(-1)! >= one && known.some((other) => other >= least && other < one),
    );
    if (lower !== undefined) breaks.push(lower);
    start = next;
  }
  return breaks;
}

/** Rounds to two digits, so that a legend is easy to read. Years stay unchanged. */
function roundTwo(value: number, round: (value: number) => number): number {
  if (value === 0 || (value > 1700 && value < 2100 && Number.isInteger(value))) return value;
  const digits = 1 - Math.floor(Math.log10(Math.abs(value)));
  // Dividing by 100 is exact where multiplying by 0.01 isn't.
  if (digits > 0) return round(value * 10 ** digits) / 10 ** digits;
  return round(value / 10 ** -digits) * 10 ** -digits;
}

/** Returns the class of a value, 0 for the lowest; null if the value is unknown. */
export function classOf(value: number, breaks: Breaks): number | null {
  if (Number.isNaN(value)) return null;
  let index = 0;
  while (index < breaks.length && value >= breaks[index]!) index++;
  return index;
}

/** Returns the index of a class's color out of five. Fewer classes use colors that are farther apart. */
export function colorOfClass(index: number, breaks: Breaks): number {
  const classes = breaks.length + 1;
  if (classes === 1) return Math.floor(CLASSES / 2);
  return Math.round((index * (CLASSES - 1)) / (classes - 1));
}

/** Returns whether the lowest class contains only zeros. */
export const isLowestZero = (values: Float64Array, [lower = Infinity]: Breaks): boolean =>
  lower > 0 && values.every((value) => !(value < lower) || value === 0);

/** Returns the range of a class: `20–39`, `under $45,000`, `$45,000 to $55,000`. */
export function classLabel(index: number, breaks: Breaks, unit: Unit): string {
  const [from, to] = [breaks[index - 1], breaks[index]];
  if (unit === 'score') return `${from ?? 0}–${to === undefined ? 100 : to - 1}`;
  if (from === undefined && to === undefined) return 'All';
  if (from === undefined) return `under ${formatMeasure(to!, unit)}`;
  if (to === undefined) return `${formatMeasure(from, unit)} or more`;
  return `${formatMeasure(from, unit)} to ${formatMeasure(to, unit)}`;
}
