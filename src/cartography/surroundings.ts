/** The minimum surroundings of a map of few ZIP codes, so that readers recognize the area. */
import type { Bbox } from '../spatial/bbox.ts';

/** Size of the map relative to the territory, by number of ZIP codes */
const RELATIVE_SIZES = [
  { maxZips: 1, size: 2.5 },
  { maxZips: 4, size: 1.5 },
];
/** Size at which a territory needs no surroundings: 0.25 degrees are 23 km at the country's center */
const LARGE_DEG = 0.25;
/** Minimum size of a map, for ZIP codes of a single building: about 3 km */
const MIN_DEG = 0.035;

/**
 * Extends bounds around their center to a minimum size. Both sides are measured in degrees of longitude.
 */
export function withSurroundings(bounds: Bbox, zipCount: number): Bbox {
  const [west, south, east, north] = bounds;
  const lngs = east - west;
  const latsPerLng = Math.cos((((south + north) / 2) * Math.PI) / 180);
  const lngsOfHeight = (north - south) / latsPerLng;
  const relative = RELATIVE_SIZES.find(({ maxZips }) => zipCount <= maxZips)?.size ?? 1;
  const wanted = Math.min(LARGE_DEG, Math.max(MIN_DEG, relative * Math.max(lngs, lngsOfHeight)));
  const addX = Math.max(0, wanted - lngs) / 2;
  const addY = (Math.max(0, wanted - lngsOfHeight) / 2) * latsPerLng;
  return [west - addX, south - addY, east + addX, north + addY];
}
