/** The least that a map shows around few ZIP codes, so that readers recognize where they are. */
import type { Bbox } from '../spatial/bbox.ts';

/** Size of the map relative to that of a territory, by its number of ZIP codes */
const RELATIVE_SIZES = [
  { maxZips: 1, size: 2.5 },
  { maxZips: 4, size: 1.5 },
];
/** Size from which a territory needs no surroundings: 0.25 degrees are 23 km at the country's center */
const LARGE_DEG = 0.25;
/** Least size of a map, for ZIP codes of one building: about 3 km */
const MIN_DEG = 0.035;

/** Extends bounds around their center to a minimum size. Degrees of longitude measure both sides. */
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
