/** Checks whether the imported data is complete, and whether its vintages fit together. */
import type { Queryable } from '../../../db/database.ts';
import { readDatasets, type Dataset, type DatasetName } from '../../../db/datasets.ts';
import { migrationState } from '../../../db/migrate.ts';
import { formatCount } from '../../../words.ts';
import { failed, ok, skipped, warning, type Finding } from './finding.ts';

const REQUIRED: Partial<Record<DatasetName, string>> = {
  boundaries: 'territory-admin import zcta',
  demographics: 'territory-admin import acs',
  scores: 'territory-admin score',
};

/** Checks which datasets there are. Real and synthetic figures together would mislead people. */
export async function checkDatasets(db: Queryable): Promise<Finding> {
  if (await isBlank(db)) return skipped('The database has no tables yet');
  const datasets = await readDatasets(db);
  const missing = Object.entries(REQUIRED).filter(([name]) => !datasets.has(name as DatasetName));
  if (missing.length > 0) {
    return warning(
      `Missing: ${missing.map(([name]) => name).join(', ')}`,
      `Import them: ${missing.map(([, command]) => command).join(', ')}.`,
    );
  }
  const [boundaries, demographics, scores] = Object.keys(REQUIRED).map((name) =>
    datasets.get(name as DatasetName)!,
  ) as [Dataset, Dataset, Dataset];
  if (boundaries.synthetic !== demographics.synthetic) {
    const [real, sample] = boundaries.synthetic
      ? ['demographics', 'boundaries']
      : ['boundaries', 'demographics'];
    return failed(
      `The ${real} are real, but the ${sample} are sample data`,
      `Import real ${sample}: ${REQUIRED[sample as DatasetName]}.`,
    );
  }
  if (scores.importedAt < demographics.importedAt) {
    return warning(
      `The scores are older than the demographics (${demographics.vintage})`,
      'Run territory-admin score.',
    );
  }
  return ok(`${boundaries.vintage}; ${demographics.vintage}`);
}

interface Fit {
  zips: number;
  /** ZIP codes with a boundary but without census figures */
  unknown: number;
  /** ZIP codes with census figures but without a boundary */
  unplaced: number;
  /** ZIP codes with a boundary in no county */
  stateless: number;
  metros: number;
  /** Labels of launched metros whose counties contain no ZIP code */
  emptyMetros: string[];
}

const FIT = `
  select (select count(*) from zips) as zips,
    (select count(*) from zips z where not exists
      (select from zip_demographics d where d.zip = z.zip)) as unknown,
    (select count(*) from zip_demographics d where not exists
      (select from zips z where z.zip = d.zip)) as unplaced,
    (select count(*) from zips where county_fips is null) as stateless,
    (select count(*) from metros) as metros,
    coalesce((select array_agg(label order by label) from metros m where not exists (
      select from metro_counties c join zips z on z.county_fips = c.county_fips
      where c.metro_slug = m.slug)), '{}') as "emptyMetros"`;

/** ZCTAs of 2010 and 2020 differ in 3% of their codes. More means files of different places. */
const TOLERATED_SHARE = 0.05;

/** Compares boundaries, figures, counties, and metros with each other. */
export async function checkFit(db: Queryable): Promise<Finding> {
  if (await isBlank(db)) return skipped('The database has no tables yet');
  const [row] = await db.query<Fit>(FIT);
  const { zips, unknown, unplaced, stateless, metros, emptyMetros } = row!;
  if (zips === 0) return skipped('There are no ZIP codes yet');
  const problems = [
    problem(unknown, zips, 'ZIP codes have no census figures', 'demographics of the same year'),
    problem(
      unplaced,
      zips,
      'ZIP codes with figures have no boundary',
      'boundaries of the same year',
    ),
    problem(stateless, zips, 'ZIP codes are in no county', 'counties of the whole country'),
    emptyMetros.length === 0
      ? null
      : {
          detail: `${emptyMetros.length} of ${metros} metros have no ZIP codes (${emptyMetros.join('; ')})`,
          missing: 'boundaries and counties of the whole country, counties from 2022 or later',
        },
  ].filter((found) => found !== null);
  if (problems.length > 0) {
    return warning(
      problems.map(({ detail }) => detail).join('; '),
      `Import ${problems.map(({ missing }) => missing).join('; ')}.`,
    );
  }
  return ok(
    `${formatCount(zips)} ZIP codes; ${formatCount(zips - unknown)} with figures, ` +
      `${formatCount(zips - stateless)} in counties`,
  );
}

function problem(count: number, zips: number, what: string, missing: string) {
  if (count <= TOLERATED_SHARE * zips) return null;
  return { detail: `${formatCount(count)} ${what}`, missing };
}

const isBlank = async (db: Queryable) => (await migrationState(db)).applied.length === 0;
