/** A territory as GeoJSON (RFC 7946): one feature per ZIP code, with the columns as properties. */
import { geoJsonShapes } from '../../../data/market/geojson-shapes.ts';
import type { Brand } from '../brands.ts';
import { EXPORT_COLUMNS, type ExportColumn } from './columns.ts';
import type { ExportDetail } from './detail.ts';
import { slicesOf } from './slices.ts';
import {
  exportedZips,
  exportSources,
  type Export,
  type ExportedZip,
  type ExportSources,
} from './zips.ts';

/** Yields the collection in pieces. RFC 7946 permits additional members (section 6.1). */
export async function* territoryGeoJson(
  territory: Export,
  detail: ExportDetail,
  columns: readonly ExportColumn[] = EXPORT_COLUMNS,
): AsyncGenerator<string> {
  const { tenant, brand } = territory;
  const sources = await exportSources(tenant.common);
  yield `${JSON.stringify(collectionOf(brand, detail, sources)).slice(0, -1)},"features":[`;
  let separator = '\n';
  for await (const zips of exportedZips(territory)) {
    const shapes = await geoJsonShapes(
      tenant.common,
      zips.map(({ zip }) => zip),
      detail.lod,
    );
    for (const slice of slicesOf(zips)) {
      const features = slice.map((zip) => featureOf(zip, shapes.get(zip.zip), sources, columns));
      yield separator + features.join(',\n');
      separator = ',\n';
    }
  }
  yield '\n]}\n';
}

/** Returns the collection's members before `features`. */
export const collectionOf = (
  { name }: Pick<Brand, 'name'>,
  { name: detail, toleranceM }: ExportDetail,
  sources: ExportSources,
) => ({ type: 'FeatureCollection', name, detail, toleranceM, sources });

/**
 * Returns a feature as JSON. `shape` is already JSON, because parsing and serializing it again would be slow for large
 * territories.
 */
export function featureOf(
  zip: ExportedZip,
  shape: string | undefined,
  sources: ExportSources,
  columns: readonly ExportColumn[] = EXPORT_COLUMNS,
): string {
  const properties = Object.fromEntries(
    columns.map(({ name, value }) => [name, value(zip, sources)]),
  );
  const head = JSON.stringify({ type: 'Feature', id: zip.zip, properties }).slice(0, -1);
  return `${head},"geometry":${shape ?? 'null'}}`;
}
