/** Exports of a territory as files with figures, for pages and the API. */
import type { Readable } from 'node:stream';
import { streamText } from '../../../base/text/stream-text.ts';
import type { FullDataSet } from '../../own-data/data-sets.ts';
import { dataColumns, EXPORT_COLUMNS } from './columns.ts';
import { territoryCsv } from './csv.ts';
import { parseExportDetail, type DetailName } from './detail.ts';
import type { ExportFormat } from '../../../base/contract/export-formats.ts';
import { territoryGeoJson } from './geojson.ts';
import { territoryKml } from './kml.ts';
import { refuseLargeShapefile, shapefiles, territoryShapefile } from './shapefile.ts';
import { territoryXlsx, workbooks } from './xlsx.ts';
import type { Export } from './zips.ts';

interface ExportChoices {
  format: ExportFormat;
  detail: DetailName;
  /** Data sets to add as columns */
  data?: readonly FullDataSet[];
}

/**
 * Exports a territory as a file.
 * @param open charges the export. It is called after all other checks.
 * @throws ServiceError 400 for an unknown detail level; 409 as `refuseLargeShapefile`;
 *   503 while too many files wait
 */
export async function exportFile(
  territory: Pick<Export, 'tenant' | 'brand'>,
  open: () => Promise<Export>,
  { format, detail: name, data = [] }: ExportChoices,
  now: Date,
): Promise<Readable | Buffer> {
  const detail = parseExportDetail(name);
  const columns = [...EXPORT_COLUMNS, ...dataColumns(data)];
  if (format === 'xlsx' || format === 'shp') {
    (format === 'xlsx' ? workbooks : shapefiles).refuseIfFull();
    if (format === 'shp') await refuseLargeShapefile(territory, detail);
    const opened = await open();
    const file =
      format === 'xlsx'
        ? territoryXlsx(opened, now, columns)
        : territoryShapefile(opened, detail, columns);
    return Buffer.from(await file);
  }
  const opened = await open();
  if (format === 'csv') return streamText(territoryCsv(opened, columns));
  return streamText(
    format === 'kml'
      ? territoryKml(opened, detail, columns)
      : territoryGeoJson(opened, detail, columns),
  );
}
