/**
 * A style's palette: the colours that legends and furniture share with its layers, kept in the
 * document's metadata so that no second place knows them.
 */
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { PALETTE_KEY, type FurnitureTheme } from '../render/furniture/theme.ts';

export interface Palette extends BasemapPalette {
  scores: ScorePalette;
  statuses: Readonly<Record<ZipStatus, string>>;
  furniture: FurnitureTheme;
}

/** For who draws the layers of `/map-context` without the style. */
export interface BasemapPalette {
  land: string;
  water: string;
  river: string;
  county: string;
  state: string;
  highway: string;
  highwayCasing: string;
  interstate: string;
  interstateCasing: string;
  label: string;
  quietLabel: string;
  labelHalo: string;
}

/** Where a brand stands with a ZIP; `plain` says no more than that it belongs to the picture. */
export type ZipStatus = 'live' | 'pending' | 'removed' | 'plain';

export interface ScorePalette {
  /** Lower bounds of the second class and those above it */
  breaks: readonly number[];
  /** From the lowest class to the highest: one more than breaks */
  colors: readonly string[];
  noData: string;
  /** 0..1, of the fill over the land */
  opacity: number;
}

/** Null for a style that is not one of ours. */
export function paletteOf(style: StyleSpecification): Palette | null {
  const metadata = style.metadata as Record<string, unknown> | undefined;
  return (metadata?.[PALETTE_KEY] as Palette | undefined) ?? null;
}

export function withPalette(style: StyleSpecification, palette: Palette): StyleSpecification {
  const metadata = { ...(style.metadata as Record<string, unknown>), [PALETTE_KEY]: palette };
  return { ...style, metadata };
}
