/** The data of a style's territory layers: ZIP codes, their labels, and their dots. */
import type { Feature, MultiPolygon, Polygon } from 'geojson';
import type { Viewport } from '../spatial/camera.ts';
import { labelsInPicture, ZIP_LABEL_RADIUS_PX } from '../basemap/label-features.ts';
import type { ZipStatus } from '../basemap/palette.ts';
import { dotFeatures } from './zip-dots.ts';

/** Determines the color of a ZIP code: its score, 0 to 100 or null without data, or its status. */
export type ZipColor = { score: number | null } | { status: ZipStatus };

/** A ZIP code to draw. */
export interface ZipShape {
  zip: string;
  color: ZipColor;
  geometry: Polygon | MultiPolygon;
}

/** Returns the data of the sources `zips`, `zip-labels`, and `zip-dots` for one picture. */
export function choroplethSources(
  zips: readonly ZipShape[],
  viewport: Viewport,
): Record<'zips' | 'zip-labels' | 'zip-dots', Feature[]> {
  const features = zips.map(({ zip, color, geometry }): Feature<Polygon | MultiPolygon> => ({
    type: 'Feature',
    properties: { zip, ...color },
    geometry,
  }));
  return {
    zips: features,
    'zip-labels': labelsInPicture(viewport.zoom, features, ZIP_LABEL_RADIUS_PX),
    'zip-dots': dotFeatures(features, viewport),
  };
}
