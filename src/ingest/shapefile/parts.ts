/** Finds the parts of a shapefile: next to its `.shp` file, or in a ZIP archive, at any depth. */
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { readZipEntries, readZipEntry } from './zip.ts';

export interface ShapefileParts {
  /** Yields the content of the part with an extension such as `.dbf`; null if there is none. */
  read(extension: string): AsyncIterable<Buffer> | null;
}

/** Returns null unless the file contains exactly one shapefile. */
export async function findShapefileParts(file: string): Promise<ShapefileParts | null> {
  switch (extname(file).toLowerCase()) {
    case '.shp':
      return partsInFolder(file);
    case '.zip':
      return partsInZip(file);
    default:
      return null;
  }
}

async function partsInFolder(file: string): Promise<ShapefileParts> {
  const folder = dirname(file);
  const part = finder(basename(file), await readdir(folder));
  return {
    read: (extension) => {
      const name = part(extension);
      return name ? createReadStream(join(folder, name)) : null;
    },
  };
}

async function partsInZip(file: string): Promise<ShapefileParts | null> {
  // macOS adds entries such as `__MACOSX/._roads.shp` with the attributes of files.
  const entries = (await readZipEntries(file)).filter(({ name }) => !/(^|\/)[._]/.test(name));
  const [shape, ...others] = entries.filter(({ name }) => /\.shp$/i.test(name));
  if (!shape || others.length > 0) return null;
  const part = finder(
    shape.name,
    entries.map(({ name }) => name),
  );
  return {
    read: (extension) => {
      const name = part(extension);
      const entry = entries.find((e) => e.name === name);
      return entry ? readZipEntry(file, entry) : null;
    },
  };
}

/** Returns a function that finds the part of a shapefile with an extension, ignoring case. */
function finder(shape: string, names: readonly string[]) {
  const stem = shape.slice(0, -extname(shape).length).toLowerCase();
  return (extension: string) => names.find((name) => name.toLowerCase() === stem + extension);
}
