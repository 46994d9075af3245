/** Layout of the memory of a surface: addresses in bytes, which the kernels and the code around them share. */

/**
 * Points of a line, in pixels of the plane. A call meshes up to `MAX_POINTS`, the last one of a line one more.
 * Their two neighbors are here, too.
 */
export const POINTS = 1024;
export const MAX_POINTS = 128;

/** The three latest corners of a strip, on the picture */
export const PLACED = 3_584;

/** From plane pixels to picture pixels, if the view isn't level: rows of `View3.matrix` without heights */
export const MATRIX = 3_840;

/** Cells of a dash pattern, row by row */
export const DASH = 4_096;

/** Corners of a line's strip. A point becomes at most 24: two cross sections and a round join. */
export const CORNERS = 8_192;
/** Nine numbers: see `LineCorners` */
export const CORNER = 72;

/** Points of a ring, in place of corners */
export const RING = CORNERS;
export const MAX_RING_POINTS = 8_192;

/** Crossings of the edges of a polygon and rows, of 12 bytes */
export const CROSSINGS = 262_144;
export const MAX_CROSSINGS = 16_384;

/** Masks of letters */
export const MASKS = 458_752;
export const MASKS_END = 1_572_864;

/** The pixels, followed by what a surface keeps for each row */
export const PIXELS = MASKS_END;
