/**
 * The table `zip_directory`: all ZIP codes that exist, imported or not. Those in the Census Bureau's
 * gazetteer have an area; the others are for mail only, such as PO boxes.
 */
import type { Queryable } from '../../base/db/database.ts';
import { postalZips } from './postal-cities.ts';
import { gazetteer } from './sample/gazetteer.ts';

/**
 * Brings the table up to date. Unchanged rows aren't written again, because that took longer than the rest
 * of a small import.
 */
export async function storeZipDirectory(tx: Queryable): Promise<void> {
  const pointOf = new Map(gazetteer().map((point) => [point.zip, point]));
  const places = new Map(postalZips());
  const zips = [...new Set([...pointOf.keys(), ...places.keys()])].sort();
  // Columns are passed as text, which takes a tenth of the driver's time for arrays.
  const column = (value: (zip: string) => string | number | undefined) =>
    zips.map((zip) => value(zip) ?? '').join('\n');
  await tx.query(
    `with listed as materialized (
       select zip, city, state, st_setsrid(st_makepoint(lng, lat), 4326) as point
       from unnest(
         string_to_array($1, E'\\n'), string_to_array($2, E'\\n', ''), string_to_array($3, E'\\n', ''),
         string_to_array($4, E'\\n', '')::float8[], string_to_array($5, E'\\n', '')::float8[]
       ) as t (zip, city, state, lng, lat)
     ), unlisted as (
       delete from zip_directory where zip not in (select zip from listed)
     )
     insert into zip_directory (zip, city, state, point)
     select zip, listed.city, listed.state, listed.point
     from listed left join zip_directory stored using (zip)
     where stored.zip is null or (stored.city, stored.state, stored.point)
       is distinct from (listed.city, listed.state, listed.point)
     on conflict (zip) do update
     set city = excluded.city, state = excluded.state, point = excluded.point`,
    [
      zips.join('\n'),
      column((zip) => places.get(zip)?.city),
      column((zip) => places.get(zip)?.state),
      column((zip) => pointOf.get(zip)?.lng),
      column((zip) => pointOf.get(zip)?.lat),
    ],
  );
}
