/** Names new territories after their largest city. */
import type { Queryable } from '../../base/db/database.ts';
import type { PlanTerritory } from './plans.ts';

/** A territory of the result: an existing one, or a new one without a name */
export type Slot = Pick<PlanTerritory, 'number' | 'brand'> &
  Partial<Pick<PlanTerritory, 'zips'>> & { name: string | null };

/**
 * Names new territories and drops new ones without ZIP codes. Several territories of a city are numbered:
 * `Dallas`, `Dallas 2`.
 * @param others territories whose names are taken
 */
export async function nameTerritories(
  db: Queryable,
  slots: readonly (Slot & { zips: readonly string[] })[],
  others: readonly { name: string }[],
): Promise<PlanTerritory[]> {
  const filled = slots.filter(({ zips, name }) => zips.length > 0 || name !== null);
  const cities = await largestCities(
    db,
    filled.map(({ zips, name }) => (name === null ? zips : [])),
  );
  const taken = new Set([...others, ...filled].map(({ name }) => name));
  return filled.map((slot, i) => {
    if (slot.name !== null) return { ...slot, name: slot.name };
    const city = cities[i] ?? `Territory ${slot.number}`;
    let name = city;
    for (let n = 2; taken.has(name); n++) name = `${city} ${n}`;
    taken.add(name);
    return { ...slot, name };
  });
}

/** Returns the city with the most households in each list, or undefined if no city is known. */
async function largestCities(
  db: Queryable,
  lists: readonly (readonly string[])[],
): Promise<(string | undefined)[]> {
  const rows = await db.query<{ i: number; city: string }>(
    `select distinct on (i) i, city from (
       select i, city, sum(coalesce(households_total, 0)) as households, count(*) as zips
       from unnest($1::int[], $2::text[]) as listed (i, list)
       cross join lateral unnest(string_to_array(list, ' ')) as zip
       join zips using (zip) left join zip_demographics using (zip)
       where city is not null group by i, city) cities
     order by i, households desc, zips desc, city`,
    [lists.map((_, i) => i), lists.map((zips) => zips.join(' '))],
  );
  const cityOf = new Map(rows.map(({ i, city }) => [i, city]));
  return lists.map((_, i) => cityOf.get(i));
}
