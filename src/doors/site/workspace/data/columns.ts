/** The figures of a market's ZIP codes, by column. */
import { hasAccess } from '../../../../people/account/access.ts';
import type { Caller } from '../../../../people/account/caller.ts';
import type { Database, Queryable } from '../../../../base/db/database.ts';
import type { CensusFigure } from '../../../../data/ingest/demographics.ts';
import { censusColumns, scoreColumns, type Column } from '../../../../data/market/zip-columns.ts';
import { recordSeenZips } from '../../../../people/metering/figures.ts';
import { nationalSignals } from '../../../../data/scoring/national-signals.ts';
import { VERTICALS } from '../../../../data/scoring/verticals.ts';
import { rankBy } from '../../../../territories/brands/targeting/targeting.ts';
import { withOwnData } from '../../../../territories/brands/targeting/own-ranks.ts';
import { ownProfiles } from '../../../../territories/brands/targeting/profile.ts';
import { CENSUS_MEASURES, ownScoreOf, scoreOf } from '../browser/measures.ts';

/** Values in the order of the ZIP codes; null means unknown */
type Columns = Record<string, Column>;

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
  const { tenant, subscription } = caller;
  await recordSeenZips(caller, zips);
  const [scores, census, own] = await Promise.all([
    publicScores(tenant.common, zips),
    censusColumns(tenant.common, zips, CENSUS_FIELDS),
    hasAccess(subscription) ? ownScores(db, caller, zips) : {},
  ]);
  return { ...scores, ...own, ...census };
}

async function publicScores(common: Queryable, zips: readonly string[]): Promise<Columns> {
  const columns = await scoreColumns(
    common,
    zips,
    VERTICALS.map(({ slug }) => slug),
  );
  return Object.fromEntries([...columns].map(([vertical, column]) => [scoreOf(vertical), column]));
}

async function ownScores(db: Database, caller: Caller, zips: readonly string[]): Promise<Columns> {
  const profiles = await ownProfiles(caller.tenant);
  if (profiles.length === 0) return {};
  const signals = await nationalSignals(db);
  const columns: [string, Column][] = [];
  for (const profile of profiles) {
    const { ranks } = await withOwnData(caller, signals, profile);
    const { score } = rankBy(profile.weights, { ...signals, ranks }, []);
    const values = zips.map((zip) => {
      const row = signals.rowOf.get(zip);
      return row === undefined || Number.isNaN(score[row]!) ? null : score[row]!;
    });
    columns.push([ownScoreOf(profile.vertical), values]);
  }
  return Object.fromEntries(columns);
}
