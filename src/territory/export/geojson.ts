/** A territory as GeoJSON (RFC 7946): a feature for each ZIP, with all that the table tells. */
import { geoJsonShapes } from '../../market/geojson-shapes.ts';
import { EXPORT_COLUMNS } from './columns.ts';
import type { ExportDetail } from './detail.ts';
import {
  exportedZips,
  exportSources,
  type Export,
  type ExportedZip,
  type ExportSources,
} from './zips.ts';

/** Members besides those of RFC 7946 are foreign to it (6.1): programs pass them over. */
export async function* territoryGeoJson(
  territory: Export,
  { name: detail, lod, toleranceM }: ExportDetail,
): AsyncGenerator<string> {
  const { tenant, brand } = territory;
  const sources = await exportSources(tenant.common);
  const about = { type: 'FeatureCollection', name: brand.name, detail, toleranceM, sources };
  yield `${JSON.stringify(about).slice(0, -1)},"features":[`;
  let separator = '\n';
  for await (const zips of exportedZips(territory)) {
    const shapes = await geoJsonShapes(
      tenant.common,
      zips.map(({ zip }) => zip),
      lod,
    );
    yield zips
      .map((zip) => {
        const feature = separator + featureOf(zip, shapes.get(zip.zip), sources);
        separator = ',\n';
        return feature;
      })
      .join('');
  }
  yield '\n]}\n';
}

/** The shape is JSON already: a country of them is not read and written again. */
function featureOf(zip: ExportedZip, shape: string | undefined, sources: ExportSources): string {
  const properties = Object.fromEntries(
    EXPORT_COLUMNS.map(({ name, value }) => [name, value(zip, sources)]),
  );
  const head = JSON.stringify({ type: 'Feature', id: zip.zip, properties }).slice(0, -1);
  return `${head},"geometry":${shape ?? 'null'}}`;
}
