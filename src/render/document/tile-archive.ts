/** Tile archives: files that hold all tiles of a source, such as a city cut from a planet. */
import type { Bbox } from '../../base/spatial/bbox.ts';
import type { TileAddress } from '../../base/spatial/tile.ts';
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

/** @param problem the rest of a sentence that starts with the file */
export const archiveProblem = (file: string, problem: string) =>
  new InvalidSceneError([`${file} ${problem}`]);
