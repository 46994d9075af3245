/** Elevation tiles: heights encoded as colors. */
import type { DemEncoding, PictureData } from '../../scene.ts';
import { composeWarps, type Warp } from '../raster/warp.ts';

/** Pixels around a tile: slopes around its edge need two rows of the neighbors. */
export const MARGIN = 2;

/** Returns the neighbor at an offset of whole tiles (-1 to 1 each), or null if it isn't shown. */
type Neighbor = (dx: number, dy: number) => PictureData | null;

/**
 * Adds a margin to a square tile. It comes from neighbors of the same size, or repeats the tile's edge
 * where one is missing.
 */
export function withMargin(tile: PictureData, neighbor: Neighbor): PictureData {
  const dim = tile.width;
  const side = dim + 2 * MARGIN;
  const padded = new Uint32Array(side * side);
  const own = wordsOf(tile);
  for (let y = 0; y < dim; y++) {
    const row = own.subarray(y * dim, (y + 1) * dim);
    padded.set(row, (y + MARGIN) * side + MARGIN);
  }
  const addMargin = (other: PictureData | null, dx: number, dy: number) => {
    const words = other === null ? own : wordsOf(other);
    for (let row = firstOf(dy, dim); row < endOf(dy, dim); row++) {
      for (let column = firstOf(dx, dim); column < endOf(dx, dim); column++) {
        const x = other === null ? clamp(column, dim) : column - dx * dim;
        const y = other === null ? clamp(row, dim) : row - dy * dim;
        padded[(row + MARGIN) * side + column + MARGIN] = words[y * dim + x]!;
      }
    }
  };
  for (let dy = -1; dy <= 1; dy++) {
    for (let dx = -1; dx <= 1; dx++) {
      if (dx === 0 && dy === 0) continue;
      const other = neighbor(dx, dy);
      addMargin(other?.width === dim ? other : null, dx, dy);
    }
  }
  return { width: side, height: side, pixels: new Uint8ClampedArray(padded.buffer) };
}

const wordsOf = ({ pixels }: PictureData) =>
  new Uint32Array(pixels.buffer, pixels.byteOffset, pixels.length / 4);

/** First and last columns (or rows) of the part that lies `d` tiles to the right, margins included */
const firstOf = (d: number, dim: number) => (d < 0 ? -MARGIN : d * dim);
const endOf = (d: number, dim: number) => (d < 0 ? 0 : d > 0 ? dim + MARGIN : dim);

const clamp = (value: number, dim: number) => Math.max(0, Math.min(dim - 1, value));

/** Turns a warp to a tile into a warp to the tile with a margin. */
export function warpIntoMargin(warp: Warp, dim: number, margin: number): Warp {
  const side = dim + 2 * margin;
  const inset = Float64Array.of(
    dim / side,
    0,
    margin / side,
    0,
    dim / side,
    margin / side,
    0,
    0,
    1,
  );
  return composeWarps(inset, warp);
}

/** Returns the elevations of a picture's pixels, in meters. */
export function elevationsOf({ pixels }: PictureData, encoding: DemEncoding): Float32Array {
  const meters = new Float32Array(pixels.length / 4);
  const { red, green, blue, shift } = encoding;
  for (let i = 0, byte = 0; i < meters.length; i++, byte += 4) {
    meters[i] = red * pixels[byte]! + green * pixels[byte + 1]! + blue * pixels[byte + 2]! - shift;
  }
  return meters;
}

/** Rounds an elevation to one that the encoding can represent, as MapLibre's color stops are. */
export function roundToEncoding(meters: number, { red, green, blue, shift }: DemEncoding): number {
  const factors = [red, green, blue].filter((factor) => factor !== 0);
  if (factors.length === 0) return -shift;
  const step = Math.min(...factors);
  const steps = Math.round((meters + shift) / step);
  // A negative remainder is stored as 0.
  const byteOf = (factor: number) => Math.max(0, Math.floor((steps * step) / factor) % 256);
  return factors.reduce((sum, factor) => sum + factor * byteOf(factor), -shift);
}
