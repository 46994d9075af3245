/** Names the areas of a territory. */
import type { Queryable } from '../../base/db/database.ts';

interface NamedZip {
  zip: string;
  city: string | null;
  state: string | null;
  /** Label of the launched metro; null outside of launched metros */
  metro: string | null;
}

/**
 * Names each area after the metro that contains more than half of its ZIP codes, such as `Dallas, TX`.
 * Otherwise, names it after its most common city. A metro names at most one area.
 */
export async function nameAreas(
  db: Queryable,
  areas: readonly (readonly string[])[],
): Promise<string[]> {
  const places = await db.query<NamedZip>(
    `select zip, city, state, label as metro
     from zips left join metro_counties using (county_fips) left join metros on slug = metro_slug
     where zip = any($1)`,
    [areas.flat()],
  );
  const placeOf = new Map(places.map((place) => [place.zip, place]));
  const usedNames = new Set<string>();
  return areas.map((zips) => {
    const inArea = zips.map((zip) => placeOf.get(zip)!);
    const metro = mostCommon(inArea.map((place) => place.metro));
    const hasMajority = inArea.filter((place) => place.metro === metro).length > zips.length / 2;
    const name =
      metro !== null && hasMajority && !usedNames.has(metro)
        ? metro
        : (commonCity(inArea) ?? mostCommon(inArea.map(({ state }) => state)) ?? zips[0]!);
    usedNames.add(name);
    return name;
  });
}

/**
 * Names ZIP codes after their most common city. Returns null if none is known.
 * @param places decide between equally common cities: the first of these names wins
 */
export function commonCity(
  zips: readonly Pick<NamedZip, 'city' | 'state'>[],
  places: readonly string[] = [],
): string | null {
  // Of places with one name, the first counts.
  const ranks = new Map(places.map((name, i): [string, number] => [name, i]).toReversed());
  const rankOf = ({ city }: Pick<NamedZip, 'city'>) => ranks.get(city!) ?? places.length;
  return mostCommon(zips.toSorted((a, b) => rankOf(a) - rankOf(b)).map(cityAndState));
}

function cityAndState({ city, state }: Pick<NamedZip, 'city' | 'state'>): string | null {
  if (city === null) return null;
  return state === null ? city : `${city}, ${state}`;
}

/** Returns the most common name that isn't null. If there is a tie, the first wins. */
function mostCommon(names: readonly (string | null)[]): string | null {
  const counts = new Map<string, number>();
  for (const name of names) {
    if (name !== null) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  let best: string | null = null;
  for (const [name, count] of counts) {
    if (best === null || count > counts.get(best)!) best = name;
  }
  return best;
}
