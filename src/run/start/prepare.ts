/** Prepares a database for the service. */
import type { Config } from '../../config.ts';
import type { Database } from '../../base/db/database.ts';
import { migrate } from '../../base/db/migrate.ts';
import { separateOrganizations } from '../../base/db/tenant-role.ts';
import { addMissingBorderGraph } from '../../data/ingest/border-graph.ts';
import type { Progress } from '../../data/ingest/progress.ts';
import type { GeneratedSample } from '../../data/ingest/sample/generate.ts';
import { storeMetros } from '../../data/market/store-metros.ts';
import type { ScoringReport } from '../../data/scoring/recompute.ts';

/** The migration that adds rows for ZIP codes without a boundary */
const WITH_MISSING_ZIPS = '0017_zips_without_boundary.sql';

/**
 * Applies migrations, separates organizations, and stores the launched metros. All of this is one
 * transaction, so processes that start at the same time take turns.
 * @returns the applied migrations
 */
export function bringUpToDate(db: Database): Promise<string[]> {
  return db.transaction(async (tx) => {
    const applied = await migrate(tx);
    await separateOrganizations(tx);
    await storeMetros(tx);
    await addMissingBorderGraph(tx);
    if (applied.includes(WITH_MISSING_ZIPS)) {
      const { addMissingZips } = await import('../../data/ingest/zips-without-boundary.ts');
      await addMissingZips(tx);
    }
    return applied;
  });
}

/**
 * Stores the national sample data and its scores, in the order in which the parts are generated. Most
 * starts and commands don't need this code.
 * @param sample sample data that is already being generated
 */
export async function fillWithSample(
  db: Database,
  progress: Progress,
  sample?: GeneratedSample,
): Promise<ScoringReport> {
  const [{ generateSample, installDemographics, installMaps }, { SAMPLE }, { storeScores }] =
    await Promise.all([
      import('../../data/ingest/sample/generate.ts'),
      import('../../data/ingest/sample/facts.ts'),
      import('../../data/scoring/recompute.ts'),
    ]);
  const parts = sample ?? generateSample();
  const demographics = await installDemographics(db, parts, progress);
  const scores = await storeScores(db, demographics, SAMPLE, progress);
  await installMaps(db, parts, progress);
  return scores;
}

/**
 * Whether to fill an empty database with sample data. By default, only the embedded one is filled, because
 * synthetic figures don't belong in the database of a production service.
 */
export function wantsSample({ sampleData, databaseUrl }: Config): boolean {
  return sampleData === 'always' || (sampleData === 'auto' && databaseUrl === undefined);
}

/**
 * Whether the database has neither real data nor a complete sample. The sample's boundaries are stored
 * last.
 */
export async function isEmpty(db: Database): Promise<boolean> {
  const rows = await db.query<{ name: string; synthetic: boolean }>(
    `select name, synthetic from datasets where name in ('boundaries', 'demographics', 'scores')`,
  );
  return rows.length < 3 && rows.every(({ name, synthetic }) => synthetic || name === 'scores');
}

/** Whether the demo organization may be created. Its territories need the sample data. */
export async function wantsDemo(db: Database, config: Config): Promise<boolean> {
  if (!wantsSample(config)) return false;
  const rows = await db.query(
    `select from datasets where name in ('boundaries', 'demographics') and synthetic`,
  );
  return rows.length === 2;
}
