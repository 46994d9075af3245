/** Colors ZIP codes by any amount, such as an organization's own jobs, in the colors of score classes. */
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { paletteOf } from '../../data/basemap/palette.ts';
import type { Legend } from '../../render/furniture/furniture.ts';
import { formatCount } from '../../base/text/words.ts';
import type { ZipColor } from './choropleth.ts';
import { CLASSES, colorsOfClasses, NATIONAL_CLASSES } from './classes.ts';
import { blendWithLand } from './furniture/legends.ts';

export interface AmountColoring {
  by: 'amount';
  /** Title of the legend */
  title: string;
  /** Second line of the legend */
  method: string;
  /** Lowest class first */
  labels: readonly string[];
  /** Lowest and highest amount of all classes; null without any */
  range: readonly [lowest: string, highest: string] | null;
  /** Index of each ZIP code's class. The others have no data */
  classOf: ReadonlyMap<string, number>;
}

/**
 * Divides amounts into up to five classes with about equal numbers of ZIP codes. Equal amounts are in the same class,
 * and no class is empty.
 * @param format formats the ends of a class
 */
export function amountColoring(
  amounts: ReadonlyMap<string, number>,
  {
    format,
    ...texts
  }: Pick<AmountColoring, 'title' | 'method'> & { format(amount: number): string },
): AmountColoring {
  const sorted = Float64Array.from(amounts.values()).sort();
  const starts = startsOfClasses(sorted);
  const lower = starts.map((at) => sorted[at]!);
  const labels = starts.map((at, i) => {
    const ends = [sorted[at]!, sorted[(starts[i + 1] ?? sorted.length) - 1]!].map(format);
    return ends[0] === ends[1] ? ends[0]! : ends.join('–');
  });
  const classes = Array.from(amounts, ([zip, amount]) => {
    return [zip, lower.findLastIndex((from) => amount >= from)] as const;
  });
  const range =
    sorted.length === 0 ? null : ([format(sorted[0]!), format(sorted.at(-1)!)] as const);
  return { by: 'amount', ...texts, labels, range, classOf: new Map(classes) };
}

/**
 * Returns the position of the lowest amount of each class. What ties make a class too large is taken from those that
 * remain in equal parts, so that many equal amounts don't leave the others in one class.
 */
function startsOfClasses(sorted: Float64Array): number[] {
  if (sorted.length === 0) return [];
  const starts = [0];
  while (starts.length < CLASSES) {
    const last = starts.at(-1)!;
    const size = Math.round((sorted.length - last) / (CLASSES - starts.length + 1));
    let next = last + Math.max(1, size);
    while (next < sorted.length && sorted[next] === sorted[next - 1]) next++;
    if (next >= sorted.length) break;
    starts.push(next);
  }
  return starts;
}

/** Returns the color of a ZIP code: the score in the middle of the class that has the same color. */
export function amountColor({ labels, classOf }: AmountColoring, zip: string): ZipColor {
  const index = classOf.get(zip);
  if (index === undefined) return { score: null };
  const color = colorsOfClasses(labels.length)[index]!;
  return {
    score: ([0, ...NATIONAL_CLASSES.breaks][color]! + (NATIONAL_CLASSES.breaks[color] ?? 100)) / 2,
  };
}

/** Returns the legend, with the number of ZIP codes on the map in each class; undefined without a palette. */
export function amountLegend(
  style: StyleSpecification,
  { title, method, labels, range, classOf }: AmountColoring,
  zips: readonly string[],
  outside: string | undefined,
): Legend | undefined {
  const palette = paletteOf(style);
  if (palette === null) return undefined;
  const { colors, noData } = palette.scores;
  const counts = [...labels, 'none'].map(() => 0);
  for (const zip of zips) counts[classOf.get(zip) ?? labels.length]! += 1;
  const entry = (label: string, color: string, count: number) => ({
    label: `${label} · ${formatCount(count)}`,
    color: blendWithLand(color, palette),
  });
  const indexes = colorsOfClasses(labels.length);
  const unknown = counts.at(-1)!;
  return {
    title,
    method,
    classes: labels.map((label, i) => entry(label, colors[indexes[i]!]!, counts[i]!)),
    ...(range && { range }),
    ...(unknown > 0 && { noData: entry('No data', noData, unknown) }),
    ...(outside !== undefined && { outside: { label: outside, color: palette.land } }),
  };
}
