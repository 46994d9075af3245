/** The detail levels of exported boundaries, by name. */
import { badRequest } from '../../../errors.ts';
import { DETAIL_LEVELS } from '../../../base/spatial/detail.ts';

/** In the order of `base/spatial/detail.ts` */
const NAMES = ['street', 'metro', 'state', 'country'] as const;
export type DetailName = (typeof NAMES)[number];

export interface ExportDetail {
  name: DetailName;
  lod: number;
  /** Maximum distance from the source's boundary, in meters */
  toleranceM: number;
}

export const EXPORT_DETAILS: readonly ExportDetail[] = NAMES.map((name, lod) => ({
  name,
  lod,
  toleranceM: DETAIL_LEVELS[lod]!.toleranceM,
}));

/** Largest number of ZIP codes at the finest level. A larger shapefile would take hundreds of megabytes to write. */
export const MOST_AT_FINEST = 3_000;

/** Enough detail for a metro on a screen, at a tenth of the size of the finest level */
export const DEFAULT_EXPORT_DETAIL: DetailName = 'metro';

/** @throws ServiceError 400 for an unknown name */
export function parseExportDetail(name: string): ExportDetail {
  const detail = EXPORT_DETAILS.find((one) => one.name === name);
  if (detail) return detail;
  throw badRequest(`detail: must be one of ${NAMES.join(', ')}`);
}
