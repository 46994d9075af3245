/**
 * Reads polygons and lines at all detail levels. Mapshaper reads the file, converts it to WGS 84, finds the
 * borders that neighbors share, and simplifies each border once, so that neighbors never overlap or leave
 * gaps at any level.
 */
import { basename, extname } from 'node:path';
import type { FeatureCollection } from 'geojson';
import { ImportError } from '../../errors.ts';
import { whyUnreadable } from '../../base/files/shapefile/parts.ts';
import type { ShapeSource } from '../../base/files/shapefile/source.ts';
import { looksSwapped } from '../../base/geodata/country.ts';
import { LNG_LAT_CRS } from '../../base/spatial/crs.ts';
import { openInput, refuseOtherFormats } from './input-file.ts';
import type { ReadOptions } from './read-dataset.ts';
import type { ShapeLevel, Shapes } from './shape-levels.ts';
import { isGeoJson, openSources } from './shape-source.ts';
import type { Unite } from './unite-parts.ts';

interface ShapeOptions extends ReadOptions {
  /** Unites the parts of areas that come in several features. Default: each feature is one area */
  unite?: Unite;
}

/**
 * Reads the features of the wanted kinds in files of one format: shapefiles (`.shp` with its companion files, or a
 * `.zip` of them), GeoJSON, TopoJSON, newline-delimited GeoJSON, FlatGeobuf, or GeoParquet. Several files are parts of
 * one country.
 * @returns shapes of one kind of geometry each
 * @throws ImportError that states the file and its problem
 */
export async function readShapesByKind(files: string[], options: ShapeOptions): Promise<Shapes[]> {
  const names = files.map((f) => basename(f)).join(', ');
  for (const file of files) await refuseUnreadable(file);
  try {
    const sources = await Promise.all(files.map((file) => openSources(file, options.note)));
    // GeoJSON is in WGS 84 by definition (RFC 7946).
    return await simplify(sources, { ...options, isWgs84: files.every(isGeoJson) });
  } catch (error) {
    throw unreadableShapes(names, error);
  }
}

/** Reads the areas in files, as `readShapesByKind` does. */
export async function readShapes(
  files: string[],
  options: Partial<ShapeOptions> = {},
): Promise<Shapes> {
  const [areas] = await readShapesByKind(files, { kinds: ['polygon'], note: () => {}, ...options });
  return areas ?? { properties: [], levels: [] };
}

/** Simplifies generated features to all detail levels. Neighbors must share their vertices. */
export async function simplifyFeatures(collection: FeatureCollection): Promise<Shapes> {
  const source = { name: 'in.json', path: 'in.json', inputs: { 'in.json': collection } };
  const options = { kinds: ['polygon', 'polyline'] as const, note: () => {}, isWgs84: true };
  const [shapes] = await simplify([[source]], options);
  return shapes!;
}

async function simplify(
  files: ShapeSource[][],
  options: ShapeOptions & { isWgs84: boolean },
): Promise<Shapes[]> {
  // Mapshaper takes a second of CPU to load.
  const [{ readDataset }, { simplifyToLevels }, { uniteParts }] = await Promise.all([
    import('./read-dataset.ts'),
    import('./detail-levels.ts'),
    import('./unite-parts.ts'),
  ]);
  const dataset = await readDataset(files, options);
  const absorbed = dataset.layers.map((layer) =>
    options.unite && layer.geometry_type === 'polygon'
      ? uniteParts(layer, dataset, options.unite)
      : new Set<number>(),
  );
  const shapes = simplifyToLevels(dataset).map((one, i) => ({ ...one, absorbed: absorbed[i]! }));
  for (const { levels } of shapes) requireDegrees(levels[0]!);
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
        `The coordinates aren’t longitude and latitude (for example ${lng}, ${lat}). ` +
          (looksSwapped([lng, lat, lng, lat])
            ? 'They seem to be swapped. Write longitude first.'
            : 'Reproject the file to WGS 84, or use a shapefile with its .prj file.'),
      );
    }
  }
}

const SHAPE_FORMATS =
  'Export it as a shapefile (.zip with the .shp, .shx, .dbf, and .prj files), GeoJSON, FlatGeobuf, or ' +
  'GeoParquet, for example with QGIS, or with `ogr2ogr -nlt PROMOTE_TO_MULTI zips.fgb FILE`.';

/** @throws ImportError if the file is missing, in another format, or in another reference system */
export async function refuseUnreadable(file: string): Promise<void> {
  const { name, handle, head } = await openInput(file);
  await handle.close();
  refuseOtherFormats({ name, head }, SHAPE_FORMATS, ['.zip', '.shp', '.fgb', '.parquet']);
  const extension = extname(file).toLowerCase();
  if (COMPANION.test(extension)) {
    throw new ImportError(`${name} is one part of a shapefile. Name its .shp file instead.`);
  }
  if (!isGeoJson(file) && !OTHER_EXTENSIONS.includes(extension)) {
    const format = extension === '' ? 'has no file extension' : `is a ${extension} file`;
    throw new ImportError(`${name} ${format}, so its format is unclear. ${SHAPE_FORMATS}`);
  }
  if (isGeoJson(file)) refuseForeignCrs(name, head);
}

const OTHER_EXTENSIONS = ['.shp', '.zip', '.topojson', '.fgb', '.parquet', '.geoparquet'];
const COMPANION = /^\.(shx|dbf|prj|cpg|qix|sbn|sbx)$/;

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
  return new ImportError(`${names} can’t be read: ${whyUnreadable(cause)}`, { cause });
}
