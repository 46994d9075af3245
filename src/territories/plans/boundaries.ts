/** A plan as GeoJSON (RFC 7946): a feature per ZIP code, with its territory. */
import type { Queryable } from '../../base/db/database.ts';
import { letOthersRun } from '../../base/workers/let-others-run.ts';
import { geoJsonShapes } from '../../data/market/geojson-shapes.ts';
import { exportDetail } from './export-detail.ts';
import type { SavedPlan } from './plans.ts';

/** Number of features to write before other requests run */
const SLICE = 1_000;

/** Yields the collection in pieces. A missing territory or boundary is null. */
export async function* planGeoJson(
  db: Queryable,
  { name, market, zips, territories }: SavedPlan,
): AsyncGenerator<string> {
  const { lod, bbox } = await exportDetail(db, zips);
  const shapes = await geoJsonShapes(db, zips, lod);
  const territoryOf = new Map(
    territories.flatMap((territory) => territory.zips.map((zip) => [zip, territory] as const)),
  );
  const head = { type: 'FeatureCollection', name, market, ...(bbox && { bbox }) };
  yield `${JSON.stringify(head).slice(0, -1)},"features":[\n`;
  for (let from = 0; from < zips.length; from += SLICE) {
    await letOthersRun();
    const features = zips.slice(from, from + SLICE).map((zip) => {
      const { number = null, name: territory = null, brand } = territoryOf.get(zip) ?? {};
      const properties = { zip, number, territory, brand: brand?.slug ?? null };
      const start = JSON.stringify({ type: 'Feature', id: zip, properties }).slice(0, -1);
      return `${start},"geometry":${shapes.get(zip) ?? 'null'}}`;
    });
    yield (from > 0 ? ',\n' : '') + features.join(',\n');
  }
  yield '\n]}\n';
}
