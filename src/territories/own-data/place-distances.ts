/** How far ZIP codes are from an organization's nearest place, and from the nearest competitor among its places. */
import { nearestPoint } from '../../base/spatial/nearest-point.ts';
import type { Tenant } from '../../people/account/tenant.ts';

/** Names of the distances among the figures of ZIP codes: great-circle miles from the ZIP code's middle */
export const DISTANCE_FIELDS = ['milesToPlace', 'milesToCompetitor'] as const;
export type DistanceField = (typeof DISTANCE_FIELDS)[number];

export const DISTANCE_LABELS: Readonly<Record<DistanceField, string>> = {
  milesToPlace: 'miles to your nearest place',
  milesToCompetitor: 'miles to the nearest competitor',
};

export const isDistanceField = (name: string): name is DistanceField =>
  DISTANCE_FIELDS.some((field) => field === name);

/** Rounded to tenths; null without such a place, or for a ZIP code without a known position */
export type PlaceDistances = Readonly<Record<DistanceField, number | null>>;

const UNKNOWN: PlaceDistances = { milesToPlace: null, milesToCompetitor: null };

/**
 * Returns the distances of each ZIP code from the places that the caller sees.
 * @param brandId measures from the places of a brand and of the whole organization; null: from all
 */
export async function placeDistances(
  tenant: Tenant,
  zips: readonly string[],
  brandId: string | null = null,
): Promise<(zip: string) => PlaceDistances> {
  const places = await tenant.query<{ isCompetitor: boolean; lng: number; lat: number }>(
    `select kind = 'competitor' as "isCompetitor", st_x(point) as lng, st_y(point) as lat from places
     where organization_id = $1 and ($2::uuid is null or brand_id is null or brand_id = $2)`,
    [brandId],
  );
  if (places.length === 0) return () => UNKNOWN;
  const search = (isCompetitor: boolean) => {
    const some = places.filter((place) => place.isCompetitor === isCompetitor);
    return nearestPoint(
      some.map(({ lng }) => lng),
      some.map(({ lat }) => lat),
    );
  };
  const [nearestOwn, nearestCompetitor] = [search(false), search(true)];
  const centers = await tenant.common.query<{ zip: string; lng: number; lat: number }>(
    `select zip, st_x(centroid) as lng, st_y(centroid) as lat from zips
     where zip = any($1) and centroid is not null`,
    [zips],
  );
  const centerOf = new Map(centers.map((center) => [center.zip, center]));
  const tenths = (miles: number | undefined) =>
    miles === undefined ? null : Math.round(10 * miles) / 10;
  return (zip) => {
    const center = centerOf.get(zip);
    if (!center) return UNKNOWN;
    return {
      milesToPlace: tenths(nearestOwn(center.lng, center.lat)?.miles),
      milesToCompetitor: tenths(nearestCompetitor(center.lng, center.lat)?.miles),
    };
  };
}
