/** The figures of a market's ZIP codes, by column. */
import { hasAccess } from '../../../../account/access.ts';
import type { Caller } from '../../../../account/caller.ts';
import type { Tenant } from '../../../../account/tenant.ts';
import type { Database, Queryable } from '../../../../db/database.ts';
import type { CensusFigure } from '../../../../ingest/demographics.ts';
import { censusColumns, scoreColumns, type Column } from '../../../../market/zip-columns.ts';
import { recordSeenZips } from '../../../../metering/figures.ts';
import { readPlanMeasures } from '../../../../plans/uploaded-measures.ts';
import { nationalSignals } from '../../../../scoring/national-signals.ts';
import { VERTICALS } from '../../../../scoring/verticals.ts';
import { rankBy } from '../../../../territory/targeting/targeting.ts';
import { ownProfiles } from '../../../../territory/targeting/profile.ts';
import { CENSUS_MEASURES, ownScoreOf, scoreOf, uploadOf } from '../browser/measures.ts';

/** Values in the order of the ZIP codes; null means unknown */
export type Columns = Record<string, Column>;

export const CENSUS_FIELDS = {
  households: 'householdsTotal',
  ownerOccupiedHouseholds: 'ownerOccupiedHouseholds',
  population: 'populationTotal',
  ownerOccupiedPct: 'ownerOccupiedPct',
  singleFamilyDetachedPct: 'singleFamilyDetachedPct',
  medianHouseholdIncome: 'medianHouseholdIncome',
  medianHomeValue: 'medianHomeValue',
  medianAge: 'medianAge',
  medianYearBuilt: 'medianYearBuilt',
} as const satisfies Record<(typeof CENSUS_MEASURES)[number]['name'], CensusFigure>;

/** Whether a column has census values. */
export const isCensusColumn = (name: string): name is keyof typeof CENSUS_FIELDS =>
  Object.hasOwn(CENSUS_FIELDS, name);

/**
 * @param db the process's database, with which the national signals are cached
 * @param zips in order
 * @throws ServiceError 402 as `recordSeenZips`
 */
export async function figureColumns(
  db: Database,
  caller: Caller,
  zips: readonly string[],
): Promise<Columns> {
  const { tenant, plan } = caller;
  await recordSeenZips(caller, zips);
  const [scores, census, own] = await Promise.all([
    publicScores(tenant.common, zips),
    censusColumns(tenant.common, zips, CENSUS_FIELDS),
    hasAccess(plan) ? ownScores(db, caller, zips) : {},
  ]);
  return { ...scores, ...own, ...census };
}

/**
 * Measures that were uploaded for a plan. They aren't metered figures, because the organization supplied
 * them.
 */
export async function uploadedColumns(
  tenant: Tenant,
  planId: string,
  zips: readonly string[],
): Promise<Columns> {
  const measures = await readPlanMeasures(tenant, { id: planId });
  return Object.fromEntries(
    measures.map(({ name, amounts }) => [
      uploadOf(name),
      zips.map((zip) => amounts.get(zip) ?? null),
    ]),
  );
}

async function publicScores(common: Queryable, zips: readonly string[]): Promise<Columns> {
  const columns = await scoreColumns(
    common,
    zips,
    VERTICALS.map(({ slug }) => slug),
  );
  return Object.fromEntries([...columns].map(([vertical, column]) => [scoreOf(vertical), column]));
}

async function ownScores(
  db: Database,
  { tenant }: Caller,
  zips: readonly string[],
): Promise<Columns> {
  const profiles = await ownProfiles(tenant);
  if (profiles.length === 0) return {};
  const signals = await nationalSignals(db);
  const columns = profiles.map(({ vertical, weights }) => {
    const { score } = rankBy(weights, signals, []);
    const values = zips.map((zip) => {
      const row = signals.rowOf.get(zip);
      return row === undefined || Number.isNaN(score[row]!) ? null : score[row]!;
    });
    return [ownScoreOf(vertical), values] as const;
  });
  return Object.fromEntries(columns);
}
