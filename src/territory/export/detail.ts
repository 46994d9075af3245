/** How finely an export draws the boundaries: each level by its name, with what it is good for. */
import { badRequest } from '../../errors.ts';
import { DETAIL_LEVELS } from '../../spatial/detail.ts';

/** In the order of `spatial/detail.ts` */
const NAMES = ['street', 'metro', 'state', 'country'] as const;
export type DetailName = (typeof NAMES)[number];

export interface ExportDetail {
  name: DetailName;
  lod: number;
  /** Metres by which a boundary departs from the source's at most */
  toleranceM: number;
}

export const EXPORT_DETAILS: readonly ExportDetail[] = NAMES.map((name, lod) => ({
  name,
  lod,
  toleranceM: DETAIL_LEVELS[lod]!.toleranceM,
}));

/** Fine enough for a metro on a screen, and a tenth of the size of the finest. */
export const DEFAULT_EXPORT_DETAIL: DetailName = 'metro';

/** @throws ServiceError 400 for a name that none has */
export function parseExportDetail(name: string): ExportDetail {
  const detail = EXPORT_DETAILS.find((one) => one.name === name);
  if (detail) return detail;
  throw badRequest(`detail: must be one of ${NAMES.join(', ')}`);
}
