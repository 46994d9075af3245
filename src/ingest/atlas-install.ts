/** Provides states and counties, without which ZIP codes can't be assigned to counties. */
import type { Database } from '../db/database.ts';
import { readDatasets, type DatasetFacts } from '../db/datasets.ts';
import { atlasStatesAndCounties } from './atlas.ts';
import { basemapSources, storeBasemap } from './basemap-store.ts';
import type { Progress } from './progress.ts';

export const ATLAS_FACTS: DatasetFacts = {
  vintage: 'Census cartographic boundaries 2017 (us-atlas)',
  synthetic: false,
};

/** Imports states and counties from us-atlas unless they are already present from any source. */
export async function ensureStatesAndCounties(db: Database, progress: Progress): Promise<void> {
  const present = await readDatasets(db);
  if (present.has('states') && present.has('counties')) return;
  const missing = atlasStatesAndCounties().filter(({ layer }) => !present.has(layer));
  progress('Preparing states and counties', 0, 0);
  const sources = await basemapSources(missing, () => ATLAS_FACTS);
  await storeBasemap(db, sources, { dryRun: false, progress });
}
