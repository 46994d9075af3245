/** Legends of the territory layers, in the colors on the map. */
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import type { Legend, LegendMark } from '../../../render/furniture/furniture.ts';
import { paletteOf, type Palette, type ZipStatus } from '../../../data/basemap/palette.ts';
import { Color } from '../../../render/style-spec.ts';
import {
  classLabels,
  colorsOfClasses,
  histogramOf,
  NATIONAL_CLASSES,
  type ClassMethod,
  type ScoreClasses,
} from '../classes.ts';
import { formatDay } from '../../../base/text/days.ts';
import { ZIP_STATUS_LABELS } from '../../../base/text/words.ts';

/** Names in legends */
const METHODS: Readonly<Record<ClassMethod, string>> = {
  national: 'National fifths',
  quantiles: 'Quantiles of this map',
  equal: 'Equal steps on this map',
};

export const OUTSIDE_MARKET = 'Outside this market';

/** With fewer ZIP codes, a histogram shows no distribution. */
const MIN_HISTOGRAM_ZIPS = 10;

export interface ShownScores {
  classes: ScoreClasses;
  /** Score of each ZIP code on the map, null without data */
  scores: readonly (number | null)[];
  /** Name of the land outside the ZIP codes. Default: no entry */
  outside?: string | undefined;
  /** Default: true */
  histogram?: boolean;
}

/**
 * The legend of the score classes, or null for a style without a palette. `shown` adds the method and
 * the histogram, and omits "no data" if all ZIP codes have a score.
 */
export function scoreLegend(
  style: StyleSpecification,
  title: string,
  shown?: ShownScores,
): Legend | null {
  const palette = paletteOf(style);
  if (palette === null) return null;
  const { scores } = palette;
  const classes = shown?.classes ?? NATIONAL_CLASSES;
  const labels = classLabels(classes);
  const colors = colorsOfClasses(labels.length).map((index) =>
    blendWithLand(scores.colors[index]!, palette),
  );
  const legend: Legend = {
    title,
    classes: labels.map((label, i) => ({ label, color: colors[i]! })),
    noData: { label: 'No data', color: blendWithLand(scores.noData, palette) },
  };
  if (shown === undefined) return legend;
  const { noData, ...always } = legend;
  const known = shown.scores.filter((score) => score !== null);
  const histogram = histogramOf(classes, known).map((bin) => ({
    color: colors[bin.scoreClass]!,
    count: bin.count,
  }));
  return {
    ...always,
    method: METHODS[classes.method],
    range: classes.range,
    ...(known.length < shown.scores.length && { noData }),
    ...(shown.outside !== undefined && { outside: { label: shown.outside, color: palette.land } }),
    ...(shown.histogram !== false && known.length >= MIN_HISTOGRAM_ZIPS && { histogram }),
  };
}

type ZipFlag = 'shared' | 'isolated';

/** As in the style's layers `zip-hatch` and `zip-broken-edge` */
const STATUS_MARKS: Readonly<Partial<Record<ZipStatus, LegendMark>>> = {
  pending: 'hatch',
  removed: 'broken-edge',
};

/** Days of planned changes, `2027-01-01`, of ZIP codes that leave (live) and of those that are to come (pending) */
export type PlannedDays = Readonly<Record<'live' | 'pending', ReadonlySet<string>>>;

/** As in the style's layer `zip-planned` */
const PLANNED_MARK: LegendMark = 'falling';
const PLANNED_LABELS: Readonly<Record<keyof PlannedDays, string>> = {
  live: 'Leaves',
  pending: 'Planned',
};

/** `Planned for January 1, 2027` */
function plannedLabel(status: keyof PlannedDays, days: ReadonlySet<string>): string {
  const [day] = days;
  const label = PLANNED_LABELS[status];
  if (days.size > 1) return `${label} later, on ${days.size} days`;
  return `${label} ${status === 'live' ? 'on' : 'for'} ${formatDay(day!)}`;
}

/** As in the style's layers `zip-isolated-edge` and `zip-shared-edge` */
const FLAG_CLASSES: Readonly<Record<ZipFlag, { label: string; mark: LegendMark }>> = {
  isolated: { label: 'Isolated', mark: 'dotted-edge' },
  shared: { label: 'Shared with another brand', mark: 'solid-edge' },
};

/**
 * The legend of the statuses and flags that are shown, or null if all are `plain` or the style has no
 * palette.
 */
export function statusLegend(
  style: StyleSpecification,
  title: string,
  shown: ReadonlySet<ZipStatus>,
  flags: readonly ZipFlag[] = [],
  days?: PlannedDays,
): Legend | null {
  const palette = paletteOf(style);
  if (palette === null) return null;
  const classes = (['removed', 'pending', 'live'] as const)
    .filter((status) => shown.has(status))
    .map((status) => ({
      label: ZIP_STATUS_LABELS[status],
      color: blendWithLand(palette.statuses[status], palette),
      mark: STATUS_MARKS[status],
    }));
  const planned = (['live', 'pending'] as const)
    .filter((status) => (days?.[status].size ?? 0) > 0)
    .map((status) => ({
      label: plannedLabel(status, days![status]),
      color: blendWithLand(palette.statuses[status], palette),
      mark: PLANNED_MARK,
    }));
  const color = blendWithLand(palette.statuses.live, palette);
  const flagged = flags.map((flag) => ({ color, ...FLAG_CLASSES[flag] }));
  const all = [...flagged, ...planned, ...classes];
  return classes.length + planned.length === 0 ? null : { title, classes: all };
}

/** Blends a translucent color with the land, so that the legend matches the map. */
export function blendWithLand(color: string, { land, scores: { opacity } }: Palette): string {
  const over = Color.parse(color)!;
  const under = Color.parse(land)!;
  const channel = (a: number, b: number) => Math.round((a * opacity + b * (1 - opacity)) * 255);
  return `rgb(${channel(over.r, under.r)},${channel(over.g, under.g)},${channel(over.b, under.b)})`;
}
