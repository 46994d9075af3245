/**
 * Loads data that the first requests would wait for: the ranked signals and the borders of the country, for
 * comparisons and measures of territories, and the places for the search. Loading takes a second of CPU, so
 * on a busy machine the first comparison after a start took 6 to 24 seconds.
 */
import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { readDatasets } from '../db/datasets.ts';

/** The first requests after a start take precedence. */
const DELAY_MS = 3_000;

/** Loads the data later, in the background. A failure only means that the first request waits. */
export function warmUpSoon(db: Database, log: Logger): void {
  const start = () => {
    warmUp(db).catch((error: unknown) =>
      log.info({ err: error }, 'not all data is ready; the first comparison or search reads it'),
    );
  };
  setTimeout(start, DELAY_MS).unref();
}

/** Loads data that has been imported. The database of a new service has none. */
export async function warmUp(db: Database): Promise<void> {
  const present = await readDatasets(db);
  const { nationalSignals } = await import('../scoring/national-signals.ts');
  const { nationalBorders } = await import('../territory/shape/national-borders.ts');
  const { placeSearch } = await import('../market/search/search.ts');
  const failures: unknown[] = [];
  for (const [dataset, load] of [
    ['demographics', () => nationalSignals(db)],
    ['boundaries', () => nationalBorders(db)],
    ['boundaries', () => placeSearch(db).load()],
  ] as const) {
    if (!present.has(dataset)) continue;
    await load().catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}
