/**
 * Levels of detail. Each shape is stored at several tolerances, and a view loads the coarsest one with
 * a tolerance below half a pixel.
 */

/** Finest first. `lod` is the index. */
export const DETAIL_LEVELS: readonly { toleranceM: number; belowZoom: number }[] = [
  // TIGER is accurate to about 7.6 m, so finer shapes would only store noise.
  { toleranceM: 5, belowZoom: Infinity },
  // At latitude 38, a pixel of a 512-pixel tile measures 61.7 km / 2^zoom. Each tolerance is at most
  // half of that at the highest zoom that uses it.
  { toleranceM: 120, belowZoom: 8 },
  { toleranceM: 480, belowZoom: 6 },
  { toleranceM: 1_900, belowZoom: 4 },
];

/** The level of detail for a zoom (512-pixel tiles). */
export function detailForZoom(zoom: number): number {
  let lod = 0;
  while (lod + 1 < DETAIL_LEVELS.length && zoom < DETAIL_LEVELS[lod + 1]!.belowZoom) lod++;
  return lod;
}

/** Meters per pixel of 512-pixel tiles at latitude 38, the middle of the country. */
export const metersPerPixel = (zoom: number): number => 61_700 / 2 ** zoom;
