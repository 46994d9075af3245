/** Units of text layout. Widths are in 1/24 em, the size at which glyph servers draw glyphs. */

export const UNITS_PER_EM = 24;

/** Distance from a glyph's origin down to the baseline: the ascender that glyph servers assume. */
export const BASELINE_UNITS = 26;
