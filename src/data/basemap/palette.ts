/**
 * The palette of a style: the colors that its layers share with legends and furniture. The style document
 * contains it as metadata, so every reader of the document has the same colors.
 */
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { PALETTE_KEY, type FurnitureColors } from '../../render/furniture/colors.ts';

export interface Palette extends BasemapPalette {
  scores: ScorePalette;
  statuses: Readonly<Record<ZipStatus, string>>;
  /** Classes of `territories/own-data/white-space.ts`, drawn with the opacity of scores */
  whiteSpace: Readonly<Record<'white' | 'served' | 'quiet' | 'loyal', string>>;
  /** Classes of `data/vintages/classes.ts`, drawn with the opacity of scores */
  changes: Readonly<Record<'fellMost' | 'fell' | 'unclear' | 'grew' | 'grewMost', string>>;
  /** Distinguish territories, together with patterns: see `maps/cartography/categories.ts` */
  territories: readonly string[];
  /** Pins of places: an organization's own, and those of its competitors */
  pins: Readonly<Record<'own' | 'ownInk' | 'competitor' | 'competitorInk' | 'edge', string>>;
  furniture: FurnitureColors;
}

/** Colors for clients that draw the layers of `/map-context` without the style. */
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

/** Status of a ZIP code on a map. `plain`: no status. */
export type ZipStatus = 'live' | 'pending' | 'removed' | 'plain';

interface ScorePalette {
  /** Lower bounds of the score classes, except the lowest class */
  breaks: readonly number[];
  /** One color per class, lowest class first: one more than `breaks` */
  colors: readonly string[];
  noData: string;
  /** Opacity of the fill over the land, 0 to 1 */
  opacity: number;
}

/** Returns the palette in a style's metadata, or null for a style that isn't ours. */
export function paletteOf(style: StyleSpecification): Palette | null {
  const metadata = style.metadata as Record<string, unknown> | undefined;
  return (metadata?.[PALETTE_KEY] as Palette | undefined) ?? null;
}

/** Returns a copy of the style with another palette in its metadata. */
export function withPalette(style: StyleSpecification, palette: Palette): StyleSpecification {
  const metadata = { ...(style.metadata as Record<string, unknown>), [PALETTE_KEY]: palette };
  return { ...style, metadata };
}
