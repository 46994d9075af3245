/** Finds the layers of files, and reads formats that mapshaper can't read. */
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { feature } from 'topojson-client';
import type { Topology } from 'topojson-specification';
import { decodeStream } from '../../base/files/decode.ts';
import { geoJsonFeatures, RECORD_SEPARATOR } from '../../base/files/geojson.ts';
import { findShapefiles } from '../../base/files/shapefile/parts.ts';
import { openShapefile, type ShapeSource } from '../../base/files/shapefile/source.ts';
import { openInput } from './input-file.ts';

/**
 * Returns the sources in a file: several for an archive of shapefiles and for TopoJSON with several objects.
 * @param note receives remarks for the report
 */
export async function openSources(
  file: string,
  note: (text: string) => void,
): Promise<ShapeSource[]> {
  const name = basename(file);
  const collections = await readCollections(file);
  if (collections) {
    return Object.entries(collections).map(([key, collection]) => ({
      name,
      path: `${key}.json`,
      inputs: { [`${key}.json`]: collection },
    }));
  }
  const shapefiles = await findShapefiles(file);
  if (shapefiles.length === 0) return [{ name, path: file, inputs: {} }];
  return Promise.all(
    shapefiles.map((parts) =>
      openShapefile(parts, parts.shp === file, (text) => note(`${name}: ${text}`)),
    ),
  );
}

/** Reads formats as GeoJSON that mapshaper can't read, or in which it ignores the reference system or open rings. */
async function readCollections(file: string): Promise<Record<string, object> | null> {
  const stem = basename(file, extname(file));
  if (await isSequence(file)) {
    const features: unknown[] = [];
    for await (const some of geoJsonFeatures(decodeStream(createReadStream(file)))) {
      for (const one of some) features.push(one);
    }
    return { [stem]: { type: 'FeatureCollection', features } };
  }
  if (await isTopology(file)) return readTopology(file);
  if (!/\.(geo)?parquet$/i.test(file)) return null;
  const { readGeoParquet } = await import('./geoparquet.ts');
  return { [stem]: await readGeoParquet(file) };
}

/** Whether a file of GeoJSON has features one after another, or only one */
async function isSequence(file: string): Promise<boolean> {
  if (NEWLINE_DELIMITED.test(file)) return true;
  const start = isGeoJson(file) ? (await startOf(file)).replace(/^\uFEFF/, '').trimStart() : '';
  return start.startsWith(RECORD_SEPARATOR) || /^\{\s*"type"\s*:\s*"Feature"\s*[,}]/.test(start);
}

async function startOf(file: string): Promise<string> {
  const { handle, head } = await openInput(file);
  await handle.close();
  return head.toString('utf8');
}

/** GeoJSON and TopoJSON may have the same extension. */
const isTopology = async (file: string) =>
  /\.topojson$/i.test(file) ||
  (/\.json$/i.test(file) && /"type"\s*:\s*"Topology"/.test(await startOf(file)));

async function readTopology(file: string): Promise<Record<string, object>> {
  const topology = JSON.parse((await readFile(file, 'utf8')).replace(/^\uFEFF/, '')) as Topology;
  return Object.fromEntries(
    Object.entries(topology.objects).map(([name, object]) => [name, feature(topology, object)]),
  );
}

const NEWLINE_DELIMITED = /\.(ndjson|ndgeojson|geojsonl|geojsons|jsonl)$/i;

export const isGeoJson = (file: string) =>
  NEWLINE_DELIMITED.test(file) || /\.(geo)?json$/i.test(file);
