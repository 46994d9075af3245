/** Reads and replaces the table `zip_demographics`. */
import type { Database, Queryable } from '../../base/db/database.ts';
import { recordDataset, type DatasetFacts } from '../../base/db/datasets.ts';
import { CENSUS_FIGURES, type Demographics, type Figures } from './demographics.ts';
import { fitNotes } from './fit.ts';
import type { Progress } from './progress.ts';
import type { Findings } from './report.ts';
import { withStaging } from '../../base/db/staging.ts';
import { storeZipsWithoutBoundary } from './zips-without-boundary.ts';

export interface StoredDemographics extends Demographics {
  /** Last of the five years, by Census table */
  tableYears: Record<string, number>;
  /** Display text for the source and vintage */
  sourceVintage: string;
}

/** Column of each field. */
export const COLUMN_OF: Readonly<Record<keyof StoredDemographics, string>> = {
  zip: 'zip',
  populationTotal: 'population_total',
  householdsTotal: 'households_total',
  medianHouseholdIncome: 'median_household_income',
  ownerOccupiedHouseholds: 'owner_occupied_households',
  ownerOccupiedPct: 'owner_occupied_pct',
  medianHomeValue: 'median_home_value',
  singleFamilyDetachedPct: 'single_family_detached_pct',
  medianAge: 'median_age',
  medianYearBuilt: 'median_year_built',
  homeAgePre1980Pct: 'home_age_pre_1980_pct',
  homeAge19801999Pct: 'home_age_1980_1999_pct',
  homeAge2000PlusPct: 'home_age_2000_plus_pct',
  homesByDecadeBuilt: 'homes_by_decade_built',
  flags: 'flags',
  tableYears: 'table_years',
  sourceVintage: 'source_vintage',
};
const COLUMNS = Object.entries(COLUMN_OF) as [keyof StoredDemographics, string][];

const SELECT_LIST = COLUMNS.map(([field, column]) => `${column} as "${field}"`).join(', ');

/** Returns all demographics, or those of the given ZIP codes, by ZIP code. */
export async function readDemographics(
  db: Queryable,
  zips?: readonly string[],
): Promise<StoredDemographics[]> {
  return db.query(
    `select ${SELECT_LIST} from zip_demographics ${zips ? 'where zip = any($1)' : ''} order by zip`,
    zips && [zips],
  );
}

const FIGURES_LIST = CENSUS_FIGURES.map(
  (field) => `string_agg(coalesce(${COLUMN_OF[field]}::text, ''), ' ') as "${field}"`,
).join(', ');

/**
 * Returns the figures of the next ZIP codes. Each column is returned as a single text, because rows with
 * arrays and JSON take five times as long.
 * @param zip the last ZIP code of the previous call; empty for the first call
 */
export async function figuresAfter(db: Queryable, zip: string, limit: number): Promise<Figures[]> {
  const [columns] = await db.query<Record<string, string | null>>(
    `select string_agg(zip, ' ') as zip, ${FIGURES_LIST},
       string_agg(coalesce(array_to_string(homes_by_decade_built, ',', '-'), ''), ' ') as homes
     from (select * from zip_demographics where zip > $1 order by zip limit $2) next`,
    [zip, limit],
  );
  const zips = columns!.zip?.split(' ') ?? [];
  const homes = columns!.homes?.split(' ') ?? [];
  const figures = CENSUS_FIGURES.map(
    (field) => [field, columns![field]?.split(' ') ?? []] as const,
  );
  return zips.map((zip, i) => {
    const row = { zip, homesByDecadeBuilt: homes[i] ? homes[i].split(',').map(Number) : null };
    for (const [field, values] of figures) {
      (row as Figures)[field] = values[i] ? Number(values[i]) : null;
    }
    return row as Figures;
  });
}

/** The last years of the tables that figures come from. Each combination is listed once */
export const tableYears = async (db: Queryable): Promise<StoredDemographics['tableYears'][]> =>
  (
    await db.query<{ years: StoredDemographics['tableYears'] }>(
      'select distinct table_years as years from zip_demographics',
    )
  ).map(({ years }) => years);

const BATCH_ROWS = 2_000;

/**
 * Stages the rows and, unless `dryRun`, replaces the whole table. `findings` receives notes on how well
 * they fit the boundaries.
 */
export async function storeDemographics(
  db: Database,
  rows: StoredDemographics[],
  facts: DatasetFacts,
  options: {
    dryRun: boolean;
    progress: Progress;
    findings?: Findings;
    /** Further changes of the same import, in its transaction */
    also?: (tx: Queryable) => Promise<void>;
  },
): Promise<void> {
  const noteFit = async (tables?: { figures: string }) => {
    const notes = options.findings ? await fitNotes(db, { demographics: facts }, tables) : [];
    for (const note of notes) options.findings!.note(note);
  };
  const columns = Object.values(COLUMN_OF).join(', ');
  await withStaging(db, ['zip_demographics'], async (staging) => {
    for (let from = 0; from < rows.length; from += BATCH_ROWS) {
      const batch = rows
        .slice(from, from + BATCH_ROWS)
        .map((row) => Object.fromEntries(COLUMNS.map(([field, column]) => [column, row[field]])));
      await db.query(
        `insert into ${staging.table('zip_demographics')} (${columns})
         select ${columns} from jsonb_populate_recordset(null::zip_demographics, $1)`,
        [JSON.stringify(batch)],
      );
      options.progress('Storing demographics', from + batch.length, rows.length);
    }
    await staging.index('zip_demographics');
    if (options.dryRun) return noteFit({ figures: staging.table('zip_demographics') });
    await db.transaction(async (tx) => {
      await staging.replaceLive(tx, 'zip_demographics');
      await recordDataset(tx, 'demographics', facts);
      await storeZipsWithoutBoundary(tx);
      await options.also?.(tx);
    });
    await db.query('analyze zip_demographics');
    await noteFit();
  });
}
