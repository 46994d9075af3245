/** Provides states and counties, without which ZIP codes can't be assigned to counties. */
import type { BasemapLayer } from '../basemap/features.ts';
import type { Database } from '../db/database.ts';
import { readDatasets, type DatasetFacts } from '../db/datasets.ts';
import { atlasStatesAndCounties } from './atlas.ts';
import { basemapSources, storeBasemap } from './basemap-store.ts';
import type { Progress } from './progress.ts';

export const ATLAS_FACTS: DatasetFacts = {
  vintage: 'Census cartographic boundaries 2017 (us-atlas)',
  synthetic: false,
};

/**
 * Imports states and counties from us-atlas unless they are already present from any source. The import that
 * follows fits the coast; if it fails, the next import or start does.
 * @param following layers that this import replaces, so that they aren't needed
 */
export async function ensureStatesAndCounties(
  db: Database,
  progress: Progress,
  following: readonly BasemapLayer[] = [],
): Promise<void> {
  const present = await readDatasets(db);
  const missing = (['states', 'counties'] as const).filter(
    (layer) => !present.has(layer) && !following.includes(layer),
  );
  if (missing.length === 0) return;
  progress('Preparing states and counties', 0, 0);
  const features = atlasStatesAndCounties().filter(({ layer }) =>
    (missing as BasemapLayer[]).includes(layer),
  );
  const sources = await basemapSources(features, () => ATLAS_FACTS);
  await storeBasemap(db, sources, { dryRun: false, progress, coast: 'later' });
}
