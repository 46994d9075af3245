/** ZIP codes in data files: the columns that contain them, and the forms in which they are written. */

/** Columns of ZIP codes, in lower case. The Census Bureau's names come first */
export const ZIP_COLUMNS: readonly string[] = ['zcta5ce20', 'zcta5ce10', 'zcta5ce00', 'zcta5ce', 'zcta5', 'zcta', 'zip code tabulation area', 'zip', 'zip5', 'zipcode', 'zip_code', 'postcode', 'postalcode', 'postal_code', 'zip_cd'];

/** Columns, in lower case, in which the Census Bureau writes the code of any kind of area */
export const GEOGRAPHY_COLUMNS: readonly string[] = ['geoid20', 'geoid10', 'geoid', 'geo_id', 'geoidfq20', 'geoidfq', 'affgeoid20', 'affgeoid10', 'affgeoid'];

/** Returns the first of the columns that a file has, in the file's own spelling. */
export const findColumn = (present: readonly string[], wanted: readonly string[]) =>
  wanted.flatMap((name) => present.find((own) => own.toLowerCase() === name) ?? [])[0];

/** The lowest ZIP code, of Holtsville, NY. Smaller numbers count something else */
const LOWEST = 501;

/**
 * Reads `75201`, `75201-1234`, `860Z200US75201`, `8600000US75201`, or `ZCTA5 75201`, with or without spaces around
 * it. Numbers have lost their leading zeros: 2108 is 02108.
 * @returns five digits, or null for any other value
 */
export function parseZip(value: unknown): string | null {
  const text =
    typeof value === 'number' && value >= LOWEST
      ? String(value).padStart(value > 99_999 ? 9 : 5, '0')
      : String(value ?? '').trim();
  return /^(?:86\w*US|ZCTA5? )?(\d{5})(?:-?\d{4}|\.0+)?$/.exec(text)?.[1] ?? null;
}

/** Returns why a value isn't a ZIP code. */
export const zipProblem = (value: unknown): string =>
  /^\d{3,4}$/.test(String(value).trim())
    ? 'the ZIP code doesn’t have five digits (was a leading zero lost?)'
    : 'the ZIP code doesn’t have five digits';
