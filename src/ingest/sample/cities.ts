/**
 * US cities: the post-office names that the zipcodes package gives to the gazetteer's ZIP codes.
 */
import { createRequire } from 'node:module';
import type { ZipPoint } from './gazetteer.ts';
import { groupBy } from '../../group.ts';

export interface City {
  /** As the post office spells it: `Saint Paul` */
  name: string;
  /** Two letters */
  state: string;
  zips: ZipPoint[];
  /** Degrees; median of its delivery points, so that one misplaced ZIP code does not matter */
  lng: number;
  lat: number;
}

/** What zipcodes tells of a ZIP code. For those of post-office boxes the point is often far off. */
interface Delivery {
  latitude: number;
  longitude: number;
  city: string;
  state: string;
}

/** By key: see `cityKey`. */
export type Cities = ReadonlyMap<string, City>;

/** Post-office boxes are not in the gazetteer, and so left out. */
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

/** `mcdonough, ga`: the package writes both `Mcdonough` and `McDonough`. */
const cityKey = ({ city, state }: Delivery) => `${city}, ${state}`.toLowerCase();

/**
 * Where `Dallas, TX` is, or the part of it that `Dallas, TX 75201` names: degrees.
 * @throws if there is no such city, or the ZIP code is not one of its own
 */
export function locate(cities: Cities, place: string): [lng: number, lat: number] {
  const [, name, zip] = /^(.+, [A-Z]{2})(?: (\d{5}))?$/.exec(place) ?? [];
  const city = cities.get((name ?? place).toLowerCase());
  const spot = zip ? city?.zips.find((point) => point.zip === zip) : city;
  if (!spot) throw new Error(`The sample knows no place called ${place}.`);
  return [spot.lng, spot.lat];
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
