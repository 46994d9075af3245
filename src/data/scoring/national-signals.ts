/**
 * The ranked signals of the whole country, from which scores with custom weights are computed.
 * Cached in the process until other demographics are imported.
 */
import type { Queryable } from '../../base/db/database.ts';
import { datasetsStamp, readDatasets } from '../../base/db/datasets.ts';
import { unavailable } from '../../errors.ts';
import { figuresAfter, tableYears } from '../ingest/demographics-store.ts';
import type { Figures } from '../ingest/demographics.ts';
import { letOthersRun } from '../../base/workers/let-others-run.ts';
import { asOfYear } from './recompute.ts';
import { percentiles } from './percentile.ts';
import { signalColumns, type RankedSignals } from './signals.ts';

export interface NationalSignals {
  /** Sorted */
  zips: readonly string[];
  /** Index of each ZIP code in `zips` and in every column of `ranks` */
  rowOf: ReadonlyMap<string, number>;
  ranks: RankedSignals;
  /** By row; NaN if unknown */
  ownerHouseholds: Float64Array;
  /** Source and year of the demographics */
  vintage: string;
  /** Year from which the age of homes is counted */
  asOfYear: number;
}

interface CacheEntry {
  stamp: number;
  signals: Promise<NationalSignals>;
}

const cache = new WeakMap<Queryable, CacheEntry>();

/**
 * Returns the signals. With the public weights, they give the public scores, unless scores haven't been recomputed
 * since the last import of demographics.
 * @throws ServiceError 503 before demographics are imported
 */
export async function nationalSignals(db: Queryable): Promise<NationalSignals> {
  const facts = (await readDatasets(db)).get('demographics');
  if (!facts)
    throw unavailable(
      'Demographics have not been imported yet. Try again after the operator has imported them.',
    );
  const stamp = facts.importedAt.getTime();
  const cached = cache.get(db);
  if (cached?.stamp === stamp) return cached.signals;
  const entry: CacheEntry = { stamp, signals: rankAll(db, facts.vintage) };
  cache.set(db, entry);
  // Don't cache failures: the next call tries again.
  entry.signals.catch(() => cache.get(db) === entry && cache.delete(db));
  return entry.signals;
}

/** Number of rows to read at a time. Reading all rows at once would block the process. */
const SLICE_ROWS = 3_000;

/** Reads the figures of all ZIP codes. Starts over if an import replaces them meanwhile. */
async function readAll(db: Queryable): Promise<{ figures: Figures[]; year: number }> {
  const stamp = () => datasetsStamp(db, ['demographics']);
  for (let before = await stamp(); ;) {
    const year = asOfYear(await tableYears(db));
    const figures: Figures[] = [];
    let slice: Figures[];
    do {
      slice = await figuresAfter(db, figures.at(-1)?.zip ?? '', SLICE_ROWS);
      figures.push(...slice);
      await letOthersRun();
    } while (slice.length === SLICE_ROWS);
    const after = await stamp();
    if (after === before) return { figures, year };
    before = after;
  }
}

async function rankAll(db: Queryable, vintage: string): Promise<NationalSignals> {
  const { figures, year } = await readAll(db);
  const zips = figures.map(({ zip }) => zip);
  const ranks: Record<string, Float64Array> = {};
  for (const [id, column] of signalColumns(figures, year)) {
    // Each step takes a few milliseconds. Other requests run in between.
    await letOthersRun();
    ranks[id] = percentiles(column);
    await letOthersRun();
  }
  return {
    zips,
    rowOf: new Map(zips.map((zip, row) => [zip, row])),
    ranks: ranks as RankedSignals,
    ownerHouseholds: Float64Array.from(figures, (zip) => zip.ownerOccupiedHouseholds ?? NaN),
    vintage,
    asOfYear: year,
  };
}

/** Returns the owner households of ZIP codes; null if unknown. */
export const ownerHouseholdsOf =
  ({ rowOf, ownerHouseholds }: Pick<NationalSignals, 'rowOf' | 'ownerHouseholds'>) =>
  (zip: string): number | null => {
    const owners = ownerHouseholds[rowOf.get(zip) ?? -1] ?? NaN;
    return Number.isNaN(owners) ? null : owners;
  };
