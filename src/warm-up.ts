/**
 * Reads what comparisons and measures of territories share: the ranked signals and the borders of the
 * country. They take half a second of CPU and 50 queries, so on a busy machine the first comparison after
 * a start waited for 6 to 24 seconds.
 */
import type { Database } from './db/database.ts';
import type { Logger } from 'pino';

/** The first requests after a start go first. */
const DELAY_MS = 3_000;

/** Later, in the background. A failure only means that the first comparison waits. */
export function warmUpSoon(db: Database, log: Logger): void {
  const start = () => {
    warmUp(db).catch((error: unknown) =>
      log.info({ err: error }, 'the data for comparisons isn’t ready; the first one reads it'),
    );
  };
  setTimeout(start, DELAY_MS).unref();
}

export async function warmUp(db: Database): Promise<void> {
  const { nationalSignals } = await import('./scoring/national-signals.ts');
  const { nationalBorders } = await import('./territory/national-borders.ts');
  await nationalSignals(db);
  await nationalBorders(db);
}
