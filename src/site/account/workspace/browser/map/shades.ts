/** Divides the values of a measure into the five classes of the map. Pure. */
import { formatMeasure, isScore, type Unit } from '../measures.ts';

/** The classes of scores are the same on every map. */
export const SCORE_BREAKS = [20, 40, 60, 80] as const;
const CLASSES = 5;

/** Lower bounds of all classes but the lowest, ascending: up to four */
export type Breaks = readonly number[];

/**
 * Scores are divided in the same way on every map, and other measures into fifths of the market's ZIP
 * codes.
 */
export function breaksOf(name: string, values: Float64Array): Breaks {
  if (isScore(name)) return SCORE_BREAKS;
  const known = values.filter((value) => !Number.isNaN(value)).sort();
  if (known.length === 0) return [];
  const candidates = Array.from({ length: CLASSES - 1 }, (_, i) =>
    roundBreak(known[Math.floor(((i + 1) * known.length) / CLASSES)]!),
  );
  return [...new Set(candidates)].filter((lower) => lower > known[0]!);
}

/** Rounds to two digits, so that a legend is easy to read. Years stay unchanged. */
function roundBreak(value: number): number {
  if (value === 0 || (value > 1700 && value < 2100 && Number.isInteger(value))) return value;
  const unit = 10 ** (Math.floor(Math.log10(Math.abs(value))) - 1);
  return Math.round(value / unit) * unit;
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

/** Returns the range of a class: `20–39`, `under $45,000`, `$45,000 to $55,000`. */
export function classLabel(index: number, breaks: Breaks, unit: Unit): string {
  const [from, to] = [breaks[index - 1], breaks[index]];
  if (unit === 'score') return `${from ?? 0}–${to === undefined ? 100 : to - 1}`;
  if (from === undefined && to === undefined) return 'All';
  if (from === undefined) return `under ${formatMeasure(to!, unit)}`;
  if (to === undefined) return `${formatMeasure(from, unit)} or more`;
  return `${formatMeasure(from, unit)} to ${formatMeasure(to, unit)}`;
}
