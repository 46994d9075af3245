/**
 * Reads polygons and lines at all detail levels. Mapshaper reads the file, converts it to WGS 84, finds the
 * borders that neighbors share, and simplifies each border once, so that neighbors never overlap or leave
 * gaps at any level.
 */
import { createReadStream } from 'node:fs';
import { basename, extname } from 'node:path';
import { createInterface } from 'node:readline';
import type { FeatureCollection } from 'geojson';
import { ImportError } from '../errors.ts';
import { LNG_LAT_CRS } from '../spatial/crs.ts';
import { openInput, refuseOtherFormats } from './input-file.ts';
import type { ShapeLevel, Shapes } from './shape-levels.ts';

/**
 * Reads files of one kind: shapefiles (`.shp` with its companion files, or a `.zip` of them),
 * GeoJSON, TopoJSON, newline-delimited GeoJSON, FlatGeobuf, or GeoParquet. Several files are parts of one country.
 * @throws ImportError that states the file and its problem
 */
export async function readShapes(files: string[]): Promise<Shapes> {
  const inputs: Record<string, object> = {};
  const names = files.map((f) => basename(f)).join(', ');
  for (const file of files) await refuseUnreadable(file);
  try {
    const sources = files.map(async (file) => {
      if (isNewlineDelimited(file)) inputs[file] = await readNewlineDelimited(file);
      if (!isParquet(file)) return file;
      const source = `${file}.json`;
      const { readGeoParquet } = await import('./geoparquet.ts');
      inputs[source] = await readGeoParquet(file);
      return source;
    });
    return await simplify(await Promise.all(sources), inputs);
  } catch (error) {
    throw unreadableShapes(names, error);
  }
}

/** Simplifies generated features to all detail levels. Neighbors must share their vertices. */
export function simplifyFeatures(collection: FeatureCollection): Promise<Shapes> {
  return simplify(['in.json'], { 'in.json': collection });
}

async function simplify(files: string[], inputs: Record<string, object>): Promise<Shapes> {
  const merge =
    files.length > 1 ? ['combine-files', '-merge-layers', 'force', 'target=*', 'name=all'] : [];
  // GeoJSON is in WGS 84 by definition (RFC 7946).
  const reproject = files.every(isGeoJson) ? [] : ['-proj', 'wgs84'];
  // Mapshaper takes a second of CPU to load.
  const { simplifyToLevels } = await import('./detail-levels.ts');
  const shapes = await simplifyToLevels(['-i', ...files, ...merge, ...reproject], inputs);
  requireDegrees(shapes.levels[0]!);
  return shapes;
}

/** @throws ImportError if coordinates are in meters or feet instead of degrees */
function requireDegrees({ arcs, geometries }: ShapeLevel): void {
  const points = geometries.flatMap((g) => (g?.type === 'Point' ? g.coordinates : []));
  for (const coordinates of [points, arcs.coordinates]) {
    for (let i = 0; i < coordinates.length; i += 2) {
      const lng = coordinates[i]!;
      const lat = coordinates[i + 1]!;
      if (Math.abs(lng) <= 181 && Math.abs(lat) <= 90) continue;
      throw new ImportError(
        `The coordinates aren’t longitude and latitude (for example ${lng}, ${lat}). Reproject the ` +
          'file to WGS 84, or use a shapefile with its .prj file.',
      );
    }
  }
}

const isGeoJson = (file: string) =>
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

const SHAPE_FORMATS =
  'Export it as a shapefile (.zip with the .shp, .shx, .dbf, and .prj files), GeoJSON, FlatGeobuf, or ' +
  'GeoParquet, for example with QGIS, or with `ogr2ogr -nlt PROMOTE_TO_MULTI zips.fgb FILE`.';

/** @throws ImportError if the file is missing, in another format, or in another reference system */
export async function refuseUnreadable(file: string): Promise<void> {
  const { name, handle, head } = await openInput(file);
  await handle.close();
  refuseOtherFormats({ name, head }, SHAPE_FORMATS, ['.zip', '.fgb', '.parquet']);
  const extension = extname(file).toLowerCase();
  if (COMPANIONS.includes(extension)) {
    throw new ImportError(`${name} is one part of a shapefile. Name its .shp file instead.`);
  }
  if (!isGeoJson(file) && !OTHER_EXTENSIONS.includes(extension)) {
    const format = extension === '' ? 'has no file extension' : `is a ${extension} file`;
    throw new ImportError(`${name} ${format}, so its format is unclear. ${SHAPE_FORMATS}`);
  }
  if (isGeoJson(file)) refuseForeignCrs(name, head);
}

const OTHER_EXTENSIONS = ['.shp', '.zip', '.topojson', '.fgb', '.parquet', '.geoparquet'];
const COMPANIONS = ['.shx', '.dbf', '.prj', '.cpg', '.qix', '.sbn', '.sbx'];

/**
 * RFC 7946 permits only WGS 84, but older software writes other systems, named in a `crs` member at the
 * start of the file. Mapshaper would read coordinates in meters as degrees.
 */
function refuseForeignCrs(fileName: string, head: Buffer): void {
  const name = /"crs"\s*:\s*\{[^}]*"name"\s*:\s*"([^"]+)"/.exec(head.toString('utf8'))?.[1];
  if (name && !LNG_LAT_CRS.test(name)) {
    throw new ImportError(
      `${fileName} is in ${name}. GeoJSON must use longitude and latitude (WGS 84). ` +
        'Reproject it, or use a shapefile with its .prj file.',
    );
  }
}

/** Explains what is wrong with files. */
export function unreadableShapes(names: string, cause: unknown): ImportError {
  if (cause instanceof ImportError) return cause;
  const text = cause instanceof Error ? cause.message : String(cause);
  const reason = REASONS.find(([pattern]) => pattern.test(text))?.[1] ?? UNKNOWN_REASON;
  return new ImportError(`${names} can’t be read: ${reason}`, { cause });
}

const UNKNOWN_REASON =
  'it’s damaged, or it isn’t in a supported format. Open it in a GIS program and export it again as a ' +
  'zipped shapefile or as GeoJSON.';

/** Explanations for messages of mapshaper and its unzip library. */
const REASONS: [RegExp, string][] = [
  [/ENOENT|File not found/i, 'there is no such file. Check the path.'],
  [
    /ADM-ZIP|END header|directory of the archive|Invalid or unsupported zip/i,
    'the .zip file is damaged or incomplete. Download it again.',
  ],
  [
    /doesn't match size in header|File size of \.(shp|dbf)|is damaged$|unexpected end of file|incorrect data check|invalid (block|stored|distance|literal|code|bit)/i,
    'the shapefile is damaged or incomplete. Download it again.',
  ],
  [
    /JSON parsing error|Unexpected end|Unterminated/i,
    'the JSON is damaged or incomplete. Download it again.',
  ],
  [
    /source coordinate system is unknown/,
    'its coordinates aren’t longitude and latitude, and their projection is unknown. ' +
      'Add the .prj file, or reproject it to WGS 84.',
  ],
  [
    /Unusable \.prj|unable to parse|Unknown projection/i,
    'its .prj file names an unknown projection. Reproject it to WGS 84.',
  ],
];
