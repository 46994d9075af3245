/** The international mile, in which people of the trade think; what is stored is metric. */
export const METERS_PER_MILE = 1609.344;
export const SQUARE_METERS_PER_SQUARE_MILE = METERS_PER_MILE ** 2;
