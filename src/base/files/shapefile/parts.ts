/**
 * Finds the parts of shapefiles: next to their `.shp` file, or in a ZIP archive, at any depth. Says why they can't be
 * read.
 */
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { ServiceError } from '../../../errors.ts';
import {
  bytesOfFile,
  readZipEntries,
  readZipEntry,
  requireReadable,
  UnsupportedZipError,
} from '../zip-archive.ts';

export interface ShapefileParts {
  /** Path of the `.shp` file on disk, or its name in the archive */
  shp: string;
  /** Yields the content of the part with an extension such as `.dbf`; null if there is none. */
  read(extension: string): AsyncIterable<Buffer> | null;
}

/** Returns the shapefiles that a file contains, in the archive's order. Other files contain none. */
export async function findShapefiles(file: string): Promise<ShapefileParts[]> {
  switch (extname(file).toLowerCase()) {
    case '.shp':
      return [await partsInFolder(file)];
    case '.zip':
      return shapefilesInZip(file);
    default:
      return [];
  }
}

/** Returns null unless the file contains exactly one shapefile. */
export async function findShapefileParts(file: string): Promise<ShapefileParts | null> {
  const [parts, ...others] = await findShapefiles(file);
  return parts && others.length === 0 ? parts : null;
}

/** Returns the whole content of a part. */
export async function readPart(
  parts: ShapefileParts,
  extension: string,
): Promise<Buffer | undefined> {
  const content = parts.read(extension);
  if (content === null) return undefined;
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function partsInFolder(file: string): Promise<ShapefileParts> {
  const folder = dirname(file);
  const part = finder(basename(file), await readdir(folder));
  return {
    shp: file,
    read: (extension) => {
      const name = part(extension);
      return name ? createReadStream(join(folder, name)) : null;
    },
  };
}

async function shapefilesInZip(file: string): Promise<ShapefileParts[]> {
  const bytes = bytesOfFile(file);
  const entries = (await readZipEntries(bytes)).filter(({ name }) => !isHidden(name));
  const found = shapefilesAmong(
    entries.map(({ name }) => name),
    (name) =>
      readZipEntry(
        bytes,
        entries.find((entry) => entry.name === name)!,
      ),
  );
  // Mapshaper reads other files, such as GeoJSON, and doesn't say what it can't unpack.
  if (found.length === 0) for (const entry of entries) requireReadable(entry);
  return found;
}

/** macOS adds entries such as `__MACOSX/._roads.shp` with the attributes of files. */
export const isHidden = (name: string) => /(^|\/)[._]/.test(name);

/** Returns the shapefiles among the files of an archive, in its order. @param read yields a file's content */
export function shapefilesAmong(
  names: readonly string[],
  read: (name: string) => AsyncIterable<Buffer>,
): ShapefileParts[] {
  const shapes = names.filter((name) => /\.shp$/i.test(name));
  return shapes.map((shp) => {
    const part = finder(shp, names);
    return {
      shp,
      read: (extension) => {
        const name = part(extension);
        return name === undefined ? null : read(name);
      },
    };
  });
}

/** Returns a function that finds the part of a shapefile with an extension, ignoring case. */
function finder(shape: string, names: readonly string[]) {
  const stem = shape.slice(0, -extname(shape).length);
  return (extension: string) =>
    names.find((name) => name === stem + extension) ??
    names.find((name) => name.toLowerCase() === stem.toLowerCase() + extension);
}

/** Explains why a file of shapes can't be read, as the end of a sentence and what to do. */
export function whyUnreadable(cause: unknown): string {
  if (cause instanceof UnsupportedZipError || cause instanceof ServiceError) return cause.message;
  const text = cause instanceof Error ? cause.message : String(cause);
  return REASONS.find(([pattern]) => pattern.test(text))?.[1] ?? UNKNOWN_REASON;
}

const UNKNOWN_REASON =
  'it’s damaged, or it isn’t in a supported format. Open it in a GIS program and export it again as a ' +
  'zipped shapefile or as GeoJSON.';

/** Explanations for messages of mapshaper and its unzip library. */
const REASONS: [RegExp, string][] = [
  [/ENOENT|File not found/i, 'there is no such file. Check the path.'],
  [
    /ADM-ZIP|END header|directory of the archive|Invalid or unsupported zip/i,
    'the .zip file is damaged or incomplete. Download or export it again.',
  ],
  [
    /doesn't match size in header|File size of \.(shp|dbf)|is damaged$|unexpected end of file|incorrect data check|invalid (block|stored|distance|literal|code|bit)/i,
    'the shapefile is damaged or incomplete. Download or export it again.',
  ],
  [
    /JSON parsing error|Unexpected end|Unterminated/i,
    'the JSON is damaged or incomplete. Download or export it again.',
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
