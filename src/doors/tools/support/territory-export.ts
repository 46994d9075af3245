/** Exports a brand's territory as a file, at the price of an export on the pages. */
import type { Readable } from 'node:stream';
import { z } from 'zod';
import type { Caller } from '../../../people/account/caller.ts';
import { findBrand } from '../../../territories/brands/brands.ts';
import {
  DEFAULT_EXPORT_DETAIL,
  EXPORT_DETAILS,
  type DetailName,
} from '../../../territories/brands/export/detail.ts';
import { exportFile } from '../../../territories/brands/export/files.ts';
import { EXPORT_FORMATS, exportExtension } from '../../../base/contract/export-formats.ts';
import { openExport } from '../../../territories/brands/export/zips.ts';
import { visibleDataOf } from '../../../territories/own-data/viewer-data.ts';
import { asOf } from '../../../base/contract/as-of.ts';
import { momentWords } from '../../../people/account/days/as-of.ts';
import { brand, dataSets } from './fields.ts';

const DETAILS = EXPORT_DETAILS.map(({ name }) => name) as [DetailName, ...DetailName[]];

export const TerritoryExportRequest = z
  .strictObject({
    brand,
    format: z.enum(EXPORT_FORMATS).default('xlsx'),
    detail: z
      .enum(DETAILS)
      .default(DEFAULT_EXPORT_DETAIL)
      .meta({ description: 'Detail of the boundaries in GeoJSON, KML, and the shapefile' }),
    dataSets: dataSets(10),
    asOf: asOf.optional(),
    maxUnits: z
      .int()
      .min(0)
      .optional()
      .meta({
        description:
          'Maximum price in units; a higher price gets 409. Default: what the subscription has left',
      }),
  })
  .meta({ id: 'TerritoryExportRequest', examples: [{ brand: 'lone-star-roofing' }] });

export type TerritoryExportRequest = z.output<typeof TerritoryExportRequest>;

interface ExportedFile {
  /** Example: `lone-star-roofing-2026-11-22.xlsx` */
  fileName: string;
  content: Readable | Buffer;
}

/** @throws ServiceError 404 as `findBrand`, and `openExport`; 409 above `maxUnits`, and as `exportFile` */
export async function territoryExport(
  caller: Caller,
  {
    brand: ref,
    maxUnits = Infinity,
    dataSets: named = [],
    asOf: _,
    ...file
  }: TerritoryExportRequest,
): Promise<ExportedFile> {
  const found = await findBrand(caller.tenant, caller.brandScope, ref);
  const data = await visibleDataOf(caller, named);
  const now = caller.tenant.moment ?? new Date();
  const day = (await momentWords(caller.tenant))?.day ?? now.toISOString().slice(0, 10);
  return {
    fileName: `${found.slug}-${day}.${exportExtension(file.format)}`,
    content: await exportFile(
      { tenant: caller.tenant, brand: found },
      () => openExport(caller, found, maxUnits),
      { ...file, data },
      now,
    ),
  };
}
