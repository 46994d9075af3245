/** The legends of the territory layers, in the colours that the map shows. */
import { Color, type StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import type { Legend } from '../render/furniture/furniture.ts';
import { paletteOf, type Palette, type ScorePalette, type ZipStatus } from '../basemap/palette.ts';

/** The index of a score's class, 0 for the lowest; null without data. */
export function scoreClass(score: number | null, breaks: readonly number[]): number | null {
  return score === null ? null : breaks.filter((lower) => score >= lower).length;
}

/** The style's score classes. Null for a style without a palette. */
export function scoreLegend(style: StyleSpecification, title: string): Legend | null {
  const palette = paletteOf(style);
  if (palette === null) return null;
  const { scores } = palette;
  const classes = classLabels(scores).map((label, i) => ({ label, color: scores.colors[i]! }));
  return {
    title,
    classes: classes.map(({ label, color }) => ({ label, color: onLand(color, palette) })),
    noData: { label: 'No data', color: onLand(scores.noData, palette) },
  };
}

const STATUS_LABELS: Readonly<Record<Exclude<ZipStatus, 'plain'>, string>> = {
  live: 'Live',
  pending: 'Pending review',
  removed: 'Removed',
};

/** The statuses that the picture shows. Null for a style without a palette, or where all is plain. */
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
      color: onLand(palette.statuses[status], palette),
    }));
  return classes.length === 0 ? null : { title, classes };
}

/** `0-19`, ..., `80-100`: scores are shown as whole numbers. */
function classLabels({ breaks }: ScorePalette): string[] {
  const lower = [0, ...breaks];
  return lower.map((from, i) => `${from}–${i < breaks.length ? breaks[i]! - 1 : 100}`);
}

/** What a translucent colour over the land looks like: the legend must match the map. */
function onLand(color: string, { land, scores: { opacity } }: Palette): string {
  const over = Color.parse(color)!;
  const under = Color.parse(land)!;
  const channel = (a: number, b: number) => Math.round((a * opacity + b * (1 - opacity)) * 255);
  return `rgb(${channel(over.r, under.r)},${channel(over.g, under.g)},${channel(over.b, under.b)})`;
}
