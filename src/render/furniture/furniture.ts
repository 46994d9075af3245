/** The parts drawn around a map: title, legend, scale bar, locator, and sources. */
import type { FlatPoints, RectPx } from '../../base/spatial/flat.ts';

export interface MapFurniture {
  /** Above the title */
  logo?: Logo | undefined;
  /** CSS color of the rule above the title */
  accent?: string | undefined;
  title?: string;
  subtitle?: string;
  legend?: Legend;
  scaleBar?: ScaleBar;
  /** Frames of other maps, drawn on top of this one */
  insets?: readonly RectPx[];
  /** Parts of this map that other maps show enlarged */
  enlarged?: readonly RectPx[];
  /** Name of the map, in its corner */
  caption?: string;
  /** Drawn only where it hides none of the territory */
  key?: NumberKey;
  locator?: Locator;
  /** Source and year of the figures, e.g. `ACS 5-Year 2019-2023` */
  vintage?: string;
  attribution?: string;
  /** For pictures without room for vintage and attribution, longest first. The last is always drawn. */
  shortAttribution?: readonly string[];
  /** Size of texts, relative to the default for the picture's size. Default: 1 */
  textScale?: number;
}

export interface Legend {
  title: string;
  /** How the classes were formed, e.g. `National fifths` */
  method?: string;
  /** Lowest class first, unless they are a list. The highest is drawn at the top */
  classes: readonly LegendClass[];
  /** Whether the classes are a list in reading order. Default: false */
  isList?: boolean;
  noData?: LegendClass;
  /** Land around the ZIP codes of the map */
  outside?: LegendClass;
  /** Lower and upper end of ordered classes. Without it, each class needs its own name. */
  range?: readonly [lowest: number | string, highest: number | string];
  /** Lowest first, over the whole range */
  histogram?: readonly HistogramBar[];
}

export interface HistogramBar {
  /** CSS color */
  color: string;
  count: number;
}

export interface LegendClass {
  /** CSS color as it appears on the map */
  color: string;
  /** Pattern or edge of the class, for readers who can't distinguish its color */
  mark?: LegendMark;
  label: string;
}

/** Patterns of the styles' sprite, and edges */
export type LegendMark = LegendPattern | 'broken-edge' | 'solid-edge' | 'dotted-edge';
export type LegendPattern = 'hatch' | 'falling' | 'horizontal' | 'vertical' | 'grid' | 'dots';

/** Round distances and their lengths on the map */
export type ScaleBar = readonly { label: string; lengthPx: number }[];

/**
 * Shows the location of the map. Positions are relative to the longer side of the outlines, from their top
 * left.
 */
export interface Locator {
  /** Names of the outlines, e.g. `Texas` */
  label: string;
  width: number;
  height: number;
  outlines: readonly FlatPoints[];
  extent: RectPx;
}

/** Key to the numbers on a map */
export interface NumberKey {
  title: string;
  entries: readonly { number: number; text: string }[];
}

/** A picture that is drawn unchanged */
export interface Logo {
  /** Pixels */
  width: number;
  height: number;
  /** Rows of RGBA from the top down, with colors divided by alpha */
  rgba: Uint8ClampedArray;
  /** A hash of the pixels */
  id: string;
}
