/** Prepares files for mapshaper, which is stricter about shapefiles, and which can't read all kinds of GeoJSON. */
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { createInterface } from 'node:readline';
import type { FeatureCollection } from 'geojson';
import { feature } from 'topojson-client';
import type { Topology } from 'topojson-specification';
import { ImportError } from '../errors.ts';
import { openInput } from './input-file.ts';
import { findShapefiles, readPart, type ShapefileParts } from './shapefile/parts.ts';
import { openTable, type Row } from './shapefile/records.ts';

export interface ShapeSource {
  /** The file's name, for people */
  name: string;
  /** The path or the key in `inputs` that mapshaper reads */
  path: string;
  /** Content by path. Other files are read from disk */
  inputs: Record<string, object | string>;
  /** The table of a shapefile. Mapshaper's reader knows neither deleted rows nor most names of encodings */
  table?: readonly Row[];
}

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

/** Finds the parts whatever the case of their names. Mapshaper looks for lower-case names only. */
async function openShapefile(
  parts: ShapefileParts,
  isOnDisk: boolean,
  note: (text: string) => void,
): Promise<ShapeSource> {
  const path = isOnDisk ? parts.shp : basename(parts.shp).replace(/shp$/i, 'shp');
  const inputs: ShapeSource['inputs'] = {};
  // Mapshaper reads large files on disk in pieces.
  for (const extension of isOnDisk ? ['.shx', '.prj'] : ['.shp', '.shx', '.prj']) {
    const content = await readPart(parts, extension);
    if (!content) continue;
    const key = path.replace(/\.shp$/i, extension);
    inputs[key] = extension === '.prj' ? content.toString('utf8') : content;
  }
  const source = { name: basename(parts.shp), path, inputs };
  const content = parts.read('.dbf');
  if (content === null) return source;
  const cpg = (await readPart(parts, '.cpg'))?.toString('latin1');
  const table: Row[] = [];
  const { rows } = await openTable(content, { cpg, note, keepCase: true });
  for await (const row of rows) table.push(row);
  return { ...source, table };
}

/** Reads formats as GeoJSON that mapshaper can't read, or in which it ignores the reference system or open rings. */
async function readCollections(file: string): Promise<Record<string, object> | null> {
  const stem = basename(file, extname(file));
  if (isNewlineDelimited(file)) return { [stem]: await readNewlineDelimited(file) };
  if (await isTopology(file)) return readTopology(file);
  if (!isParquet(file)) return null;
  const { readGeoParquet } = await import('./geoparquet.ts');
  return { [stem]: await readGeoParquet(file) };
}

/** GeoJSON and TopoJSON may have the same extension. */
async function isTopology(file: string): Promise<boolean> {
  const extension = extname(file).toLowerCase();
  if (extension === '.topojson') return true;
  if (extension !== '.json') return false;
  const { handle, head } = await openInput(file);
  await handle.close();
  return /"type"\s*:\s*"Topology"/.test(head.toString('latin1'));
}

async function readTopology(file: string): Promise<Record<string, object>> {
  const topology = JSON.parse((await readFile(file, 'utf8')).replace(/^\uFEFF/, '')) as Topology;
  return Object.fromEntries(
    Object.entries(topology.objects).map(([name, object]) => [name, feature(topology, object)]),
  );
}

export const isGeoJson = (file: string) =>
  isNewlineDelimited(file) || ['.json', '.geojson'].includes(extname(file).toLowerCase());

const isParquet = (file: string) =>
  ['.parquet', '.geoparquet'].includes(extname(file).toLowerCase());

const isNewlineDelimited = (file: string) =>
  ['.ndjson', '.ndgeojson', '.geojsonl', '.geojsons', '.jsonl'].includes(
    extname(file).toLowerCase(),
  );

async function readNewlineDelimited(file: string): Promise<FeatureCollection> {
  const features: FeatureCollection['features'] = [];
  let lineNumber = 0;
  for await (const line of createInterface({ input: createReadStream(file) })) {
    lineNumber++;
    // RFC 8142 puts a record separator before each record.
    const text = line.replace('\u001e', '').trim();
    if (text === '') continue;
    try {
      features.push(JSON.parse(text));
    } catch {
      throw new ImportError(
        `${basename(file)}, line ${lineNumber}: not valid JSON. Each line must be one GeoJSON feature.`,
      );
    }
  }
  return { type: 'FeatureCollection', features };
}
