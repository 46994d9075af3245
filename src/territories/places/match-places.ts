/** Decides which rows of a file are new places, and which change places that exist. Pure. */
import type { Place, PlaceToStore } from './places.ts';

/** Two of the same name this near each other are the same. A geocoder and a phone differ by less. */
const SAME_PLACE_M = 150;
const M_PER_DEGREE = 111_195;

export type Match =
  | { kind: 'added' }
  | { kind: 'changed'; id: string; changes: Partial<PlaceToStore> }
  | { kind: 'unchanged'; id: string }
  /** The same place is in an earlier row, by its index. */
  | { kind: 'repeated'; first: number };

/** The given fields of a row. What is missing stays as it is stored. */
export type PlaceRow = Pick<PlaceToStore, 'name' | 'kind' | 'brandId' | 'lng' | 'lat'> &
  Pick<PlaceToStore, 'locatedBy' | 'zip'> &
  Partial<PlaceToStore>;

/**
 * A row changes the place of the same name and brand. Where there are several of that name, in the file or stored, and
 * for competitors, which are often chains, the one at the same address or nearby counts.
 */
export function matchPlaces(rows: readonly PlaceRow[], stored: readonly Place[]): Match[] {
  const storedByKey = groupBy(stored, ({ name, brand }) => keyOf(name, brand?.id ?? null));
  const rowsByKey = groupBy(rows.keys(), (i) => keyOf(rows[i]!.name, rows[i]!.brandId));
  const matches: Match[] = [];
  for (const [key, indexes] of rowsByKey) {
    const candidates = storedByKey.get(key) ?? [];
    const kinds = [...candidates, ...indexes.map((i) => rows[i]!)].map(({ kind }) => kind);
    const isOne = indexes.length === 1 && candidates.length === 1 && !kinds.includes('competitor');
    const free = new Spots<Place>();
    for (const place of candidates) free.add(place, place);
    const earlier = new Spots<number>();
    for (const i of indexes) {
      const row = rows[i]!;
      const repeated = earlier.find(row);
      if (repeated !== undefined) {
        matches[i] = { kind: 'repeated', first: repeated };
        continue;
      }
      earlier.add(row, i);
      const place = isOne ? candidates[0] : free.take(row);
      matches[i] = place ? changeOf(place, row) : { kind: 'added' };
    }
  }
  return matches;
}

const keyOf = (name: string, brandId: string | null) =>
  `${brandId ?? ''} ${name.toLowerCase().replaceAll(/\s+/g, ' ')}`;

function groupBy<T>(all: Iterable<T>, key: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const name = key(one);
    const group = groups.get(name);
    if (group) group.push(one);
    else groups.set(name, [one]);
  }
  return groups;
}

interface Located {
  lng: number;
  lat: number;
  address?: string | null | undefined;
}

/** Finds places by where they are, also among the thousands of a chain. */
class Spots<T> {
  readonly #byAddress = new Map<string, [Located, T][]>();
  readonly #byCell = new Map<string, [Located, T][]>();

  add(at: Located, value: T): void {
    const lists = [
      [this.#byCell, cellOf(at.lng, at.lat)],
      ...(at.address ? ([[this.#byAddress, plainText(at.address)]] as const) : []),
    ] as const;
    for (const [map, key] of lists) map.set(key, [...(map.get(key) ?? []), [at, value]]);
  }

  /** Returns the one at the same address; of those without one, or for a place without one, a near one. */
  find(at: Located): T | undefined {
    return this.#entryAt(at)?.[1];
  }

  /** As `find`, only once. */
  take(at: Located): T | undefined {
    const entry = this.#entryAt(at);
    if (!entry) return undefined;
    const [{ lng, lat, address }, value] = entry;
    const without = (list: [Located, T][] | undefined) => list!.filter((one) => one[1] !== value);
    const cell = cellOf(lng, lat);
    this.#byCell.set(cell, without(this.#byCell.get(cell)));
    if (address) {
      const key = plainText(address);
      this.#byAddress.set(key, without(this.#byAddress.get(key)));
    }
    return value;
  }

  #entryAt(at: Located): [Located, T] | undefined {
    const same = at.address ? this.#byAddress.get(plainText(at.address))?.[0] : undefined;
    if (same) return same;
    for (const east of [0, -CELL_DEG, CELL_DEG]) {
      for (const north of [0, -CELL_DEG, CELL_DEG]) {
        const found = this.#byCell
          .get(cellOf(at.lng + east, at.lat + north))
          ?.find(([other]) => !(at.address && other.address) && isNear(at, other));
        if (found) return found;
      }
    }
    return undefined;
  }
}

/** More than SAME_PLACE_M in the north of Alaska, too */
const CELL_DEG = 0.005;
const cellOf = (lng: number, lat: number) =>
  `${Math.floor(lng / CELL_DEG)} ${Math.floor(lat / CELL_DEG)}`;

const plainText = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\d]+/gu, ' ')
    .trim();

function isNear(one: Located, other: Located): boolean {
  const north = M_PER_DEGREE * (one.lat - other.lat);
  const east = M_PER_DEGREE * (one.lng - other.lng) * Math.cos((one.lat * Math.PI) / 180);
  return Math.hypot(east, north) <= SAME_PLACE_M;
}

function changeOf(place: Place, row: PlaceRow): Match {
  const { lng, lat, locatedBy, zip, ...fields } = row;
  const isAt = Math.abs(lng - place.lng) < 1e-6 && Math.abs(lat - place.lat) < 1e-6;
  // The middle of a ZIP code doesn’t replace a place within it that is known exactly.
  const isCoarser = locatedBy === 'zip' && place.locatedBy !== 'zip' && zip === place.zip;
  const before = { ...place, brandId: place.brand?.id ?? null };
  const changed = Object.entries(fields).filter(
    ([field, value]) => value !== undefined && value !== before[field as keyof typeof fields],
  );
  const changes = {
    ...Object.fromEntries(changed),
    ...(!isAt && !isCoarser && { lng, lat, locatedBy, zip }),
  };
  const { id } = place;
  return Object.keys(changes).length === 0
    ? { kind: 'unchanged', id }
    : { kind: 'changed', id, changes };
}
