/** What they reach, the census only bounds: B19013 and B25077, in dollars. */
export const TOP_INCOME = 250_000;
export const TOP_HOME_VALUE = 2_000_000;
