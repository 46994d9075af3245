/**
 * Places of an organization: its offices, stores, and depots, its competitors, and others. Unlike data sets, they are
 * stored as they are. A place belongs to a brand or to the whole organization. People with some brands see the places of
 * these and those of the whole organization, and change the former.
 */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { PLACE_KINDS, PLACE_SYMBOLS, type PlaceKind } from '../../data/basemap/place-symbols.ts';
import { recordActivity, type Action } from '../../people/account/activity.ts';
import type { Actor, BrandScope, Caller } from '../../people/account/caller.ts';
import { checkedName } from '../../people/account/names.ts';
import type { Tenant, TenantTransaction } from '../../people/account/tenant.ts';
import { conflict, notFound, ServiceError } from '../../errors.ts';
import {
  pageOf,
  rowsToRead,
  startAfter,
  type Page,
  type PageRequest,
} from '../../base/contract/paging.ts';
import { formatCount, joinFirst } from '../../base/text/words.ts';
import type { Geocoder } from '../../data/geocoding/geocoder.ts';
import { findBrand, type Brand } from '../brands/brands.ts';
import { BRAND_JSON } from '../brands/named-brands.ts';
import { meterAddresses } from '../own-data/address-units.ts';
import { geocodeWith } from '../own-data/import/tenant-look-ups.ts';
import { dataLimitsOf } from '../own-data/limits.ts';
import { locate, type Location, type Whereabouts } from './locate.ts';
import { checkedKind, checkedTexts, type TextFields } from './place-fields.ts';

export interface Place extends Location, TextFields {
  id: string;
  name: string;
  kind: PlaceKind;
  /** Null: the whole organization’s */
  brand: Brand | null;
  createdBy: Actor;
  createdAt: Date;
  changedBy: Actor;
  changedAt: Date;
}

/** Whether customers and other organizations may see a place. Competitors stay within the organization. */
export const isPublic = ({ kind }: Pick<Place, 'kind'>): boolean => kind !== 'competitor';

export interface PlaceFilter {
  /** Only places of this brand; null: only those of the whole organization */
  brandId?: string | null | undefined;
  kinds?: readonly PlaceKind[] | undefined;
}

const PLACES = `select p.id, p.name, p.kind, case when b.id is not null then ${BRAND_JSON} end as brand,
    st_x(p.point) as lng, st_y(p.point) as lat, p.located_by as "locatedBy", p.zip, p.address, p.phone, p.email, p.url,
    p.hours, p.created_by as "createdBy", p.created_at as "createdAt", p.changed_by as "changedBy",
    p.changed_at as "changedAt"
  from places p left join brands b on b.organization_id = $1 and b.id = p.brand_id
  where p.organization_id = $1`;

/** `$2` to `$4` are `filterValues`. */
const MATCHES = `($2::uuid is null or p.brand_id = $2) and (not $3 or p.brand_id is null)
  and ($4::text[] is null or p.kind = any($4))`;

const filterValues = ({ brandId, kinds }: PlaceFilter) => [brandId, brandId === null, kinds];

/** Lists places by name. */
export const listPlaces = (tenant: Tenant, filter: PlaceFilter = {}): Promise<Place[]> =>
  tenant.query<Place & Record<string, unknown>>(
    `${PLACES} and ${MATCHES} order by lower(p.name), p.id`,
    filterValues(filter),
  );

/** Returns a page of places by name. */
export async function pageOfPlaces(
  tenant: Tenant,
  filter: PlaceFilter,
  page: PageRequest,
): Promise<Page<Place>> {
  const [name, id] = startAfter(page, z.tuple([SortName, z.uuid()])) ?? [];
  const rows = await tenant.query<Place & { sortName: string }>(
    `select lower(name) as "sortName", place.* from (${PLACES} and ${MATCHES}) as place
     where $5::uuid is null or (lower(name), id) > ($6, $5) order by lower(name), id limit $7`,
    [...filterValues(filter), id, name, rowsToRead(page)],
  );
  const found = pageOf(rows, page, (place) => [encodeURIComponent(place.sortName), place.id]);
  return { ...found, rows: found.rows.map(({ sortName: _, ...place }) => place) };
}

/** A name in a cursor, which has only plain characters */
const SortName = z
  .string()
  .transform(decodeURIComponent)
  .refine((name) => !/\p{Cc}/u.test(name));

/**
 * Finds a place by its id or name (case-insensitive).
 * @throws ServiceError 404 for an unknown one; 409 if several have the name
 */
export async function findPlace(tenant: Tenant, ref: string): Promise<Place> {
  const found = await tenant.query<Place & Record<string, unknown>>(
    `${PLACES} and (p.id::text = $2 or lower(p.name) = $2)
     order by p.id::text = $2 desc, p.created_at, p.id limit 20`,
    [ref.trim().toLowerCase()],
  );
  const [place] = found;
  if (!place) {
    throw notFound(`There is no place "${ref}". Give the id or the name of one in the list.`);
  }
  if (found.length === 1 || place.id === ref.trim().toLowerCase()) return place;
  throw conflict(
    `Several places have the name "${place.name}". Give the id of one: ${joinFirst(found.map(({ id, zip }) => (zip ? `${id} (in ${zip})` : id)))}.`,
  );
}

/** What people give for a place. Null and empty texts clear a field. */
export interface PlaceFields extends Whereabouts {
  name: string;
  kind: string;
  /** Id, slug, or name; null: the whole organization */
  brand?: string | null | undefined;
  phone?: string | null | undefined;
  email?: string | null | undefined;
  url?: string | null | undefined;
  hours?: string | null | undefined;
}

const TEXTS = ['phone', 'email', 'url', 'hours', 'address'] as const;

type PlaceCaller = Pick<Caller, 'tenant' | 'subscription' | 'actor' | 'brandScope'>;

/**
 * Adds a place. An address without coordinates is looked up, if there is a geocoder, for units.
 * @throws ServiceError 400 for an invalid field, as `locate`; 402 without units; 403 for another brand’s; 404 for an
 *   unknown brand; 409 if there are too many; 503 while the geocoder doesn’t respond
 */
export async function addPlace(
  caller: PlaceCaller,
  fields: PlaceFields,
  geocoder?: Geocoder,
): Promise<Place> {
  const { tenant, actor, brandScope, subscription } = caller;
  const place = {
    ...NO_TEXTS,
    ...checkedTexts(fields, TEXTS),
    name: checkedName('A place', fields.name),
    kind: checkedKind(fields.kind, PLACE_KINDS),
    brandId: await brandIdOf(tenant, brandScope, fields.brand ?? null),
  };
  return withAddresses(caller, geocoder, async (findAddress, settle) => {
    const location = await locate(tenant, fields, findAddress);
    return tenant.transaction(async (tx) => {
      await settle(tx);
      const [id] = await insertPlaces(tx, actor, [{ ...place, ...location }], subscription);
      const added = await findPlace(tx, id!);
      record(tx, actor, 'place_added', `Added ${nameOf(added)}.`, { after: factsOf(added) }, added);
      return added;
    });
  });
}

/**
 * Changes a place; fields that are left out stay. It moves if its coordinates, its address, or its ZIP code change, the
 * first of them that does.
 * @throws ServiceError as `addPlace` and `findPlace`
 */
export async function changePlace(
  caller: PlaceCaller,
  ref: string,
  fields: Partial<PlaceFields>,
  geocoder?: Geocoder,
): Promise<Place> {
  const { tenant, actor, brandScope } = caller;
  const before = await findPlace(tenant, ref);
  requireOwn(before, brandScope);
  const { name, kind, brand } = fields;
  const texts = checkedTexts(fields, TEXTS);
  const given = {
    ...texts,
    ...(name !== undefined && { name: checkedName('A place', name) }),
    ...(kind !== undefined && { kind: checkedKind(kind, PLACE_KINDS) }),
    ...(brand !== undefined && { brandId: await brandIdOf(tenant, brandScope, brand) }),
  };
  return withAddresses(caller, geocoder, async (findAddress, settle) => {
    const whereabouts = movedTo(before, { ...fields, ...texts });
    const location = whereabouts && (await locate(tenant, whereabouts, findAddress));
    return tenant.transaction(async (tx) => {
      await settle(tx);
      await updatePlaces(tx, actor, [{ id: before.id, ...given, ...location }]);
      const after = await findPlace(tx, before.id);
      record(
        tx,
        actor,
        'place_changed',
        `Changed ${nameOf(after)}.`,
        { before: factsOf(before), after: factsOf(after) },
        after,
      );
      return after;
    });
  });
}

/** Deletes a place. @throws ServiceError 403 for another brand’s; as `findPlace` */
export async function deletePlace(
  tx: TenantTransaction,
  actor: Actor,
  scope: BrandScope,
  ref: string,
): Promise<Place> {
  const place = await findPlace(tx, ref);
  requireOwn(place, scope);
  tx.defer('delete from places where organization_id = $1 and id = $2', [place.id]);
  record(
    tx,
    actor,
    'place_deleted',
    `Deleted ${nameOf(place)}.`,
    { before: factsOf(place) },
    place,
  );
  return place;
}

/** A place to store, checked and located */
export interface PlaceToStore extends Location, TextFields {
  name: string;
  kind: PlaceKind;
  brandId: string | null;
}

export const NO_TEXTS: TextFields = {
  phone: null,
  email: null,
  url: null,
  hours: null,
  address: null,
};

const COLUMNS = 'brand_id, name, kind, point, located_by, zip, address, phone, email, url, hours';
const VALUES = `"brandId", name, kind, st_setsrid(st_makepoint(lng, lat), 4326), "locatedBy", zip, address, phone,
  email, url, hours`;
const FROM_JSON = `jsonb_to_recordset($2) as given (id uuid, "brandId" uuid, name text, kind text, lng float8, lat float8,
  "locatedBy" text, zip text, address text, phone text, email text, url text, hours text)`;

/**
 * Inserts places. Others that are inserted at the same time wait, so that they can’t exceed the limit.
 * @returns their ids, in the same order
 * @throws ServiceError 409 if there would be too many
 */
export async function insertPlaces(
  tx: TenantTransaction,
  actor: Actor,
  places: readonly PlaceToStore[],
  subscription: PlaceCaller['subscription'],
): Promise<string[]> {
  await lockPlaces(tx);
  await requireRoom(tx, subscription, places.length);
  const rows = await tx.query<{ id: string }>(
    `insert into places (organization_id, created_by, changed_by, id, ${COLUMNS})
     select $1, $3, $3, id, ${VALUES} from ${FROM_JSON} returning id`,
    [JSON.stringify(places.map((place) => ({ ...place, id: randomUUID() }))), actor],
  );
  return rows.map(({ id }) => id);
}

/** @throws ServiceError 409 if the organization can’t have as many places more */
export async function requireRoom(
  tenant: Tenant,
  subscription: PlaceCaller['subscription'],
  added: number,
): Promise<void> {
  const most = dataLimitsOf(subscription).places;
  const stored = await countPlaces(tenant);
  if (stored + added > most) throw tooMany(most, stored, added);
}

/** Returns the number of places of all brands. */
export async function countPlaces(tenant: Tenant): Promise<number> {
  const [count] = await tenant.acrossBrands.query<{ places: number }>(
    'select count(*)::int as places from places where organization_id = $1',
  );
  return count!.places;
}

/** Locks the places of an organization against others that add some, until the transaction ends. */
export const lockPlaces = (tx: TenantTransaction): Promise<unknown> =>
  tx.query('select from organizations where id = $1 for no key update');

/** Changes what is given of places. What is left out stays. */
export async function updatePlaces(
  tx: TenantTransaction,
  actor: Actor,
  changes: readonly (Partial<PlaceToStore> & { id: string })[],
): Promise<void> {
  await tx.query(
    `update places p set (changed_by, changed_at, ${COLUMNS}) = (
       select $3::jsonb, statement_timestamp(), ${VALUES}
       from jsonb_to_record(
         jsonb_build_object('brandId', p.brand_id, 'name', p.name, 'kind', p.kind, 'lng', st_x(p.point),
           'lat', st_y(p.point), 'locatedBy', p.located_by, 'zip', p.zip, 'address', p.address, 'phone', p.phone,
           'email', p.email, 'url', p.url, 'hours', p.hours) || change) as given ("brandId" uuid, name text, kind text,
         lng float8, lat float8, "locatedBy" text, zip text, address text, phone text, email text, url text, hours text))
     from jsonb_array_elements($2) as change
     where p.organization_id = $1 and p.id = (change ->> 'id')::uuid`,
    [JSON.stringify(changes), actor],
  );
}

const tooMany = (most: number, stored: number, added: number) =>
  conflict(
    `The organization’s subscription includes ${formatCount(most)} places. ` +
      (added === 1
        ? 'All are used. Delete one first, or choose a larger subscription.'
        : `It has ${formatCount(stored)}, so ${formatCount(added)} more don’t fit. Delete some first, or choose a larger subscription.`),
  );

/** Runs work that may look up addresses. They are charged in its transaction, and not at all if it fails. */
export async function withAddresses<T>(
  caller: PlaceCaller,
  geocoder: Geocoder | undefined,
  work: (
    findAddress: Parameters<typeof locate>[2],
    settle: (tx?: TenantTransaction) => Promise<void>,
  ) => Promise<T>,
): Promise<T> {
  const addresses = geocoder && meterAddresses(caller, geocoder);
  try {
    return await work(
      addresses && geocodeWith(addresses, 'give the ZIP code or coordinates without an address'),
      async (tx) => addresses?.settle(tx),
    );
  } catch (error) {
    await addresses?.release();
    throw error;
  }
}

/** @throws ServiceError 403 for the whole organization’s, unless the scope is all brands; 404 as `findBrand` */
async function brandIdOf(tenant: Tenant, scope: BrandScope, ref: string | null) {
  if (ref !== null && ref.trim() !== '') return (await findBrand(tenant, scope, ref)).id;
  if (scope === 'all') return null;
  throw outOfScope('A place without a brand belongs to the whole organization. Name one of yours.');
}

/** Whether a place is of the person's brands. One of the whole organization is for people with all brands. */
export const mayChangePlace = ({ brand }: Pick<Place, 'brand'>, scope: BrandScope): boolean =>
  scope === 'all' || (brand !== null && scope.has(brand.id));

/** @throws ServiceError 403 */
function requireOwn(place: Place, scope: BrandScope): void {
  if (mayChangePlace(place, scope)) return;
  throw outOfScope(
    `"${place.name}" belongs to the whole organization, so you can see but not change it. Ask someone with all brands.`,
  );
}

const outOfScope = (message: string) => new ServiceError(403, 'brand_out_of_scope', message);

/** Returns where a place moves by a change; null if it stays. */
function movedTo(before: Place, { lng, lat, address, zip }: Whereabouts): Whereabouts | null {
  const isAt = (given: number | null | undefined, now: number) =>
    given === undefined || given === null || Math.abs(given - now) < 1e-6;
  if (!isAt(lng, before.lng) || !isAt(lat, before.lat)) {
    return { lng: lng ?? before.lng, lat: lat ?? before.lat };
  }
  if (address && address !== before.address) return { address, zip };
  if (zip && zip !== before.zip) return { zip };
  return null;
}

const nameOf = ({ kind, name }: Pick<Place, 'kind' | 'name'>) =>
  `the ${PLACE_SYMBOLS[kind].label} ${name}`;

/** What the activity log keeps of a place */
const factsOf = ({ id, name, kind, brand, lng, lat, ...place }: Place) => ({
  place: id,
  name,
  kind,
  brand: brand?.name ?? null,
  lng,
  lat,
  ...Object.fromEntries([...TEXTS, 'zip' as const].map((field) => [field, place[field]])),
});

function record(
  tx: TenantTransaction,
  actor: Actor,
  action: Action,
  summary: string,
  { before = {}, after = {} }: { before?: object; after?: object },
  { brand }: Pick<Place, 'brand'>,
): void {
  recordActivity(tx, {
    actor,
    action,
    brandId: brand?.id ?? null,
    summary,
    zips: [],
    before: { ...before },
    after: { ...after },
  });
}
