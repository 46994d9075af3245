/**
 * A map of ZIP codes, colored by score, by amount, by status, by category, or in one color: what is asked for, and the
 * answer.
 */
import { BASEMAP_LAYERS } from '../../data/basemap/features.ts';
import type { DatasetName } from '../../base/db/datasets.ts';
import type { Legend } from '../../render/furniture/furniture.ts';
import type { PictureFormat } from '../../render/scene.ts';
import type { Bbox } from '../../base/spatial/bbox.ts';
import type { BrandLook } from './brand-look.ts';
import type { Views } from './compose-views.ts';
import type { Heading } from './furniture/heading.ts';
import type { PictureOptions } from './picture-options.ts';
import type { ZipColoring } from './zip-coloring.ts';

/** Imported data that maps show */
export const MAP_DATASETS: readonly DatasetName[] = ['boundaries', 'scores', ...BASEMAP_LAYERS];

export interface ZipMapRequest extends PictureOptions {
  /** Sorted, without duplicates */
  zips: readonly string[];
  coloring: ZipColoring;
  /** Whether the map shows the country's ZIP codes, to be drawn in Albers' projection */
  isNational?: boolean;
  /** Default: no logo and no accent color */
  brand?: BrandLook | undefined;
  heading: Heading;
  /** Extent of the map if no ZIP code has a boundary. Default: throws a 404 error */
  fallbackBbox?: Bbox;
}

export interface ZipMap extends Views {
  picture: Buffer;
  format: PictureFormat;
  /** Number of ZIP codes drawn */
  zips: number;
  /** Number of drawn ZIP codes with a score; 0 unless colored by score */
  scored: number;
  /** Requested ZIP codes without a boundary */
  missing: string[];
  /** Vintage of the scores, or of the boundaries on other maps */
  vintage: string;
  /** ZIP codes outside all panels. The picture states how many */
  elsewhere: string[];
  legend: Legend | undefined;
}
