/** How finely a view's shapes are worth sending. */
import type { Bbox } from '../spatial/bbox.ts';
import { detailForZoom } from '../spatial/detail.ts';
import { TILE_SIZE_PX } from '../spatial/mercator.ts';

export interface Resolution {
  /** Vertices that deviate less than this from their neighbours' line are left out */
  toleranceDeg: number;
  /** Of a coordinate: their step is at most the tolerance */
  decimals: number;
  /** Level of detail of `spatial/detail.ts` to read */
  lod: number;
  /** What to clip to: the box with its edges moved inward to the coordinates' steps */
  clip: Bbox;
}

/** No screen is wider: a larger view, such as the world at zoom 18, is not sent any finer. */
const MAX_VIEW_PX = 16_384;
/** Of longitude, half a pixel at zoom 0 */
const HALF_PIXEL_DEG = 360 / TILE_SIZE_PX / 2;

/** @param bbox with sides of at least `MIN_SIDE_DEG` */
export function resolutionFor(bbox: Bbox, zoom: number): Resolution {
  const [west, south, east, north] = bbox;
  const width = east - west;
  const height = north - south;
  const visible = Math.max(HALF_PIXEL_DEG / 2 ** zoom, Math.max(width, height) / MAX_VIEW_PX / 2);
  // In a box thinner than two pixels, shapes would shrink to nothing.
  const toleranceDeg = Math.min(visible, width / 4, height / 4);
  const decimals = Math.max(0, Math.ceil(-Math.log10(toleranceDeg)));
  const steps = 10 ** decimals;
  // Math.ceil would move an edge that lies on a step already: 1.1 * 1000 is 1100.0000000000002.
  const stepUp = (deg: number) => {
    const nearest = Math.round(deg * steps);
    return (nearest / steps >= deg ? nearest : nearest + 1) / steps;
  };
  return {
    toleranceDeg,
    decimals,
    lod: detailForZoom(Math.log2(HALF_PIXEL_DEG / toleranceDeg)),
    clip: [stepUp(west), stepUp(south), -stepUp(-east), -stepUp(-north)],
  };
}
