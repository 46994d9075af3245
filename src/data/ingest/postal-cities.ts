/** The postal city and state of a ZIP code, from the `zipcodes` package. Boundary files contain neither. */
import { createRequire } from 'node:module';

interface PostalPlace {
  city: string;
  /** USPS code */
  state: string;
}

let places: Record<string, PostalPlace> | undefined;

/** Large, so it's loaded on first use */
const load = () =>
  (places ??= (createRequire(import.meta.url)('zipcodes') as { codes: typeof places & {} }).codes);

/** Returns undefined for an unlisted ZIP code. */
export function postalPlace(zip: string): PostalPlace | undefined {
  const place = load()[zip];
  return place && { city: cityName(place.city), state: place.state };
}

/** Returns all ZIP codes of the post office. The package also contains Canadian postal codes. */
export const postalZips = (): [zip: string, place: PostalPlace][] =>
  Object.keys(load()).flatMap((zip) => (/^\d{5}$/.test(zip) ? [[zip, postalPlace(zip)!]] : []));

/** Restores the usual spelling: postal names have no apostrophes and few inner capitals. */
export function cityName(postalName: string): string {
  return postalName
    .replace(/^Mc ?([a-z])/i, (_, letter: string) => `Mc${letter.toUpperCase()}`)
    .replace(/^O (?=[A-Z])/, "O'");
}
