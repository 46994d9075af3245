/** The colors of the furniture, read from the metadata of the style. */
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';

/** Key of a style's metadata that holds its palette. */
export const PALETTE_KEY = 'territory:palette';

export interface FurnitureTheme {
  /** Background of cards */
  paper: string;
  /** Titles */
  ink: string;
  /** Subtitles, labels, and notes */
  quietInk: string;
  /** Borders of cards and swatches */
  hairline: string;
}

const DEFAULT_THEME: FurnitureTheme = {
  paper: 'rgba(255,255,255,0.94)',
  ink: '#22282d',
  quietInk: '#5b646b',
  hairline: 'rgba(34,40,45,0.14)',
};

/** The theme in the style's palette, or dark text on white for a style without one. */
export function furnitureThemeOf(style: StyleSpecification): FurnitureTheme {
  const metadata = style.metadata as Record<string, unknown> | undefined;
  const palette = metadata?.[PALETTE_KEY] as { furniture: FurnitureTheme } | undefined;
  return palette?.furniture ?? DEFAULT_THEME;
}
