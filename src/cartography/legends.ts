/** Legends of the territory layers, in the colors on the map. */
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import type { Legend, LegendMark } from '../render/furniture/furniture.ts';
import { paletteOf, type Palette, type ScorePalette, type ZipStatus } from '../basemap/palette.ts';
import { Color } from '../render/style-spec.ts';

/** The index of a score's class, 0 for the lowest class, or null for a null score. */
export function scoreClass(score: number | null, breaks: readonly number[]): number | null {
  return score === null ? null : breaks.filter((lower) => score >= lower).length;
}

/** The legend of the score classes, or null for a style without a palette. */
export function scoreLegend(style: StyleSpecification, title: string): Legend | null {
  const palette = paletteOf(style);
  if (palette === null) return null;
  const { scores } = palette;
  const classes = classLabels(scores).map((label, i) => ({ label, color: scores.colors[i]! }));
  return {
    title,
    classes: classes.map(({ label, color }) => ({ label, color: blendWithLand(color, palette) })),
    noData: { label: 'No data', color: blendWithLand(scores.noData, palette) },
  };
}

const STATUS_LABELS: Readonly<Record<Exclude<ZipStatus, 'plain'>, string>> = {
  live: 'Live',
  pending: 'Pending review',
  removed: 'Removed',
};

/** As the style's layers `zip-hatch` and `zip-broken-edge` draw them */
const STATUS_MARKS: Readonly<Partial<Record<ZipStatus, LegendMark>>> = {
  pending: 'hatch',
  removed: 'broken-edge',
};

/** The legend of the statuses shown, or null if all are `plain` or the style has no palette. */
export function statusLegend(
  style: StyleSpecification,
  title: string,
  shown: ReadonlySet<ZipStatus>,
): Legend | null {
  const palette = paletteOf(style);
  if (palette === null) return null;
  const classes = (['removed', 'pending', 'live'] as const)
    .filter((status) => shown.has(status))
    .map((status) => ({
      label: STATUS_LABELS[status],
      color: blendWithLand(palette.statuses[status], palette),
      mark: STATUS_MARKS[status],
    }));
  return classes.length === 0 ? null : { title, classes };
}

/** `0–19` to `80–100`: people see scores as whole numbers. */
function classLabels({ breaks }: ScorePalette): string[] {
  const lower = [0, ...breaks];
  return lower.map((from, i) => `${from}–${i < breaks.length ? breaks[i]! - 1 : 100}`);
}

/** Blends a translucent color with the land, so that the legend matches the map. */
function blendWithLand(color: string, { land, scores: { opacity } }: Palette): string {
  const over = Color.parse(color)!;
  const under = Color.parse(land)!;
  const channel = (a: number, b: number) => Math.round((a * opacity + b * (1 - opacity)) * 255);
  return `rgb(${channel(over.r, under.r)},${channel(over.g, under.g)},${channel(over.b, under.b)})`;
}
