/**
 * The table `zip_directory`: the ZIP codes that exist, imported or not. The Census Bureau has an area for
 * those in its gazetteer; the others are for mail only, such as PO boxes.
 */
import type { Queryable } from '../db/database.ts';
import { postalZips } from './postal-cities.ts';
import { gazetteer } from './sample/gazetteer.ts';

/** Replaces the table. Loading the lists takes 0.3 s and 60 MB. */
export async function storeZipDirectory(tx: Queryable): Promise<void> {
  const pointOf = new Map(gazetteer().map((point) => [point.zip, point]));
  const places = new Map(postalZips());
  const zips = [...new Set([...pointOf.keys(), ...places.keys()])].sort();
  await tx.query('delete from zip_directory');
  await tx.query(
    `insert into zip_directory (zip, city, state, point)
     select zip, city, state, st_setsrid(st_makepoint(lng, lat), 4326)
     from unnest($1::text[], $2::text[], $3::text[], $4::float8[], $5::float8[])
       as t (zip, city, state, lng, lat)`,
    [
      zips,
      zips.map((zip) => places.get(zip)?.city),
      zips.map((zip) => places.get(zip)?.state),
      zips.map((zip) => pointOf.get(zip)?.lng),
      zips.map((zip) => pointOf.get(zip)?.lat),
    ],
  );
}
