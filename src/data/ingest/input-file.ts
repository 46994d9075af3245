/** Opens input files for imports, and refuses other formats before parsing them. */
import { open, readdir, stat, type FileHandle } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ImportError } from '../../errors.ts';
import { formatOf } from '../../base/files/formats.ts';

export interface InputFile {
  /** Without its folder */
  name: string;
  handle: FileHandle;
  /** The first bytes */
  head: Buffer;
}

const HEAD_BYTES = 4096;

/** Files in a folder that imports read. The other parts of a shapefile belong to its `.shp` file. */
const IMPORTABLE = /\.(shp|zip|geojson|json|topojson|ndjson|geojsonl)$/i;

/**
 * Replaces folders with the files in them that imports can read, in order.
 * @throws ImportError if a folder has none
 */
export async function expandFolders(paths: readonly string[]): Promise<string[]> {
  const expanded = paths.map(async (path) => {
    const facts = await stat(path).catch(() => null);
    if (!facts?.isDirectory()) return [path];
    const names = (await readdir(path)).filter((n) => IMPORTABLE.test(n) && !n.startsWith('.'));
    if (names.length > 0) return names.sort().map((name) => join(path, name));
    throw new ImportError(
      `The folder ${basename(path)} has no shapefile (.shp or .zip) or GeoJSON file. ` +
        'Name the folder with the files.',
    );
  });
  return (await Promise.all(expanded)).flat();
}

/**
 * Opens a file for reading. The caller closes its handle.
 * @throws ImportError if it's missing, not a regular file, unreadable, or empty
 */
export async function openInput(file: string): Promise<InputFile> {
  const name = basename(file);
  // Check the file before opening it: opening a named pipe waits for a writer.
  const facts = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw inaccessible(name, error);
  });
  if (facts.isDirectory()) {
    throw new ImportError(`${name} is a folder. Name the files in it.`);
  }
  if (!facts.isFile()) throw new ImportError(`${name} isn’t a regular file. Save it as a file.`);
  if (facts.size === 0) throw new ImportError(`${name} is empty. Download it again.`);
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    throw inaccessible(name, error);
  });
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  return { name, handle, head: buffer.subarray(0, bytesRead) };
}

function inaccessible(name: string, cause: NodeJS.ErrnoException): ImportError {
  const reason = INACCESSIBLE[cause.code ?? ''] ?? `the system reports ${cause.code}.`;
  return new ImportError(`${name} can’t be read: ${reason}`, { cause });
}

const INACCESSIBLE: Record<string, string> = {
  ENOENT: 'there is no such file. Check the path.',
  ENOTDIR: 'there is no such file. Check the path.',
  EACCES: 'your user isn’t allowed to read it. Change its permissions.',
};

/**
 * @param readable formats that the import reads, as a sentence
 * @param accepted extensions that it reads, such as `.zip`
 * @throws ImportError that names the file's format if it's a known one that the import doesn't read
 */
export function refuseOtherFormats(
  { name, head }: Pick<InputFile, 'name' | 'head'>,
  readable: string,
  accepted: readonly string[] = [],
): void {
  const format = formatOf(head, name);
  if (!format || format.extensions.some((known) => accepted.includes(known))) return;
  throw new ImportError(`${name} is ${format.what}, which this import can’t read. ${readable}`);
}
