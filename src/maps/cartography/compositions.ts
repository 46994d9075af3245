/**
 * Compositions determine the size of a picture, its furniture, and where it is placed, depending on where
 * the picture will be shown. Sizes are in CSS pixels, so that text and lines keep their proportions at the
 * pixel ratio of the medium.
 */

export const COMPOSITION_NAMES = [
  'thumbnail',
  'social',
  'square',
  'story',
  'banner',
  'print',
] as const;
export type CompositionName = (typeof COMPOSITION_NAMES)[number];

export interface Composition {
  /** CSS pixels */
  width: number;
  height: number;
  /** Device pixels per CSS pixel */
  pixelRatio: number;
  /**
   * - `cards`: the map fills the picture, and title and legend are on cards in its corners
   * - `bands`: title and legend in a band above the map, sources in a band below
   * - `column`: title, legend, and sources in a column on the left of the map
   */
  layout: 'cards' | 'bands' | 'column';
  /** Size of texts, relative to the default for the picture's size */
  textScale: number;
  subtitle: boolean;
  histogram: boolean;
  /** Whether to name only the publishers of the sources */
  shortAttribution: boolean;
  scaleBar: boolean;
  /** Shares of the height at the top and the bottom that apps cover with their own buttons */
  covered: { top: number; bottom: number };
}

const plain = {
  textScale: 1,
  subtitle: true,
  histogram: true,
  shortAttribution: false,
  scaleBar: false,
  covered: { top: 0, bottom: 0 },
} as const;

export const COMPOSITIONS: Readonly<Record<CompositionName, Composition>> = {
  /** For lists and search results: 600 x 400 pixels */
  thumbnail: {
    ...plain,
    width: 300,
    height: 200,
    pixelRatio: 2,
    layout: 'cards',
    subtitle: false,
    histogram: false,
    shortAttribution: true,
  },
  /** For link previews: 1200 x 630 pixels */
  social: { ...plain, width: 600, height: 315, pixelRatio: 2, layout: 'cards' },
  /** For feeds: 1080 x 1080 pixels */
  square: { ...plain, width: 540, height: 540, pixelRatio: 2, layout: 'cards', textScale: 1.1 },
  /** For stories and reels, upright: 1080 x 1920 pixels */
  story: {
    ...plain,
    width: 540,
    height: 960,
    pixelRatio: 2,
    layout: 'bands',
    textScale: 1.4,
    covered: { top: 0.12, bottom: 0.14 },
  },
  /** For the top of a profile or a page: 1500 x 500 pixels */
  banner: {
    ...plain,
    width: 750,
    height: 250,
    pixelRatio: 2,
    layout: 'column',
    histogram: false,
    shortAttribution: true,
  },
  /** For letter paper, upright, at 300 dpi: 2550 x 3300 pixels */
  print: {
    ...plain,
    width: 850,
    height: 1100,
    pixelRatio: 3,
    layout: 'bands',
    textScale: 1.15,
    scaleBar: true,
  },
};

/** A picture with a smaller area, in CSS pixels, is a thumbnail. */
const THUMBNAIL_PX = 75_000;
/** Aspect ratio of letter paper, and the tolerance within which a sheet counts as such */
const LETTER = { aspect: 8.5 / 11, tolerance: 0.01, minSidePx: 800 };

/** Returns the composition that suits the shape of a picture, with sizes in CSS pixels. */
export function compositionByShape(width: number, height: number): CompositionName {
  const aspect = width / height;
  if (width * height < THUMBNAIL_PX) return 'thumbnail';
  if (aspect >= 2.4) return 'banner';
  if (aspect <= 0.6) return 'story';
  const upright = Math.min(aspect, 1 / aspect);
  const isSheet = Math.abs(upright - LETTER.aspect) <= LETTER.tolerance;
  if (isSheet && Math.min(width, height) >= LETTER.minSidePx) return 'print';
  return aspect < 1.25 ? 'square' : 'social';
}
