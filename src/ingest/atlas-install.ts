/**
 * States and counties for a database that has none: ZIP codes cannot be placed without counties.
 */
import type { Database } from '../db/database.ts';
import { readDatasets, type DatasetFacts } from '../db/datasets.ts';
import { atlasStatesAndCounties } from './atlas.ts';
import { basemapSources, storeBasemap } from './basemap-store.ts';
import type { Progress } from './progress.ts';

export const ATLAS_FACTS: DatasetFacts = {
  vintage: 'Census cartographic boundaries 2017 (us-atlas)',
  synthetic: false,
};

/** Brings those of us-atlas in unless states and counties are there, from whatever source. */
export async function ensureStatesAndCounties(db: Database, progress: Progress): Promise<void> {
  const present = await readDatasets(db);
  const missing = atlasStatesAndCounties().filter(({ layer }) => !present.has(layer));
  if (missing.length === 0) return;
  progress('Preparing states and counties', 0, 0);
  await storeBasemap(db, await basemapSources(missing, ATLAS_FACTS), { dryRun: false, progress });
}
