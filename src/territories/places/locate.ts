/** Finds where a place is: by its coordinates, else its address, else the middle of its ZIP code. */
import { whyOutside } from '../../base/geodata/country.ts';
import { readZip } from '../../base/lists/read-zip.ts';
import { truncateInput } from '../../base/text/words.ts';
import { explainMissing, missingBoundaries } from '../../data/market/missing-boundaries.ts';
import { zipsAt } from '../../data/market/search/zip-at.ts';
import type { Point } from '../../data/market/zip-centers.ts';
import { badRequest, ServiceError } from '../../errors.ts';
import type { Tenant } from '../../people/account/tenant.ts';
import type { LocatedBy } from './import-types.ts';
import { Addresses, TOO_MANY_ADDRESSES, UNKNOWN_ADDRESS } from '../own-data/import/addresses.ts';

/** Where people say that a place is. The first that is given counts, in this order. */
export interface Whereabouts {
  lng?: number | null | undefined;
  lat?: number | null | undefined;
  address?: string | null | undefined;
  zip?: string | null | undefined;
}

export interface Location extends Point {
  locatedBy: LocatedBy;
  /** The ZIP code around it, or the given one; null outside of all */
  zip: string | null;
}

/** Finds an address; null for an unknown one. @throws ServiceError 503 if the geocoder fails */
export type FindAddress = (address: string) => Promise<Point | null>;

/** @throws ServiceError 400 for a place without a location, or one outside the country; 503 as `FindAddress` */
export async function locate(
  tenant: Pick<Tenant, 'common'>,
  whereabouts: Whereabouts,
  findAddress?: FindAddress,
): Promise<Location> {
  const [location] = await locateAll(tenant, [whereabouts], findAddress);
  if (location instanceof ServiceError) throw location;
  return location!;
}

/** What is known of a place until the database was asked: a point, or a ZIP code whose middle counts */
type Found =
  | { point: Point; locatedBy: 'coordinates' | 'address'; zip: string | null }
  | { point: null; zip: string }
  | ServiceError;

/** Points in one query. Boundaries take long to check. */
const BATCH = 500;

/**
 * Finds where many places are.
 * @returns for each, in the same order, where it is, or why it has no location
 * @throws ServiceError 503 as `FindAddress`
 */
export async function locateAll(
  { common }: Pick<Tenant, 'common'>,
  places: readonly Whereabouts[],
  findAddress?: FindAddress,
): Promise<(Location | ServiceError)[]> {
  const wanted = places.map((place) => attempt(() => wantedOf(place)));
  const addresses = new Addresses(findAddress);
  if (findAddress) {
    await addresses.find(
      wanted.flatMap((one) => (one instanceof ServiceError || one.point ? [] : (one.text ?? []))),
    );
  }
  const found = wanted.map((one): Found => {
    if (one instanceof ServiceError) return one;
    const { point, text, zip } = one;
    if (point) return { point, locatedBy: 'coordinates', zip };
    const atAddress = text === null ? null : addresses.at(text);
    if (atAddress) return { point: rounded(atAddress), locatedBy: 'address', zip };
    if (zip !== null) return { point: null, zip };
    if (!findAddress) {
      return badRequest(
        'This service can’t look up addresses. Add the ZIP code, or give coordinates.',
      );
    }
    return badRequest(atAddress === null ? UNKNOWN_ADDRESS : TOO_MANY_ADDRESSES);
  });
  const around = await zipsAround(
    common,
    found.flatMap((one) => (one instanceof ServiceError || !one.point ? [] : [one.point])),
  );
  const middleOf = await middlesOf(
    common,
    found.flatMap((one) => (one instanceof ServiceError || one.point ? [] : [one.zip])),
  );
  return found.map((one) => {
    if (one instanceof ServiceError) return one;
    if (!one.point) return middleOf(one.zip);
    const { point, locatedBy, zip } = one;
    return { ...point, locatedBy, zip: around.get(point) ?? zip };
  });
}

/** @throws ServiceError 400 without coordinates, an address, or a ZIP code, or for an invalid one */
function wantedOf({ lng, lat, address, zip }: Whereabouts) {
  const givenZip = isGiven(zip) ? checkedZip(zip) : null;
  const point = isGiven(lng) || isGiven(lat) ? checkedPoint(lng, lat) : null;
  if (!point && !isGiven(address) && givenZip === null) {
    throw badRequest('A place needs coordinates, an address, or a ZIP code. Enter one of them.');
  }
  const zipInText = /\b(\d{5})(?:-\d{4})?(?:,? USA?)?\s*$/i.exec(address ?? '')?.[1];
  const known = givenZip ?? zipInText ?? null;
  const isWhole = known === null || (address ?? '').includes(known);
  const text = isGiven(address) ? (isWhole ? address : `${address}, ${known}`) : null;
  return { point, text, zip: point ? givenZip : known };
}

/** Returns the result, or the error with which it was refused. */
export function attempt<T>(work: () => T): T | ServiceError {
  try {
    return work();
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

async function zipsAround(db: Tenant['common'], points: readonly Point[]) {
  const around = new Map<Point, string | null>();
  for (let at = 0; at < points.length; at += BATCH) {
    const batch = points.slice(at, at + BATCH);
    for (const [i, found] of (await zipsAt(db, batch)).entries()) {
      around.set(batch[i]!, found?.zip ?? null);
    }
  }
  return around;
}

async function middlesOf(
  db: Tenant['common'],
  given: readonly string[],
): Promise<(zip: string) => Location | ServiceError> {
  const zips = [...new Set(given)];
  const centers =
    zips.length === 0
      ? []
      : await db.query<{ zip: string; lng: number; lat: number }>(
          `select zip, st_x(centroid) as lng, st_y(centroid) as lat from zips
           where zip = any($1) and centroid is not null`,
          [zips],
        );
  const located = new Map(centers.map(({ zip, lng, lat }) => [zip, rounded({ lng, lat })]));
  const lost = zips.filter((zip) => !located.has(zip));
  const missing = lost.length === 0 ? [] : await missingBoundaries(db, lost);
  const reasons = new Map(missing.map((one) => [one.zip, explainMissing(one)]));
  return (zip) => {
    const center = located.get(zip);
    if (center) return { ...center, locatedBy: 'zip', zip };
    return badRequest(reasons.get(zip) ?? `ZIP code ${zip} has no location. Give coordinates.`);
  };
}

const isGiven = <T>(value: T | null | undefined): value is T =>
  value !== null && value !== undefined && value !== '';

function checkedZip(text: string): string {
  const { zip, reason } = readZip(text);
  if (zip !== null) return zip;
  throw badRequest(`"${truncateInput(text)}" can’t be read as a ZIP code. ${reason}`);
}

function checkedPoint(lng: number | null | undefined, lat: number | null | undefined): Point {
  if (!isGiven(lng) || !isGiven(lat)) {
    throw badRequest('Coordinates need both a longitude and a latitude. Enter both, or neither.');
  }
  if (!(Math.abs(lng) <= 180 && Math.abs(lat) <= 90)) {
    throw badRequest(
      `${lng}, ${lat} aren’t a longitude and a latitude in degrees, such as -96.8 and 32.78.`,
    );
  }
  const why = whyOutside([lng, lat, lng, lat]);
  if (why !== null) throw badRequest(`The place can’t be at ${lng}, ${lat}: ${why}.`);
  return rounded({ lng, lat });
}

/** To a tenth of a meter */
const rounded = ({ lng, lat }: Point): Point => ({
  lng: Math.round(lng * 1e6) / 1e6,
  lat: Math.round(lat * 1e6) / 1e6,
});
