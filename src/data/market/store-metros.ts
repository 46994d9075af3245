/** Stores the launched metros in the database. */
import { isDeepStrictEqual } from 'node:util';
import type { Queryable } from '../../base/db/database.ts';
import { touchDataset } from '../../base/db/datasets.ts';
import { launchedMetros, type Metro } from './metros.ts';

/**
 * Updates the tables from the file, so that SQL can join them. If the metros have changed, cached answers
 * that depend on them expire.
 */
export async function storeMetros(tx: Queryable): Promise<void> {
  const metros = launchedMetros();
  if (await areStored(tx, metros)) return;
  await touchDataset(tx, 'boundaries');
  await tx.query('delete from metros where not slug = any($1)', [metros.map((m) => m.slug)]);
  await tx.query('delete from metro_counties');
  for (const { slug, label, fullName, cbsa, counties } of metros) {
    await tx.query(
      `insert into metros (slug, label, full_name, cbsa) values ($1, $2, $3, $4)
       on conflict (slug) do update set label = $2, full_name = $3, cbsa = $4`,
      [slug, label, fullName, cbsa],
    );
    await tx.query(
      'insert into metro_counties (county_fips, metro_slug) select fips, $1 from unnest($2::text[]) as t (fips)',
      [slug, counties.map((c) => c.fips)],
    );
  }
}

async function areStored(tx: Queryable, metros: readonly Metro[]): Promise<boolean> {
  const stored = await tx.query(
    `select slug, label, full_name as "fullName", cbsa, array(
       select county_fips from metro_counties where metro_slug = slug order by 1) as counties
     from metros`,
  );
  const current = metros.map(({ counties, ...metro }) => ({
    ...metro,
    counties: counties.map(({ fips }) => fips).sort(),
  }));
  const bySlug = (a: object, b: object) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
  return isDeepStrictEqual(stored.sort(bySlug), current.sort(bySlug));
}
