/** What a database needs before the service can work on it. */
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import { migrate } from './db/migrate.ts';
import { installSample } from './ingest/sample/install.ts';
import type { Progress } from './ingest/progress.ts';
import { storeMetros } from './market/metros.ts';
import { recomputeScores, type ScoringReport } from './scoring/recompute.ts';

/**
 * The current schema and the launched metros, in one transaction: processes that start at the same
 * time take turns. @returns the migrations applied now
 */
export function bringUpToDate(db: Database): Promise<string[]> {
  return db.transaction(async (tx) => {
    const applied = await migrate(tx);
    await storeMetros(tx);
    return applied;
  });
}

/** National sample data, scored. */
export async function fillWithSample(db: Database, progress: Progress): Promise<ScoringReport> {
  await installSample(db, progress);
  return recomputeScores(db, progress);
}

/**
 * Whether an empty database is to be filled with sample data: by default only the embedded one,
 * since nobody wants made-up figures in the database of a real service.
 */
export function wantsSample({ sampleData, databaseUrl }: Config): boolean {
  return sampleData === 'always' || (sampleData === 'auto' && databaseUrl === undefined);
}

/** Whether there is nothing to work on yet: no real data, and no sample that was filled to its end. */
export async function isEmpty(db: Database): Promise<boolean> {
  const rows = await db.query(
    `select from datasets
     where name = 'scores' or name in ('boundaries', 'demographics') and not synthetic`,
  );
  return rows.length === 0;
}

/**
 * Whether the demo organisation may be made here: what it holds is sample data, which a database
 * of real figures has none of.
 */
export async function wantsDemo(db: Database, config: Config): Promise<boolean> {
  if (!wantsSample(config)) return false;
  const rows = await db.query(
    `select from datasets where name in ('boundaries', 'demographics') and synthetic`,
  );
  return rows.length === 2;
}
