/** Where shapes meet the grid of device pixels, by the rules of graphics cards. */

/** Rounds a vertex coordinate to a sixteenth of a pixel, as graphics cards do. */
export function snapToSubpixel(coordinate: number): number {
  return Math.round(coordinate * 16) / 16;
}

/** Returns the first pixel of a row whose center is at or after a coordinate. */
export function firstPixelFrom(coordinate: number): number {
  return Math.ceil(coordinate - 0.5);
}

/**
 * Returns the first row whose centers are below a coordinate. A center on an edge belongs to the shape
 * above the edge, because graphics cards count rows from the bottom up.
 */
export function firstRowFrom(coordinate: number): number {
  return Math.floor(coordinate + 0.5);
}
