/** Prepares a database for the service. */
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import { migrate } from './db/migrate.ts';
import { separateOrganizations } from './db/tenant-role.ts';
import type { Progress } from './ingest/progress.ts';
import type { Shapes } from './ingest/shapes.ts';
import { storeMetros } from './market/store-metros.ts';
import type { ScoringReport } from './scoring/recompute.ts';

/**
 * Applies migrations, separates organizations, and stores the launched metros, in one transaction, so
 * that processes starting at the same time take turns.
 * @returns the migrations applied
 */
export function bringUpToDate(db: Database): Promise<string[]> {
  return db.transaction(async (tx) => {
    const applied = await migrate(tx);
    await separateOrganizations(tx);
    await storeMetros(tx);
    return applied;
  });
}

/**
 * Installs the national sample data and computes its scores. Most starts and commands need neither.
 * @param boundaries as for `installSample`
 */
export async function fillWithSample(
  db: Database,
  progress: Progress,
  boundaries?: Promise<Shapes>,
): Promise<ScoringReport> {
  const [{ installSample }, { recomputeScores }] = await Promise.all([
    import('./ingest/sample/install.ts'),
    import('./scoring/recompute.ts'),
  ]);
  await installSample(db, progress, boundaries);
  return recomputeScores(db, progress);
}

/**
 * Whether to fill an empty database with sample data. By default only the embedded one: synthetic
 * figures don't belong in the database of a production service.
 */
export function wantsSample({ sampleData, databaseUrl }: Config): boolean {
  return sampleData === 'always' || (sampleData === 'auto' && databaseUrl === undefined);
}

/** Whether the database has neither real data nor a complete sample. */
export async function isEmpty(db: Database): Promise<boolean> {
  const rows = await db.query(
    `select from datasets
     where name = 'scores' or name in ('boundaries', 'demographics') and not synthetic`,
  );
  return rows.length === 0;
}

/** Whether the demo organization may be created: its territories need the sample data. */
export async function wantsDemo(db: Database, config: Config): Promise<boolean> {
  if (!wantsSample(config)) return false;
  const rows = await db.query(
    `select from datasets where name in ('boundaries', 'demographics') and synthetic`,
  );
  return rows.length === 2;
}
