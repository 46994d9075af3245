/** The places of an organization as pins on its maps. */
import type { Tenant } from '../../people/account/tenant.ts';
import { PLACE_KINDS, type PlaceKind } from '../../data/basemap/place-symbols.ts';
import type { MapPlace, Pin } from '../../maps/cartography/place-pins.ts';

/** Kinds that may be on public maps: all but competitors */
export const PUBLIC_KINDS: readonly PlaceKind[] = PLACE_KINDS.filter(
  (kind) => kind !== 'competitor',
);

/** Returns all places that the caller sees, by name. */
export const placesOnMap = (tenant: Tenant): Promise<MapPlace[]> =>
  tenant.query<MapPlace & Record<string, unknown>>(
    `select kind, name, array[st_x(point), st_y(point)] as "lngLat", zip, brand_id as "brandId" from places
     where organization_id = $1 order by lower(name), id`,
  );

/**
 * Returns the pins of places that the caller sees, by name.
 * @param brandId only those of a brand and of the whole organization; null: those of all brands
 */
export const pinsOf = async (
  tenant: Tenant,
  kinds: readonly PlaceKind[],
  brandId: string | null = null,
): Promise<Pin[]> =>
  tenant.query<Pin & Record<string, unknown>>(
    `select kind, name, array[st_x(point), st_y(point)] as "lngLat" from places
     where organization_id = $1 and kind = any($2)
       and ($3::uuid is null or brand_id is null or brand_id = $3)
     order by lower(name), id`,
    [kinds, brandId],
  );

/** A place as customers see it */
export interface PublicPlace extends Pin {
  address: string | null;
  phone: string | null;
  url: string | null;
  /** Opening hours, in words */
  hours: string | null;
}

/** Returns the places of a brand and of the whole organization, without competitors, by name. */
export const publicPlacesOf = (tenant: Tenant, brandId: string): Promise<PublicPlace[]> =>
  tenant.query<PublicPlace & Record<string, unknown>>(
    `select kind, name, array[st_x(point), st_y(point)] as "lngLat", address, phone, url, hours from places
     where organization_id = $1 and kind = any($2) and (brand_id is null or brand_id = $3)
     order by lower(name), id`,
    [PUBLIC_KINDS, brandId],
  );

/** How a parameter asks for places: all that may be public, all, or kinds */
export const PLACES_FORM = 'own, all, or kinds separated by commas; for example office,store';

/** @throws RangeError with a message that completes a sentence about the parameter */
export function parseKinds(text: string): readonly PlaceKind[] {
  if (text === 'own') return PUBLIC_KINDS;
  if (text === 'all') return PLACE_KINDS;
  const names = text.split(',');
  const kinds = PLACE_KINDS.filter((kind) => names.includes(kind));
  if (kinds.length === names.length) return kinds;
  throw new RangeError(`must be ${PLACES_FORM}. The kinds are ${PLACE_KINDS.join(', ')}`);
}
