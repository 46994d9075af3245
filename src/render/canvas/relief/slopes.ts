/** Slopes of an elevation tile, exaggerated and rounded as MapLibre's first hillshade pass does. */
import type { DemEncoding, PictureData } from '../../scene.ts';
import { elevationsOf, MARGIN } from '../sources/dem.ts';

/** Width of the world in meters, as a power of 2: Earth's circumference at the equator */
const LOG2_WORLD_METERS = 25.2562;

/** Below this zoom, slopes are exaggerated: true ones are too gentle to see from afar. */
const EXAGGERATED_BELOW_ZOOM = 15;

/** Stored for flat ground */
const FLAT = 128;

/** Width of the margin of slopes around a tile, in pixels */
export const SLOPE_MARGIN = MARGIN - 1;

/**
 * Returns slopes as colors, by Horn's method (1981) from the eight neighbors of each pixel. Red rises
 * toward the east, green toward the south: see `slopeOfByte`.
 *
 * @param padded a tile with its margin
 */
export function slopesOf(
  padded: PictureData,
  encoding: DemEncoding,
  tileZoom: number,
): PictureData {
  const meters = elevationsOf(padded, encoding);
  const paddedSide = padded.width;
  const dim = paddedSide - 2 * MARGIN;
  const side = dim + 2 * SLOPE_MARGIN;
  const exaggeration =
    Math.min(0, tileZoom - EXAGGERATED_BELOW_ZOOM) * exaggerationFactor(tileZoom);
  // Horn's sums are 8 times the rise per pixel, and a pixel is 2^LOG2_WORLD_METERS / 2^zoom / dim wide.
  const scale = (255 / 8) * (dim / 2 ** (exaggeration + 3 + LOG2_WORLD_METERS - tileZoom));
  const pixels = new Uint8ClampedArray(4 * side * side).fill(255);
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const above = y * paddedSide + x;
      const here = above + paddedSide;
      const below = here + paddedSide;
      const east =
        meters[above + 2]! +
        2 * meters[here + 2]! +
        meters[below + 2]! -
        (meters[above]! + 2 * meters[here]! + meters[below]!);
      const south =
        meters[below]! +
        2 * meters[below + 1]! +
        meters[below + 2]! -
        (meters[above]! + 2 * meters[above + 1]! + meters[above + 2]!);
      const byte = 4 * (y * side + x);
      pixels[byte] = east * scale + FLAT;
      pixels[byte + 1] = south * scale + FLAT;
    }
  }
  return { width: side, height: side, pixels };
}

function exaggerationFactor(tileZoom: number): number {
  if (tileZoom < 2) return 0.4;
  return tileZoom < 4.5 ? 0.35 : 0.3;
}

/** Converts a byte to a slope of Mercator's map, which enlarges the ground by 1 / cos(latitude). */
export const slopeOfByte = (byte: number) => ((byte - FLAT) / 255) * 8;
