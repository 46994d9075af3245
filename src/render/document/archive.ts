/** Tile archives: files that hold all tiles of a source, such as a city cut from a planet. */
import { open } from 'node:fs/promises';
import type { Bbox } from '../../spatial/bbox.ts';
import type { TileAddress } from '../../spatial/tile.ts';
import { InvalidSceneError } from '../errors.ts';

export interface TileArchive {
  /** Path, for messages */
  readonly file: string;
  /** Such as `mvt` or `png` */
  readonly format: string;
  readonly minzoom: number;
  readonly maxzoom: number;
  readonly bounds: Bbox | undefined;
  /**
   * Returns a tile, decompressed, or null if the archive doesn't contain it.
   *
   * @throws InvalidSceneError if it can't be read
   */
  readTile(tile: TileAddress): Promise<Uint8Array | null>;
  /** Returns the archive's attribution, which may contain HTML, or null. */
  readAttribution(): Promise<string | null>;
  close(): Promise<void>;
}

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

/** @param problem the rest of a sentence that starts with the file */
export const archiveProblem = (file: string, problem: string) =>
  new InvalidSceneError([`${file} ${problem}`]);

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
