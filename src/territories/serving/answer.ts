/** Decides who serves a place. Pure, so that threads that read files decide alike. */
import { group as groupBy } from 'd3-array';
import { nearestPoint } from '../../base/spatial/nearest-point.ts';
import type { Gazetteer, KnownZip } from '../../data/market/gazetteer.ts';
import type { Point } from '../../data/market/zip-centers.ts';
import type { Grant } from '../brands/terms/terms.ts';
import { lastOpenDay } from '../brands/groups/rules.ts';
import type { Contact, FactsBrand, ServingFacts, ServingPlace } from './facts.ts';

/**
 * `live`: brands serve it. Otherwise, in this order: `blocked`: another brand holds it, and a group blocks overlaps;
 * `held`: another brand holds it; `reserved`: a group keeps it until a day; `free`: nobody holds it; `unknown`: the
 * question names no known ZIP code.
 */
export const SERVING_STATUSES = ['live', 'blocked', 'held', 'reserved', 'free', 'unknown'] as const;
export type ServingStatus = (typeof SERVING_STATUSES)[number];

/** How the ZIP code was found: by itself, by the polygon at a point, or by an address and the polygon at its point */
export type FoundBy = 'zip' | 'point' | 'address';

/** A question, once its ZIP code is known */
export interface Located {
  foundBy: FoundBy;
  zip: string | null;
  /** The point of the question. Null: the center of the ZIP code stands for it */
  point: Point | null;
  /** The address as it was found */
  address?: string;
  /** Why the ZIP code is unknown, as a sentence */
  reason?: string;
}

export type NearbyPlace = Omit<ServingPlace, 'brandId'> & { miles: number };

/** A brand that the caller sees, as customers reach it */
export interface ServingBrand extends Contact {
  id: string;
  slug: string;
  name: string;
  /** Names of its groups */
  groups: string[];
}

export interface LiveBrand extends ServingBrand {
  since: Date;
  /** What its agreement grants, and the last day; null if not stated */
  granted: Grant | null;
  endsOn: string | null;
  /** Of its own places, or else those of the whole organization; never a competitor */
  nearestPlace: NearbyPlace | null;
}

/** Who serves a place */
export interface Served {
  foundBy: FoundBy;
  zip: string | null;
  /** `Dallas, TX`; empty if unknown */
  place: string;
  address: string | null;
  /** The point of the question, or the center of the ZIP code; null if unknown */
  point: Point | null;
  /** For a ZIP code without an area, such as one of PO boxes: the ZIP code with the area around it, which counts */
  around: { zip: string; place: string } | null;
  status: ServingStatus;
  /** Those that hold it live, by slug; empty unless the status is `live` */
  brands: LiveBrand[];
  /** Names of other holders: "another brand" for those that the caller may not know. Empty unless `held` or `blocked` */
  otherHolders: string[];
  /** Of the group that blocks or reserves it */
  group: string | null;
  /** Why it's reserved, and until which day, such as 2027-03-31 */
  reserve: { reason: string; until: string } | null;
  /** What approved changes do with it on days to come, the earliest first, for brands that the caller sees */
  planned: { brand: ServingBrand; part: 'added' | 'removed'; /** `2027-01-01` */ on: string }[];
  /** The brand with the nearest live ZIP code; null if the status is `live`, or if no brand has one */
  nearest: { brand: ServingBrand; zip: string; place: string; miles: number } | null;
  /** Says what is special about the answer, or why there is none, as sentences; empty if nothing is */
  note: string;
}

const NO_PLANS: Served['planned'] = [];

export type Answerer = (question: Located, now: Date) => Served;

interface NearestLive {
  at: number;
  brand: number;
  zip: KnownZip;
}

/** @param brandIds the brands that may serve. Others count as other holders. Default: all that the caller sees */
export function answererOf(
  facts: ServingFacts,
  gazetteer: Gazetteer,
  brandIds?: readonly string[],
): Answerer {
  const { brands, starts, holders, since } = facts;
  const wanted = brandIds && new Set(brandIds);
  const serves = brands.map(({ id, isVisible }) => isVisible && (wanted?.has(id) ?? true));
  const serving = new Set(brands.filter((_, i) => serves[i]).map(({ id }) => id));
  const groups = facts.groups.filter((group) => group.brandIds.some((id) => serving.has(id)));
  const shown = brands.map((brand) => (serving.has(brand.id) ? showBrand(brand, groups) : null));
  const reserves = new Map<string, { group: string; reason: string; until: string }[]>();
  for (const { groupId, zips, reason, until } of facts.reserves) {
    const group = groups.find(({ id }) => id === groupId);
    if (group === undefined) continue;
    for (const zip of zips) {
      const some = reserves.get(zip) ?? [];
      reserves.set(zip, [...some, { group: group.name, reason, until }]);
    }
  }
  const plans = new Map<string, Served['planned']>();
  const brandOf = new Map(shown.flatMap((brand) => (brand ? [[brand.id, brand] as const] : [])));
  for (const { zip, brandId, part, on } of facts.planned) {
    const brand = brandOf.get(brandId);
    if (brand) plans.set(zip, [...(plans.get(zip) ?? []), { brand, part, on }]);
  }
  const placesOf = placeSearches(facts);
  let nearestLive: ReturnType<typeof liveSearch> | undefined;

  function holding(zip: string) {
    const slot = Number(zip);
    const found: { brand: number; since: number }[] = [];
    for (let at = starts[slot]!; at < starts[slot + 1]!; at++) {
      found.push({ brand: holders[at]!, since: since[at]! });
    }
    return found;
  }

  function nearest(point: Point | null): Served['nearest'] {
    nearestLive ??= liveSearch(facts, gazetteer, serves);
    const found = point && nearestLive(point);
    return (
      found && {
        brand: shown[found.brand]!,
        zip: found.zip.zip,
        place: found.zip.place,
        miles: found.miles,
      }
    );
  }

  return ({ foundBy, zip, point: asked, address, reason }, now) => {
    const known = zip === null ? null : gazetteer.find(zip);
    const area = known === null ? null : areaOf(known, gazetteer);
    const point = asked ?? area?.center ?? known?.center ?? null;
    const answer: Served = {
      foundBy,
      zip,
      place: known?.place ?? '',
      address: address ?? null,
      point,
      around: area !== null && area !== known ? { zip: area.zip, place: area.place } : null,
      status: 'unknown',
      brands: [],
      otherHolders: [],
      group: null,
      reserve: null,
      planned: [],
      nearest: null,
      note: '',
    };
    if (known === null) {
      return {
        ...answer,
        nearest: nearest(point),
        note: reason ?? `${zip} isn’t a known ZIP code. Check its digits.`,
      };
    }
    // A ZIP code without an area may itself be held, if it has figures.
    const own = holding(known.zip);
    const counted = own.length > 0 || area === null ? known.zip : area.zip;
    if (counted === known.zip) answer.around = null;
    else answer.note = aroundNote(known, area!);
    const held = own.length > 0 ? own : holding(counted);
    answer.planned = plans.get(counted) ?? NO_PLANS;
    const live = held.filter(({ brand }) => serves[brand]);
    if (live.length > 0) {
      answer.status = 'live';
      answer.brands = live.map(({ brand, since }) =>
        liveBrand(
          shown[brand]!,
          since,
          brands[brand]!.terms[counted],
          point && placesOf(brands[brand]!.id)(point),
        ),
      );
      return answer;
    }
    answer.nearest = nearest(point);
    if (held.length > 0) {
      const others = held.map(({ brand }) => brands[brand]!);
      const blocking = groups.find(
        (group) => group.rule === 'block' && others.some(({ id }) => group.brandIds.includes(id)),
      );
      answer.status = blocking ? 'blocked' : 'held';
      answer.group = blocking?.name ?? null;
      answer.otherHolders = [...new Set(others.map(({ name }) => name))];
      return answer;
    }
    const reserve = reserves.get(counted)?.find(({ until }) => until >= lastOpenDay(now));
    answer.status = reserve ? 'reserved' : 'free';
    answer.group = reserve?.group ?? null;
    answer.reserve = reserve ? { reason: reserve.reason, until: reserve.until } : null;
    return answer;
  };
}

/** Named fields are copied 10 times as fast as by a spread, which counts for a million rows. */
const liveBrand = (
  { id, slug, name, publicName, phone, email, url, groups }: ServingBrand,
  since: number,
  terms: FactsBrand['terms'][string] | undefined,
  nearestPlace: NearbyPlace | null,
): LiveBrand => ({
  id,
  slug,
  name,
  publicName,
  phone,
  email,
  url,
  groups,
  since: new Date(1000 * since),
  granted: terms?.granted ?? null,
  endsOn: terms?.endsOn ?? null,
  nearestPlace,
});

const nearbyPlace = (
  { name, kind, address, phone, url, hours, lng, lat }: ServingPlace,
  miles: number,
): NearbyPlace => ({ name, kind, address, phone, url, hours, lng, lat, miles });

const showBrand = (
  { id, slug, name, contact }: FactsBrand,
  groups: ServingFacts['groups'],
): ServingBrand => ({
  id,
  slug,
  name,
  ...contact!,
  groups: groups.filter(({ brandIds }) => brandIds.includes(id)).map((group) => group.name),
});

/** Returns the ZIP code whose area counts: another one for a ZIP code without an area; null if there is none. */
const areaOf = (known: KnownZip, gazetteer: Gazetteer): KnownZip | null =>
  known.kind === 'area' ? known : gazetteer.areaAround(known.zip);

const aroundNote = ({ zip, kind }: KnownZip, area: KnownZip) =>
  kind === 'mail'
    ? `ZIP code ${zip} is for mail only, such as PO boxes, so the area of ${area.zip} in the same city counts.`
    : `ZIP code ${zip} has no area here, so the area of ${area.zip} at its point counts.`;

/** Returns the search for the nearest live ZIP code of the brands that serve. */
function liveSearch(
  { starts, holders }: ServingFacts,
  gazetteer: Gazetteer,
  serves: readonly boolean[],
) {
  const live: NearestLive[] = [];
  for (let slot = 0; slot < 100_000; slot++) {
    if (starts[slot] === starts[slot + 1]) continue;
    const zip = gazetteer.find(String(slot).padStart(5, '0'));
    if (zip === null || zip.center === null) continue;
    for (let at = starts[slot]!; at < starts[slot + 1]!; at++) {
      // Of several brands, the first by slug: others have the same distance.
      if (!serves[holders[at]!]) continue;
      live.push({ at, brand: holders[at]!, zip });
      break;
    }
  }
  const search = nearestPoint(
    live.map(({ zip }) => zip.center!.lng),
    live.map(({ zip }) => zip.center!.lat),
  );
  return ({ lng, lat }: Point) => {
    const found = search(lng, lat);
    return found && { ...live[found.at]!, miles: found.miles };
  };
}

/** Returns the search for the nearest place of a brand: of its own, or else of the whole organization. */
function placeSearches({ places }: ServingFacts) {
  const searches = new Map(
    Array.from(
      groupBy(places, ({ brandId }) => brandId),
      ([brandId, some]) => {
        const search = nearestPoint(
          some.map(({ lng }) => lng),
          some.map(({ lat }) => lat),
        );
        const found = ({ lng, lat }: Point): NearbyPlace | null => {
          const nearest = search(lng, lat);
          return nearest && nearbyPlace(some[nearest.at]!, nearest.miles);
        };
        return [brandId, found] as const;
      },
    ),
  );
  const none = () => null;
  return (brandId: string) => searches.get(brandId) ?? searches.get(null) ?? none;
}
