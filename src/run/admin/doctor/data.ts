/** Checks whether the imported data is complete and its vintages match. */
import type { Queryable } from '../../../base/db/database.ts';
import { readDatasets, type Dataset, type DatasetName } from '../../../base/db/datasets.ts';
import { migrationState } from '../../../base/db/migrate.ts';
import { fitProblems, readFit } from '../../../data/ingest/fit.ts';
import { formatCount } from '../../../base/text/words.ts';
import { failed, ok, skipped, warning, type CheckResult } from './check-result.ts';

const REQUIRED: Partial<Record<DatasetName, string>> = {
  boundaries: 'territory-admin import zcta',
  demographics: 'territory-admin import acs',
  scores: 'territory-admin score',
};

/** Checks for missing datasets, and for a mix of real and synthetic data, which would mislead people. */
export async function checkDatasets(db: Queryable): Promise<CheckResult> {
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

/** Checks whether boundaries, figures, counties, and metros match. */
export async function checkFit(db: Queryable): Promise<CheckResult> {
  if (await isBlank(db)) return skipped('The database has no tables yet');
  const datasets = await readDatasets(db);
  const [boundaries, demographics] = [datasets.get('boundaries'), datasets.get('demographics')];
  if (!boundaries || !demographics) return skipped('There are no boundaries and figures yet');
  const fit = await readFit(db);
  const problems = fitProblems(fit, { boundaries, demographics });
  if (problems.length > 0) {
    return warning(
      problems.map(({ detail }) => detail.replace(/\.$/, '')).join('. '),
      problems.map(({ fix }) => fix).join(' '),
    );
  }
  return ok(
    `${formatCount(fit.mapped)} ZIP codes; ${formatCount(fit.mapped - fit.withoutFigures.count)} with ` +
      'figures, all in counties',
  );
}

/** Whether the database has no tables yet */
export const isBlank = async (db: Queryable) => (await migrationState(db)).applied.length === 0;
