/** The pages of an exhibit. Lengths are in points, 72 to the inch. */

export const PAPERS = ['letter', 'a4'] as const;
export const ORIENTATIONS = ['auto', 'portrait', 'landscape'] as const;
export type Paper = (typeof PAPERS)[number];

export interface PageSize {
  width: number;
  height: number;
}

/** Sizes in portrait */
const SIZES: Readonly<Record<Paper, PageSize>> = {
  letter: { width: 612, height: 792 },
  a4: { width: 595.28, height: 841.89 },
};

export function pageSize(paper: Paper, isLandscape: boolean): PageSize {
  const { width, height } = SIZES[paper];
  return isLandscape ? { width: height, height: width } : { width, height };
}

/** Half an inch: printers reach it, and it leaves room to staple. */
export const MARGIN = 36;
/** Room for the reference and the page number, above the bottom margin */
export const FOOTER = 20;
/** Room for the names, totals, and reference at the top of the first page */
export const FRONT = 136;
/** Room for the title of an area's map */
export const AREA_TITLE = 26;

/** Returns the size of the map below `above`. */
export const mapSize = ({ width, height }: PageSize, above: number): PageSize => ({
  width: width - 2 * MARGIN,
  height: height - 2 * MARGIN - FOOTER - above,
});

/**
 * Ratio of width to height above which a territory gets landscape pages. It is halfway between the maps of both
 * orientations.
 */
export const LANDSCAPE_FROM = 1.3;
