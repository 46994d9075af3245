/**
 * Layout of the memory of the encoder: addresses in bytes, which the kernels and the code around them share.
 */

// Two tables about symbols, of 32-bit numbers: how often a block has each, and its code, as
// `bits << 5 | number of bits`. Each begins with bytes of literal pixels and filter types.
export const COUNTS = 0;
export const CODES = 2_048;
/** Offsets in such a table of the lengths of matches, in pixels, and of their distances */
export const LENGTHS = 1_024;
export const DISTANCES = 1_536;

/** Index of the latest pixel of each color, by a hash of the color */
export const LATEST = 4_096;
/** 16 kB fit the processor's nearest cache. */
export const HASH_BITS = 12;

/** The bytes of a block. Its pixels and its tokens follow. */
export const OUTPUT = 20_480;
