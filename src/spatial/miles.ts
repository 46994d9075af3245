/** The international mile. The service shows miles and stores metric lengths. */
export const METERS_PER_MILE = 1609.344;
export const SQUARE_METERS_PER_SQUARE_MILE = METERS_PER_MILE ** 2;
