/** Imports in which each value shows the version that it belongs to. */
import type { Database } from '../../src/base/db/database.ts';
import { recordDataset } from '../../src/base/db/datasets.ts';
import { withStaging } from '../../src/base/db/staging.ts';

const TABLES = ['zips', 'zip_boundaries', 'zip_demographics', 'zip_scores'];

/** The ZIP codes of a version, in a county of the metro Dallas */
export const VERSION_ZIPS = Array.from({ length: 20 }, (_, n) => String(75_201 + n));

/**
 * Replaces ZIP codes, figures, and scores. The city, population, score, and vintages are the version.
 * @param version up to 100, since it's also the score
 */
export async function importVersion(db: Database, version: number): Promise<void> {
  const box = 'st_makeenvelope(-97, 32.5, -96.5, 33, 4326)';
  await withStaging(db, TABLES, async ({ table, index, replaceLive }) => {
    const insert = (name: string, columns: string, values: string) =>
      db.query(
        `insert into ${table(name)} (zip, ${columns})
         select zip, ${values} from unnest($1::text[]) as zip, (select $2::int as v) version`,
        [VERSION_ZIPS, version],
      );
    await insert(
      'zips',
      'city, state, county_fips, land_area_m2, centroid, bbox',
      `v::text, 'TX', '48113', 1, st_centroid(${box}), ${box}`,
    );
    await insert('zip_boundaries', 'lod, geom', `v * 0, st_multi(${box})`);
    await insert('zip_demographics', 'population_total, source_vintage', 'v, v::text');
    await insert(
      'zip_scores',
      'vertical, score, percentile, coverage',
      `'roofing', v, v / 100.0, 1`,
    );
    for (const name of TABLES) await index(name);
    await db.transaction(async (tx) => {
      for (const name of TABLES) await replaceLive(tx, name);
      for (const name of ['boundaries', 'demographics', 'scores'] as const)
        await recordDataset(tx, name, { vintage: String(version), synthetic: true });
    });
  });
}
