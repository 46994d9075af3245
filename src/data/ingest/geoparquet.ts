/**
 * Reads GeoParquet (1.x) in longitude and latitude. Mapshaper can read it too, but ignores the reference
 * system.
 */
import { basename } from 'node:path';
import type { Feature, FeatureCollection } from 'geojson';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { ImportError } from '../../errors.ts';
import { LNG_LAT_CRS } from '../../base/spatial/crs.ts';

/** The file's metadata `geo` (GeoParquet 1.1) */
interface Geo {
  primary_column: string;
  columns: Record<string, { crs?: Projection | null }>;
}

/** PROJJSON */
interface Projection {
  name?: string;
  id?: { authority: string; code: number | string };
}

/** @throws ImportError if the file has no geometry or is in another reference system */
export async function readGeoParquet(path: string): Promise<FeatureCollection> {
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file);
  const text = metadata.key_value_metadata?.find(({ key }) => key === 'geo')?.value;
  if (text === undefined) {
    throw new ImportError(
      `${basename(path)} is a Parquet file without geometry. Export it as GeoParquet or GeoJSON.`,
    );
  }
  const { primary_column: column, columns } = JSON.parse(text) as Geo;
  refuseForeignCrs(basename(path), columns[column]?.crs);
  const rows = await parquetReadObjects({ file, metadata, compressors });
  const features = rows.map(({ [column]: geometry, ...properties }): Feature => ({
    type: 'Feature',
    geometry: (geometry ?? null) as Feature['geometry'],
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, value]) => [
        name,
        typeof value === 'bigint' ? Number(value) : value,
      ]),
    ),
  }));
  return { type: 'FeatureCollection', features };
}

/** Files without a reference system are in longitude and latitude. */
function refuseForeignCrs(name: string, crs: Projection | null | undefined): void {
  if (!crs) return;
  const code = `${crs.id?.authority}:${crs.id?.code}`;
  if (LNG_LAT_CRS.test(code)) return;
  throw new ImportError(
    `${name} is in ${crs.name ?? code}. Reproject it to longitude and latitude (WGS 84).`,
  );
}
