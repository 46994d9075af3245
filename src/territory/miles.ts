/** The international mile, in which people of the trade think; what is stored is metric. */
export const METRES_PER_MILE = 1609.344;
export const SQUARE_METRES_PER_SQUARE_MILE = METRES_PER_MILE ** 2;
