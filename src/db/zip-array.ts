/**
 * Returns ZIP codes as a PostgreSQL array literal, for parameters of type `text[]`. The driver would escape every
 * element of an array, which takes 10 ms for the ZIP codes of the country. Digits need no escaping.
 */
export const zipArray = (zips: Iterable<string>): string => `{${[...zips].join()}}`;
