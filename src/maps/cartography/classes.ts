/** Divides scores into the classes of a map: pure functions of the scores that a picture shows. */

export const CLASS_METHODS = ['national', 'quantiles', 'equal'] as const;

/**
 * - `national`: fifths of all ZIP codes of the country. A score is a national percentile, so the same
 *   color means the same demand on every map.
 * - `quantiles`: classes with equal numbers of the ZIP codes on the map.
 * - `equal`: classes with equal ranges of scores, from the lowest on the map to the highest.
 */
export type ClassMethod = (typeof CLASS_METHODS)[number];

export interface ScoreClasses {
  method: ClassMethod;
  /** Lower bounds of all classes but the lowest, ascending whole numbers: up to four */
  breaks: readonly number[];
  /** Lowest and highest score of all classes */
  range: readonly [lowest: number, highest: number];
}

interface HistogramBin {
  /** Index of the class: 0 is the lowest */
  scoreClass: number;
  /** Number of ZIP codes */
  count: number;
}

/** Number of colors of classes */
export const CLASSES = 5;
export const NATIONAL_CLASSES: ScoreClasses = {
  method: 'national',
  breaks: [20, 40, 60, 80],
  range: [0, 100],
};

/** More bins would be narrower than two pixels in a legend. */
const MAX_BINS = 24;

/**
 * Divides scores by a method. There are fewer than five classes if there are few different scores, because
 * equal scores are always in the same class. Without scores, the classes are national.
 *
 * @param scores whole numbers from 0 to 100, in any order
 */
export function classify(method: ClassMethod, scores: readonly number[]): ScoreClasses {
  if (method === 'national' || scores.length === 0) return NATIONAL_CLASSES;
  const sorted = scores.toSorted((a, b) => a - b);
  const range = [sorted[0]!, sorted.at(-1)!] as const;
  const candidates = Array.from({ length: CLASSES - 1 }, (_, i) => {
    const share = (i + 1) / CLASSES;
    return method === 'quantiles'
      ? sorted[Math.floor(share * sorted.length)]!
      : Math.round(range[0] + share * (range[1] + 1 - range[0]));
  });
  const breaks = [...new Set(candidates)].filter((lower) => lower > range[0] && lower <= range[1]);
  return { method, breaks, range };
}

/** Returns the index of a score's class, 0 for the lowest class, or null for a null score. */
export function scoreClass(score: number | null, breaks: readonly number[]): number | null {
  return score === null ? null : breaks.filter((lower) => score >= lower).length;
}

/** Labels such as `0–19` to `80–100`, lowest class first. */
export function classLabels({ breaks, range: [lowest, highest] }: ScoreClasses): string[] {
  const lower = [lowest, ...breaks];
  return lower.map((from, i) => {
    const to = i < breaks.length ? breaks[i]! - 1 : highest;
    return from === to ? `${from}` : `${from}–${to}`;
  });
}

/**
 * Counts scores in bins of equal width, each assigned to the class of its middle. National classes have one
 * bin each: narrower bins would reveal more about a few ZIP codes than the map does.
 */
export function histogramOf(classes: ScoreClasses, scores: readonly number[]): HistogramBin[] {
  const { method, breaks, range } = classes;
  const [lowest, highest] = range;
  const width =
    method === 'national' ? 100 / CLASSES : Math.ceil((highest + 1 - lowest) / MAX_BINS);
  const bins = Math.max(1, Math.ceil((highest - lowest + (method === 'national' ? 0 : 1)) / width));
  const counts = Array.from({ length: bins }, () => 0);
  for (const score of scores) {
    counts[Math.min(bins - 1, Math.floor((score - lowest) / width))]! += 1;
  }
  return counts.map((count, i) => ({
    scoreClass: scoreClass(Math.floor(lowest + (i + 0.5) * width), breaks)!,
    count,
  }));
}

/**
 * Returns which of the five colors of a palette each class has. Fewer classes use colors that are farther
 * apart.
 */
export function colorsOfClasses(count: number): number[] {
  if (count === 1) return [Math.floor(CLASSES / 2)];
  return Array.from({ length: count }, (_, i) => Math.round((i * (CLASSES - 1)) / (count - 1)));
}

/**
 * Returns the four breaks at which a style changes color. A color without a class gets a range that
 * contains no whole number.
 */
export function styleBreaks({ breaks, range: [, highest] }: ScoreClasses): number[] {
  const colors = colorsOfClasses(breaks.length + 1);
  const lowerBounds = [0, ...breaks];
  const starts: number[] = [];
  for (let color = CLASSES - 1; color > 0; color--) {
    const firstFromHere = colors.findIndex((used) => used >= color);
    const start = firstFromHere === -1 ? highest + 1 : lowerBounds[firstFromHere]!;
    // Steps of a style must be ascending.
    starts.unshift(Math.min(start, (starts[0] ?? Infinity) - 0.01));
  }
  return starts;
}
