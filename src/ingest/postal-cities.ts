/**
 * The postal city and state of a ZIP code, from the `zipcodes` package: boundary files carry
 * neither.
 */
import { createRequire } from 'node:module';

interface PostalPlace {
  city: string;
  /** USPS code */
  state: string;
}

let places: Record<string, PostalPlace> | undefined;

/** Undefined for a ZIP code that nobody has listed. */
export function postalPlace(zip: string): PostalPlace | undefined {
  // 12 MB of JSON: loaded when an import first asks
  places ??= (createRequire(import.meta.url)('zipcodes') as { codes: typeof places & {} }).codes;
  const place = places[zip];
  return place && { city: cityName(place.city), state: place.state };
}

/** As people write it: the post office has no apostrophes and few inner capitals. */
export function cityName(postalName: string): string {
  return postalName
    .replace(/^Mc ?([a-z])/i, (_, letter: string) => `Mc${letter.toUpperCase()}`)
    .replace(/^O (?=[A-Z])/, "O'");
}
