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

const swapped = ([west, south, east, north]: Box): Box => [south, west, north, east];
/** A negative longitude has its minus. */
const withMinus = (box: Box): Box => (box[0] > 0 ? [-box[2], box[1], -box[0], box[3]] : box);

/** Mistakes that put a place outside the country, and how to correct them, likeliest first */
const MISTAKES: readonly [hint: string, correct: (box: Box) => Box][] = [
  ['longitude and latitude seem to be swapped', swapped],
  ['the minus of its longitude seems to be missing', withMinus],
  [
    'longitude and latitude seem to be swapped, and the minus of the longitude seems to be missing',
    (box) => withMinus(swapped(box)),
  ],
];

/** Whether a box is in the country only with longitude and latitude swapped. */
export const looksSwapped = (box: Box): boolean =>
  !isInCountry(box) && isInCountry(swapped(box));

/** Returns why a box can't belong to the country, as a clause, or null if it touches it. */
export function whyOutside(box: Box): string | null {
  if (isInCountry(box)) return null;
  const where = 'it lies outside the United States and its islands';
  const [hint] = MISTAKES.find(([, correct]) => isInCountry(correct(box))) ?? [];
  return hint === undefined ? where : `${where}; ${hint}`;
}
