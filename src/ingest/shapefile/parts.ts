/** Finds the parts of shapefiles: next to their `.shp` file, or in a ZIP archive, at any depth. */
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { readZipEntries, readZipEntry } from './zip.ts';

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
  // macOS adds entries such as `__MACOSX/._roads.shp` with the attributes of files.
  const entries = (await readZipEntries(file)).filter(({ name }) => !/(^|\/)[._]/.test(name));
  const names = entries.map(({ name }) => name);
  return names
    .filter((name) => /\.shp$/i.test(name))
    .map((shp) => {
      const part = finder(shp, names);
      return {
        shp,
        read: (extension) => {
          const name = part(extension);
          const entry = entries.find((e) => e.name === name);
          return entry ? readZipEntry(file, entry) : null;
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
