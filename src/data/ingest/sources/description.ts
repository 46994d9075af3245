/** The facts about a feature that an import stores. */
import type { FeatureFacts } from '../../basemap/features.ts';
import { metersPerPixel } from '../../../base/spatial/detail.ts';

export interface SourceFeature {
  /** By lower-case name, since files vary in case */
  properties: Readonly<Record<string, unknown>>;
  /** Lower-case name of the file, for facts that the attributes lack */
  file: string;
  isLine: boolean;
  /** Area in square meters; 0 for lines and points */
  areaM2(): number;
}

/** The stored facts about a feature, or the reason for rejecting it */
export type Description = Omit<FeatureFacts, 'layer'> | string;

export function text(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

export function number(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** Natural Earth's zooms are for 256-pixel tiles, one more than ours. */
export function naturalEarthZoom(value: unknown, otherwise: number): number {
  const zoom = number(value);
  return zoom === null ? otherwise : Math.max(0, zoom - 1);
}

/** Returns the zoom from which an area is as large as a square of `sidePx`, at most 14. */
export function zoomOfArea(areaM2: number, sidePx: number): number {
  const zoom = Math.log2((sidePx * metersPerPixel(0)) / Math.sqrt(Math.max(areaM2, 1)));
  return Math.min(14, Math.max(0, Math.round(10 * zoom) / 10));
}
