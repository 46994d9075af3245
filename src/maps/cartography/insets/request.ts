/** The input and the result of the search for parts of a map to enlarge. */
import type { Bbox } from '../../../base/spatial/bbox.ts';
import type { Camera, PaddingBySide } from '../../../base/spatial/camera.ts';
import type { RectPx } from '../../../base/spatial/flat.ts';

export interface Inset {
  /** Position in the picture, CSS pixels */
  frame: RectPx;
  camera: Camera;
}

export interface InsetLayout {
  /** Padding that keeps the territory clear of the insets */
  padding: PaddingBySide;
  insets: readonly Inset[];
}

export interface InsetRequest {
  /** Boxes of the ZIP codes */
  zips: readonly Bbox[];
  /** Boxes that neither insets nor the key may cover: ZIP codes, and shapes drawn on top */
  keepFree: readonly Bbox[];
  /** Extent of the map without insets */
  bounds: Bbox;
  padding: PaddingBySide;
  /** Its padding without the room for the title and the legend */
  edges: PaddingBySide;
  /** The map has no labels below this zoom */
  minZoom: number;
  width: number;
  height: number;
  /** Part of the picture where insets may be */
  room: RectPx;
  /** Furniture that insets must not cover */
  taken: readonly RectPx[];
  /** Size of the legend, which may be in any corner, and the space around it */
  legend: { width: number; height: number; gapPx: number } | null;
  /** Area of an entry of the key to numbers, in square CSS pixels */
  keyEntryPx: number;
}

/** Space between an inset and the edge of the picture or other furniture, CSS pixels */
export const GAP_PX = 10;
