/**
 * The postal city and state of a ZIP code from the `zipcodes` package, since boundary files have
 * neither.
 */
import { createRequire } from 'node:module';

interface PostalPlace {
  city: string;
  /** USPS code */
  state: string;
}

let places: Record<string, PostalPlace> | undefined;

/** Returns undefined for an unlisted ZIP code. */
export function postalPlace(zip: string): PostalPlace | undefined {
  // 12 MB of JSON, loaded on first use
  places ??= (createRequire(import.meta.url)('zipcodes') as { codes: typeof places & {} }).codes;
  const place = places[zip];
  return place && { city: cityName(place.city), state: place.state };
}

/** Restores the usual spelling: postal names have no apostrophes and few inner capitals. */
export function cityName(postalName: string): string {
  return postalName
    .replace(/^Mc ?([a-z])/i, (_, letter: string) => `Mc${letter.toUpperCase()}`)
    .replace(/^O (?=[A-Z])/, "O'");
}
