/** ZIP codes on the map: the sources of the styles' territory layers. */
import type { Feature, MultiPolygon, Polygon } from 'geojson';
import type { Viewport } from '../spatial/camera.ts';
import { labelsInPicture, ZIP_LABEL_RADIUS_PX } from '../basemap/label-features.ts';
import type { ZipStatus } from '../basemap/palette.ts';
import { dotFeatures } from './zip-dots.ts';

/** What the colour of a ZIP tells: its score (0..100; null without data), or its status. */
export type ZipColor = { score: number | null } | { status: ZipStatus };

/** A ZIP to draw. */
export interface ZipShape {
  zip: string;
  color: ZipColor;
  geometry: Polygon | MultiPolygon;
}

/** The sources `zips`, `zip-labels` and `zip-dots` of a style, for one picture. */
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
