/** Which two periods a figure is compared over. */
import type { Queryable } from '../../base/db/database.ts';
import { datasetsStamp } from '../../base/db/datasets.ts';
import { joinWithAnd } from '../../base/text/words.ts';
import { badRequest, conflict } from '../../errors.ts';
import { CENSUS_FIGURES, type CensusFigure } from '../ingest/demographics.ts';
import { tableYears } from '../ingest/demographics-store.ts';
import { hasRelations } from '../ingest/vintages/relations.ts';
import { FIRST_OF_2020, isComparable, spanOf } from '../ingest/vintages/spans.ts';
import { listVintages, type Vintage } from '../ingest/vintages/store.ts';
import { tableOfFigure, type Span } from './change.ts';

export interface Comparison {
  /** The periods of each figure; null if no kept period can be compared with the current one */
  spanOf: ReadonlyMap<CensusFigure, Span | null>;
  /** The last year of the earlier period */
  since: number;
  /** In words, such as `2013-2017 and 2018-2022` */
  periods: string;
  /** The earlier periods that work, as last years, latest first */
  choices: number[];
  synthetic: boolean;
}

/**
 * Finds the periods to compare: for each figure, that of the current value, and an earlier one without a common year.
 * @param since last year of the earlier period. Default: the latest of those that work for the most figures
 * @throws ServiceError 400 for a period that overlaps or isn't kept, with those that work; 409 if none works
 */
export async function findComparison(db: Queryable, since?: number): Promise<Comparison> {
  const vintages = await listVintages(db);
  const current = await currentYears(db);
  const spans = [...current].flatMap(([table, toYear]) =>
    vintages.some((one) => one.year === toYear && one.tables.includes(table))
      ? earlierOf(vintages, table, toYear).map((fromYear) => ({ table, fromYear, toYear }))
      : [],
  );
  const choices = [...new Set(spans.map(({ fromYear }) => fromYear))].sort((a, b) => b - a);
  if (choices.length === 0) throw conflict(nothingToCompare(vintages, current));
  const from = since ?? mostComplete(choices, spans);
  if (!choices.includes(from)) throw badRequest(refusal(from, vintages, current, choices));
  const chosen = spans.filter(({ fromYear }) => fromYear === from);
  const synthetic = vintages.some((one) => one.year === from && one.synthetic);
  const crosses = from < FIRST_OF_2020 && chosen.some(({ toYear }) => toYear >= FIRST_OF_2020);
  if (crosses && !synthetic && !(await hasRelations(db))) throw conflict(NEEDS_RELATIONS);
  const spanOfTable = new Map(
    chosen.map(({ table, fromYear, toYear }) => [table, { fromYear, toYear }]),
  );
  const periods = [...new Set([from, ...chosen.map(({ toYear }) => toYear)])].sort().map(spanOf);
  return {
    spanOf: new Map(
      CENSUS_FIGURES.map((figure) => [figure, spanOfTable.get(tableOfFigure(figure)) ?? null]),
    ),
    since: from,
    periods: joinWithAnd(periods),
    choices,
    synthetic,
  };
}

/** Returns the year with the most tables; of several, the first one. */
const mostComplete = (
  choices: readonly number[],
  spans: readonly { fromYear: number }[],
): number => {
  const tables = (year: number) => spans.filter(({ fromYear }) => fromYear === year).length;
  return choices.reduce((best, year) => (tables(year) > tables(best) ? year : best));
};

/** Whether the areas of two periods are those of different censuses. Areas of the sample never change. */
export const crossesCensuses = ({ fromYear, toYear }: Span, synthetic: boolean): boolean =>
  !synthetic && fromYear < FIRST_OF_2020 && toYear >= FIRST_OF_2020;

interface CachedYears {
  stamp: string;
  years: ReadonlyMap<string, number>;
}
const cache = new WeakMap<Queryable, CachedYears>();

/**
 * Returns the last year of the period of each table that the current figures come from. Cached until figures are
 * imported, because finding them reads all ZIP codes, which takes 40 to 110 ms, and every card on the map asks.
 */
async function currentYears(db: Queryable): Promise<ReadonlyMap<string, number>> {
  const stamp = await datasetsStamp(db, ['demographics']);
  const cached = cache.get(db);
  if (cached?.stamp === stamp) return cached.years;
  const years = new Map<string, number>();
  for (const tables of await tableYears(db)) {
    for (const [table, year] of Object.entries(tables)) {
      years.set(table, Math.max(year, years.get(table) ?? 0));
    }
  }
  cache.set(db, { stamp, years });
  return years;
}

const earlierOf = (vintages: readonly Vintage[], table: string, toYear: number): number[] =>
  vintages
    .filter(
      ({ year, tables }) => year < toYear && isComparable(year, toYear) && tables.includes(table),
    )
    .map(({ year }) => year);

function nothingToCompare(
  vintages: readonly Vintage[],
  current: ReadonlyMap<string, number>,
): string {
  const kept = vintages.map(({ year }) => spanOf(year));
  const lacking = [...new Set(current.values())]
    .filter((of) => vintages.every(({ year }) => year !== of))
    .sort();
  // Earlier versions stored figures without their margins.
  if (kept.length > 0 && lacking.length > 0) {
    return (
      `The current figures of ${joinWithAnd(lacking.map(spanOf))} are stored without their margins of error, so there is ` +
      'nothing to compare. Ask the operator to import them again: territory-admin import acs FILE…'
    );
  }
  const what =
    kept.length === 0
      ? 'No vintage of census figures is kept with its margins of error'
      : kept.length === 1
        ? `Only the figures of ${kept[0]} are kept`
        : `The periods that are kept (${joinWithAnd(kept)}) have years or no tables in common`;
  return (
    `${what}, so there is nothing to compare. Ask the operator to import an earlier period: ` +
    'territory-admin import acs FILE… --keep-current'
  );
}

function refusal(
  since: number,
  vintages: readonly Vintage[],
  current: ReadonlyMap<string, number>,
  choices: readonly number[],
): string {
  const works = `Choose one of these: ${choices.join(', ')}.`;
  const latest = Math.max(...current.values());
  if (!vintages.some(({ year }) => year === since)) {
    return `since: no figures are kept whose last year is ${since}. ${works}`;
  }
  if (since < latest && !isComparable(since, latest)) {
    return (
      `since: ${spanOf(since)} overlaps ${spanOf(latest)}. The Census Bureau advises to compare only periods ` +
      `without a common year. ${works}`
    );
  }
  return `since: ${spanOf(since)} isn’t an earlier period of the current figures. ${works}`;
}

const NEEDS_RELATIONS =
  'The earlier figures are about the ZIP code areas of 2010, and the current ones about those of 2020, which differ. Ask ' +
  'the operator to import the Census Bureau’s relationship file: territory-admin import zcta-relationship ' +
  'tab20_zcta510_zcta520_natl.txt';
