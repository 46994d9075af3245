/** ZIP codes coloured by score: the sources of the territory layers, and their legend. */
import { Color, type StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import type { Feature, MultiPolygon, Polygon } from 'geojson';
import type { Legend } from './furniture/furniture.ts';
import { labelFeatures, labelsFittingAt } from './label-features.ts';
import { paletteOf, type ScorePalette } from './palette.ts';

/** A ZIP to draw. */
export interface ScoredZip {
  zip: string;
  /** 0..100; null without data */
  score: number | null;
  geometry: Polygon | MultiPolygon;
}

/** Half the diagonal of five digits as the styles set them: the circle that a ZIP label fills. */
const ZIP_LABEL_RADIUS_PX = 15;

/** The sources `zips` and `zip-labels` of a style, for a picture at a zoom. */
export function zipSources(
  zips: readonly ScoredZip[],
  zoom: number,
): Record<'zips' | 'zip-labels', Feature[]> {
  const features = zips.map(({ zip, score, geometry }): Feature<Polygon | MultiPolygon> => ({
    type: 'Feature',
    properties: { zip, score },
    geometry,
  }));
  const labels = labelFeatures(features, ZIP_LABEL_RADIUS_PX);
  return { zips: features, 'zip-labels': labelsFittingAt(zoom, labels) };
}

/** The index of a score's class, 0 for the lowest; null without data. */
export function scoreClass(score: number | null, breaks: readonly number[]): number | null {
  return score === null ? null : breaks.filter((lower) => score >= lower).length;
}

/** The legend of the style's score classes. Null for a style without a palette. */
export function scoreLegend(style: StyleSpecification, title: string): Legend | null {
  const palette = paletteOf(style);
  if (palette === null) return null;
  const { scores, land } = palette;
  const onLand = (color: string) => blended(color, scores.opacity, land);
  return {
    title,
    classes: classLabels(scores).map((label, i) => ({ label, color: onLand(scores.colors[i]!) })),
    noData: { label: 'No data', color: onLand(scores.noData) },
  };
}

/** `0-19`, ..., `80-100`: scores are shown as whole numbers. */
function classLabels({ breaks }: ScorePalette): string[] {
  const lower = [0, ...breaks];
  return lower.map((from, i) => `${from}–${i < breaks.length ? breaks[i]! - 1 : 100}`);
}

/** What a translucent colour over another looks like: the legend must match the map. */
function blended(color: string, opacity: number, ground: string): string {
  const over = Color.parse(color)!;
  const under = Color.parse(ground)!;
  const channel = (a: number, b: number) => Math.round((a * opacity + b * (1 - opacity)) * 255);
  return `rgb(${channel(over.r, under.r)},${channel(over.g, under.g)},${channel(over.b, under.b)})`;
}
