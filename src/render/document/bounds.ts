/** Limits on style files and the files that they name. */
import type { JsonBounds } from '../../base/spatial/json-bounds.ts';

const MB = 1024 ** 2;

/** Style documents and their TileJSON; published styles have up to 1 MB and 200 layers. */
export const STYLE: JsonBounds & { layers: number; sources: number } = {
  bytes: 8 * MB,
  depth: 64,
  values: 5e5,
  layers: 1e3,
  sources: 100,
};

/** Files that a style names. The totals apply to one picture. */
export const STYLE_ASSETS = {
  /** A file, or a tile of an archive, after decompression */
  bytes: 64 * MB,
  totalBytes: 256 * MB,
  files: 20_000,
  /** Pixels of all raster tiles and pictures together: 256 MB */
  rasterPixels: 67_108_864,
  /** Pixels of all images of a sprite together: 4096 x 4096. Images may share pixels of the sheet. */
  spritePixels: 16_777_216,
  geoJson: { bytes: 64 * MB, depth: 64, values: 10_000_000 } satisfies JsonBounds,
};

/** MBTiles archives are read into memory. PMTiles archives are read tile by tile and have no limit. */
export const MBTILES_BYTES = 512 * MB;
