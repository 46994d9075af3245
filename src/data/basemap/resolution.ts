/** The resolution of the shapes in a view. */
import type { Bbox } from '../../base/spatial/bbox.ts';
import { detailForZoom } from '../../base/spatial/detail.ts';
import { mercatorX, mercatorY, TILE_SIZE_PX, worldSizePx } from '../../base/spatial/mercator.ts';

interface Resolution {
  /** Vertices closer than this to the simplified line are dropped */
  toleranceDeg: number;
  /** Decimals of coordinates, so that a step is at most the tolerance */
  decimals: number;
  /** Level of detail to load: see `base/spatial/detail.ts` */
  lod: number;
  /** The requested zoom, or a lower one if the view would be wider than any screen */
  zoom: number;
  /** The box to clip to, with edges rounded inward to coordinate steps */
  clip: Bbox;
}

/** A larger view, such as the world at zoom 4, gets no additional detail: screens are at most this wide. */
const MAX_DETAIL_PX = 4_096;
/** A box with more pixels, such as the world at zoom 18, is a mistake. A metro at zoom 18 isn’t. */
export const MAX_VIEW_PX = 2 ** 20;
/** Half a pixel at zoom 0, in degrees of longitude */
const HALF_PIXEL_DEG = 360 / TILE_SIZE_PX / 2;

/** Says why a view is refused, and what to do; undefined if it isn’t. */
export function viewProblem([west, south, east, north]: Bbox, zoom: number): string | undefined {
  const width = mercatorX(east) - mercatorX(west);
  const height = mercatorY(south) - mercatorY(north);
  // Rounded, because a side of the whole world is slightly more than 1.
  const zooms = Math.log2(MAX_VIEW_PX / TILE_SIZE_PX / Math.max(width, height));
  const highest = Math.floor(zooms + 1e-9);
  if (zoom <= highest) return undefined;
  const inPixels = (side: number) => Math.round(side * worldSizePx(zoom)).toLocaleString('en');
  return (
    `is ${inPixels(width)} pixels wide and ${inPixels(height)} high at zoom ${zoom}. At most ` +
    `${MAX_VIEW_PX.toLocaleString('en')} are accepted. Send a smaller box, or zoom ${highest} or lower.`
  );
}

/** @param bbox with sides of at least `MIN_SIDE_DEG` */
export function resolutionFor(bbox: Bbox, zoom: number): Resolution {
  const [west, south, east, north] = bbox;
  const width = east - west;
  const height = north - south;
  const visible = Math.max(HALF_PIXEL_DEG / 2 ** zoom, Math.max(width, height) / MAX_DETAIL_PX / 2);
  // Shapes would collapse in a box thinner than two pixels.
  const toleranceDeg = Math.min(visible, width / 4, height / 4);
  const decimals = Math.max(0, Math.ceil(-Math.log10(toleranceDeg)));
  const steps = 10 ** decimals;
  // Math.ceil would move an edge that is already on a step: 1.1 * 1000 is 1100.0000000000002.
  const roundUp = (deg: number) => {
    const nearest = Math.round(deg * steps);
    return (nearest / steps >= deg ? nearest : nearest + 1) / steps;
  };
  return {
    zoom: Math.min(zoom, Math.log2(HALF_PIXEL_DEG / visible)),
    toleranceDeg,
    decimals,
    lod: detailForZoom(Math.log2(HALF_PIXEL_DEG / toleranceDeg)),
    clip: [roundUp(west), roundUp(south), -roundUp(-east), -roundUp(-north)],
  };
}
