/**
 * A territory as a shapefile in a ZIP archive. Its field names have at most ten characters, so the archive also
 * contains a table of them, `fields.csv`.
 */
import { conflict } from '../../../errors.ts';
import { geoJsonShapes } from '../../../data/market/geojson-shapes.ts';
import { formatCount } from '../../../base/text/words.ts';
import { heldZipStatuses } from '../brand-zips.ts';
import { EXPORT_COLUMNS, type ExportColumn, type ExportValue } from './columns.ts';
import { MOST_AT_FINEST, type ExportDetail } from './detail.ts';
import { fileKind, writeInThread } from './file-worker.ts';
import { slicesOf } from './slices.ts';
import { exportedZips, exportSources, type Export } from './zips.ts';

export interface Shapefile {
  /** Name of the files, without an extension */
  name: string;
  columns: readonly string[];
  rows: ExportValue[][];
  /** GeoJSON of each row; undefined without a boundary */
  shapes: (string | undefined)[];
  /** Set for a file of an earlier moment, so that it always has the same bytes */
  moment?: Date | null;
}

export const shapefiles = fileKind<Shapefile>('territories/brands/export/shapefile-worker.ts');

/** Writes a shapefile. @param load reads the rows when it's their turn */
export const writeShapefile = (load: () => Promise<Shapefile>): Promise<Uint8Array> =>
  writeInThread(shapefiles, load);

/** @throws ServiceError 409 for more ZIP codes than a shapefile can have at this level of detail */
export async function refuseLargeShapefile(
  { tenant, brand }: Pick<Export, 'tenant' | 'brand'>,
  { name, lod }: ExportDetail,
): Promise<void> {
  if (lod > 0) return;
  const { size } = await heldZipStatuses(tenant, brand);
  if (size <= MOST_AT_FINEST) return;
  throw conflict(
    `A shapefile can have ${formatCount(MOST_AT_FINEST)} ZIP codes at the detail "${name}", and ${brand.name} ` +
      `has ${formatCount(size)}. Choose a coarser detail, or export GeoJSON or KML.`,
  );
}

export const territoryShapefile = (
  territory: Export,
  detail: ExportDetail,
  columns: readonly ExportColumn[] = EXPORT_COLUMNS,
): Promise<Uint8Array> =>
  writeShapefile(async () => {
    const { tenant, brand } = territory;
    const sources = await exportSources(tenant.common);
    const rows: ExportValue[][] = [];
    const shapes: Shapefile['shapes'] = [];
    for await (const zips of exportedZips(territory)) {
      const codes = zips.map(({ zip }) => zip);
      const shapeOf = await geoJsonShapes(tenant.common, codes, detail.lod);
      shapes.push(...codes.map((zip) => shapeOf.get(zip)));
      for (const slice of slicesOf(zips)) {
        rows.push(...slice.map((zip) => columns.map(({ value }) => value(zip, sources))));
      }
    }
    const { moment } = tenant;
    return { name: brand.slug, columns: columns.map(({ name }) => name), rows, shapes, moment };
  });
