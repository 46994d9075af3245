/** Where the country is: its states, the District of Columbia, and the island areas, with their coasts. */

/** West, south, east, north */
type Box = readonly [number, number, number, number];

/** Boxes include parts of Canada, Mexico, and the sea: they are for coordinates that are far from right. */
const COUNTRY: readonly Box[] = [
  [-125, 24.3, -66.8, 49.5], // contiguous states
  [-180, 51, -129.9, 71.6], // Alaska
  [172, 51, 180, 53.6], // Aleutian Islands beyond the antimeridian
  [-178.6, 18.7, -154.6, 28.6], // Hawaii
  [-68.1, 17.6, -64.4, 18.7], // Puerto Rico and the US Virgin Islands
  [144.5, 13.1, 146.2, 20.7], // Guam and the Northern Mariana Islands
  [-171.2, -14.7, -168, -11], // American Samoa
];

const isInCountry = (box: Box): boolean =>
  COUNTRY.some(
    ([west, south, east, north]) =>
      west <= box[2] && box[0] <= east && south <= box[3] && box[1] <= north,
  );

/** Whether a box is in the country only with longitude and latitude swapped. */
export const looksSwapped = (box: Box): boolean =>
  !isInCountry(box) && isInCountry([box[1], box[0], box[3], box[2]]);

/** Returns why a box can't belong to the country, as a clause, or null if it touches it. */
export function whyOutside(box: Box): string | null {
  if (isInCountry(box)) return null;
  const where = 'it lies outside the United States and its islands';
  return looksSwapped(box) ? `${where}; longitude and latitude seem to be swapped` : where;
}
