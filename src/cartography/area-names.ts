/** What areas of a territory are called. */
import type { Queryable } from '../db/database.ts';

interface Place {
  zip: string;
  city: string | null;
  state: string | null;
  /** Label of a launched metro */
  metro: string | null;
}

/**
 * A name for each area: the metro that most of its ZIPs lie in (`Dallas, TX`), or the city that most
 * do. A metro that an area before has taken is passed over for the city.
 */
export async function nameAreas(
  db: Queryable,
  areas: readonly (readonly string[])[],
): Promise<string[]> {
  const places = await db.query<Place>(
    `select zip, city, state, label as metro
     from zips left join metro_counties using (county_fips) left join metros on slug = metro_slug
     where zip = any($1)`,
    [areas.flat()],
  );
  const placeOf = new Map(places.map((place) => [place.zip, place]));
  const taken = new Set<string>();
  return areas.map((zips) => {
    const inArea = zips.map((zip) => placeOf.get(zip)!);
    const metro = commonest(inArea.map((place) => place.metro));
    const holdsMost = inArea.filter((place) => place.metro === metro).length > zips.length / 2;
    const name =
      metro !== null && holdsMost && !taken.has(metro)
        ? metro
        : (commonest(inArea.map(cityAndState)) ??
          commonest(inArea.map(({ state }) => state)) ??
          zips[0]!);
    taken.add(name);
    return name;
  });
}

function cityAndState({ city, state }: Place): string | null {
  if (city === null) return null;
  return state === null ? city : `${city}, ${state}`;
}

/** Of those that are known; the first of several as common. */
function commonest(names: readonly (string | null)[]): string | null {
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
