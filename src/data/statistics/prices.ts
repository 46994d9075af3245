/**
 * Prices of consumers by year, which make dollars of different years comparable. Pure.
 *
 * The Census Bureau advises to inflate dollars of an earlier vintage to those of the later one by the annual averages of
 * the R-CPI-U-RS (formerly CPI-U-RS), all items ("Understanding and Using American Community Survey Data", chapter 10).
 * Source of the values: Bureau of Labor Statistics, R-CPI-U-RS, all items, not seasonally adjusted, December 1977 = 100,
 * as published in March 2024. The Bureau revises the last five years every year, by about 0.1%.
 */

const ANNUAL_AVERAGES: Readonly<Record<number, number>> = {
  2009: 314.7,
  2010: 319.8,
  2011: 330,
  2012: 336.9,
  2013: 342,
  2014: 347.7,
  2015: 348.3,
  2016: 352.8,
  2017: 360.3,
  2018: 369.1,
  2019: 375.8,
  2020: 380.8,
  2021: 399.2,
  2022: 431.5,
  2023: 449.3,
};

/** The last year whose prices are known */
export const LAST_PRICE_YEAR = 2023;

/**
 * Returns the factor that turns dollars of one year into dollars of a later one; null if the prices of one of them
 * aren't known.
 */
export function inflation(fromYear: number, toYear: number): number | null {
  const [from, to] = [ANNUAL_AVERAGES[fromYear], ANNUAL_AVERAGES[toYear]];
  return from === undefined || to === undefined ? null : to / from;
}
