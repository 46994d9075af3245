/** Opens tile archives, whatever their format. */
import { open } from 'node:fs/promises';
import { archiveProblem, type TileArchive } from './tile-archive.ts';

/**
 * Opens a PMTiles or MBTiles file, whatever its name is.
 *
 * @throws InvalidSceneError if it's neither, or if it's damaged or too large
 */
export async function openArchive(file: string): Promise<TileArchive> {
  const start = await startOf(file);
  // Loaded on demand: most styles have no archives.
  if (start.startsWith('PMTiles')) return (await import('./pmtiles.ts')).openPmtiles(file);
  if (start === 'SQLite format 3\0') return (await import('./mbtiles.ts')).openMbtiles(file);
  throw archiveProblem(
    file,
    'is neither PMTiles nor MBTiles: convert it, for example with tippecanoe or `pmtiles convert`',
  );
}

/** Reads the start of a file: both formats identify themselves in the first 16 bytes. */
async function startOf(path: string): Promise<string> {
  try {
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, 0);
      return buffer.toString('latin1', 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw archiveProblem(path, `cannot be read: ${(error as Error).message}`);
  }
}
