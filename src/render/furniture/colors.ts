/** The colors of the furniture, read from the metadata of the style. */
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';

/** Key of a style's metadata that holds its palette. */
export const PALETTE_KEY = 'territory:palette';

export interface FurnitureColors {
  /** Background of cards */
  paper: string;
  /** Titles */
  ink: string;
  /** Subtitles, labels, and notes */
  quietInk: string;
  /** Borders of cards and swatches */
  hairline: string;
}

const DEFAULT_COLORS: FurnitureColors = {
  paper: 'rgba(255,255,255,0.94)',
  ink: '#22282d',
  quietInk: '#5b646b',
  hairline: 'rgba(34,40,45,0.14)',
};

/** The colors in the style's palette, or dark text on white for a style without one. */
export function furnitureColorsOf(style: StyleSpecification): FurnitureColors {
  const metadata = style.metadata as Record<string, unknown> | undefined;
  const palette = metadata?.[PALETTE_KEY] as { furniture: FurnitureColors } | undefined;
  return palette?.furniture ?? DEFAULT_COLORS;
}
