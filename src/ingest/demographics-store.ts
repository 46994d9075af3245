/** Reads and replaces the table `zip_demographics`. */
import type { Database, Queryable } from '../db/database.ts';
import { recordDataset, type DatasetFacts } from '../db/datasets.ts';
import type { Demographics } from './demographics.ts';
import type { Progress } from './progress.ts';
import { withStaging } from '../db/staging.ts';

export interface StoredDemographics extends Demographics {
  /** Last of the five years, by Census table */
  tableYears: Record<string, number>;
  /** Display text for the source and vintage */
  sourceVintage: string;
}

/** Field of each column. */
const COLUMNS: Record<string, keyof StoredDemographics> = {
  zip: 'zip',
  population_total: 'populationTotal',
  households_total: 'householdsTotal',
  median_household_income: 'medianHouseholdIncome',
  owner_occupied_households: 'ownerOccupiedHouseholds',
  owner_occupied_pct: 'ownerOccupiedPct',
  median_home_value: 'medianHomeValue',
  single_family_detached_pct: 'singleFamilyDetachedPct',
  median_age: 'medianAge',
  median_year_built: 'medianYearBuilt',
  home_age_pre_1980_pct: 'homeAgePre1980Pct',
  home_age_1980_1999_pct: 'homeAge19801999Pct',
  home_age_2000_plus_pct: 'homeAge2000PlusPct',
  homes_by_decade_built: 'homesByDecadeBuilt',
  flags: 'flags',
  table_years: 'tableYears',
  source_vintage: 'sourceVintage',
};

const SELECT_LIST = Object.entries(COLUMNS)
  .map(([column, field]) => `${column} as "${field}"`)
  .join(', ');

/** Returns all demographics, or those of the given ZIP codes, by ZIP code. */
export async function readDemographics(
  db: Queryable,
  zips?: readonly string[],
): Promise<StoredDemographics[]> {
  return zips
    ? db.query(`select ${SELECT_LIST} from zip_demographics where zip = any($1) order by zip`, [
        zips,
      ])
    : db.query(`select ${SELECT_LIST} from zip_demographics order by zip`);
}

const BATCH_ROWS = 2_000;

/** Stages the rows and, unless `dryRun`, replaces the whole table. */
export async function storeDemographics(
  db: Database,
  rows: StoredDemographics[],
  facts: DatasetFacts,
  options: { dryRun: boolean; progress: Progress },
): Promise<void> {
  const columns = Object.keys(COLUMNS).join(', ');
  await withStaging(db, ['zip_demographics'], async (staging) => {
    for (let from = 0; from < rows.length; from += BATCH_ROWS) {
      const batch = rows
        .slice(from, from + BATCH_ROWS)
        .map((row) =>
          Object.fromEntries(
            Object.entries(COLUMNS).map(([column, field]) => [column, row[field]]),
          ),
        );
      await db.query(
        `insert into ${staging.table('zip_demographics')} (${columns})
         select ${columns} from jsonb_populate_recordset(null::zip_demographics, $1)`,
        [JSON.stringify(batch)],
      );
      options.progress('Storing demographics', from + batch.length, rows.length);
    }
    if (options.dryRun) return;
    await db.transaction(async (tx) => {
      await staging.replaceLive(tx, 'zip_demographics');
      await recordDataset(tx, 'demographics', facts);
    });
    await db.query('analyze zip_demographics');
  });
}
