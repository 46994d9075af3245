/**
 * Levels of detail: each shape is kept at several tolerances, and a view reads the coarsest whose
 * tolerance stays below half a pixel.
 */

/** From finest to coarsest; `lod` is the index. */
export const DETAIL_LEVELS: readonly { toleranceM: number; belowZoom: number }[] = [
  // TIGER's own accuracy is about 7.6 m: finer would be storing noise.
  { toleranceM: 5, belowZoom: Infinity },
  // A pixel of a 512-pixel tile at latitude 38 measures 61.7 km / 2^zoom: the tolerances are at
  // most half of it at the last zoom that reads them.
  { toleranceM: 120, belowZoom: 8 },
  { toleranceM: 480, belowZoom: 6 },
  { toleranceM: 1_900, belowZoom: 4 },
];

/** The level of detail to read for a zoom (zooms of 512-pixel tiles). */
export function detailForZoom(zoom: number): number {
  let lod = 0;
  while (lod + 1 < DETAIL_LEVELS.length && zoom < DETAIL_LEVELS[lod + 1]!.belowZoom) lod++;
  return lod;
}
