/** The data of a style's territory layers: ZIP codes and their dots. `zip-labels.ts` adds the labels. */
import type { Feature, MultiPolygon, Polygon } from 'geojson';
import type { Viewport } from '../../base/spatial/camera.ts';
import type { ZipStatus } from '../../data/basemap/palette.ts';
import { dotFeatures } from './zip-dots.ts';

/**
 * Determines the color of a ZIP code: a score of 0 to 100 or null without data, a status, or a category.
 */
export type ZipColor =
  | { score: number | null }
  | ({ status: ZipStatus } & ZipFlags)
  /** Index of a category */
  | { category: number };

/** Flags that change the edges or the pattern of a ZIP code. Default: false */
export interface ZipFlags {
  /** An approved change adds or removes it on a day to come */
  planned?: boolean;
  /** Another brand holds the ZIP code too */
  shared?: boolean;
  /** The brand holds none of its neighbors */
  isolated?: boolean;
}

/** A ZIP code to draw. */
interface ZipShape {
  zip: string;
  color: ZipColor;
  geometry: Polygon | MultiPolygon;
}

/** Returns the data of the sources `zips` and `zip-dots` for one picture. */
export function choroplethSources(
  zips: readonly ZipShape[],
  viewport: Viewport,
): { zips: Feature<Polygon | MultiPolygon>[]; 'zip-dots': Feature[] } {
  const features = zips.map(({ zip, color, geometry }): Feature<Polygon | MultiPolygon> => ({
    type: 'Feature',
    properties: { zip, ...color },
    geometry,
  }));
  return { zips: features, 'zip-dots': dotFeatures(features, viewport) };
}
