/**
 * The scores of an earlier period with today's weights. Both periods are scored with the same formulas, each among all ZIP
 * codes of its time, so that a difference is a change of the place. Cached in the process until figures are imported.
 */
import type { Queryable } from '../../base/db/database.ts';
import { datasetsStamp } from '../../base/db/datasets.ts';
import { letOthersRun } from '../../base/workers/let-others-run.ts';
import type { Figures } from '../ingest/demographics.ts';
import { builtLines, type Line, type LineValues } from '../ingest/vintages/lines.ts';
import { percentiles } from '../scoring/percentile.ts';
import { spanOf } from '../ingest/vintages/spans.ts';
import { scoreInputs } from '../scoring/score.ts';
import { signalColumns, type RankedSignals } from '../scoring/signals.ts';
import { verticalBySlug } from '../scoring/verticals.ts';
import { earlierLines } from './changes.ts';
import { findComparison } from './comparison.ts';

export interface EarlierScores {
  /** Such as `2013-2017` */
  period: string;
  /** Returns the score of a ZIP code at the time, 0..100; null without enough data */
  scoreOf: (vertical: string, zip: string) => number | null;
}

interface CacheEntry {
  key: string;
  signals: Promise<EarlierSignals>;
  /** Scores by vertical, in the order of the signals; NaN without enough data */
  scores: Map<string, Float64Array>;
}

interface EarlierSignals {
  rowOf: ReadonlyMap<string, number>;
  ranks: RankedSignals;
}

const cache = new WeakMap<Queryable, CacheEntry>();

/**
 * Returns the scores in the earlier period.
 * @param db the process's database, with which they are cached
 * @throws ServiceError as `findComparison`
 */
export async function earlierScores(db: Queryable, since?: number): Promise<EarlierScores> {
  const comparison = await findComparison(db, since);
  const key = `${await datasetsStamp(db, ['demographics', 'vintages'])} ${comparison.since}`;
  let entry = cache.get(db);
  if (entry?.key !== key) {
    entry = { key, signals: rankEarlier(db, comparison.since), scores: new Map() };
    cache.set(db, entry);
    const added = entry;
    // Don't cache failures: the next call tries again.
    added.signals.catch(() => cache.get(db) === added && cache.delete(db));
  }
  const { scores } = entry;
  const { rowOf, ranks } = await entry.signals;
  return {
    period: spanOf(comparison.since),
    scoreOf(vertical, zip) {
      let score = scores.get(vertical);
      if (!score) {
        ({ score } = scoreInputs(verticalBySlug(vertical).inputs, ranks));
        scores.set(vertical, score);
      }
      const value = score[rowOf.get(zip) ?? -1] ?? NaN;
      return Number.isNaN(value) ? null : value;
    },
  };
}

async function rankEarlier(db: Queryable, year: number): Promise<EarlierSignals> {
  const figures: Figures[] = [];
  for await (const rows of earlierLines(db, year)) {
    for (const { zip, lines } of rows) figures.push(figuresOf(zip, lines, year));
    await letOthersRun();
  }
  const ranks: Record<string, Float64Array> = {};
  for (const [id, column] of signalColumns(figures, year)) {
    await letOthersRun();
    ranks[id] = percentiles(column);
  }
  return {
    rowOf: new Map(figures.map(({ zip }, row) => [zip, row])),
    ranks: ranks as RankedSignals,
  };
}

/** Before the vintage of 2015, B25034 has no decades from 2010 on. */
const FIRST_WITH_DECADES = 2015;

/** Returns the figures of a period, as an import stores those of the current one. */
export function figuresOf(zip: string, lines: LineValues, year: number): Figures {
  const value = (line: Line) => lines[line].value;
  const count = (line: Line) => {
    const known = value(line);
    return known === null ? null : Math.round(known);
  };
  const built = builtLines(0, 10).map(count);
  const homes = built.every((one) => one !== null) && year >= FIRST_WITH_DECADES ? built : null;
  const share = (part: number | null, whole: number | null) =>
    part === null || !whole || part > whole ? null : Math.round((1000 * part) / whole) / 10;
  const builtShare = (from: number, to: number) =>
    share(homes && homes.slice(from, to).reduce((a, b) => a + b, 0), count('homesBuilt'));
  return {
    zip,
    populationTotal: count('population'),
    householdsTotal: count('households'),
    medianHouseholdIncome: count('medianIncome'),
    ownerOccupiedHouseholds: count('owners'),
    ownerOccupiedPct: share(value('owners'), value('households')),
    medianHomeValue: count('medianHomeValue'),
    singleFamilyDetachedPct: share(value('detached'), value('homes')),
    medianAge: value('medianAge'),
    medianYearBuilt: count('medianYearBuilt'),
    homeAgePre1980Pct: builtShare(0, 5),
    homeAge19801999Pct: builtShare(5, 7),
    homeAge2000PlusPct: builtShare(7, 10),
    homesByDecadeBuilt: homes,
  };
}
