/** Installs states and counties, which are needed to assign ZIP codes to counties. */
import type { BasemapLayer } from '../basemap/features.ts';
import type { Database } from '../../base/db/database.ts';
import { readDatasets } from '../../base/db/datasets.ts';
import { atlasStatesAndCounties } from './atlas.ts';
import { simplifyToSources, fitOldCoast, storeBasemap } from './basemap-store.ts';
import type { Progress } from './progress.ts';
import { ATLAS_FACTS } from './sample/facts.ts';

/**
 * Installs states and counties from us-atlas, unless some are already imported from any source. The import
 * that follows fits the coast.
 * @param following layers that this import will replace, so they aren't installed
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
  const sources = await simplifyToSources(features, () => ATLAS_FACTS);
  await storeBasemap(db, sources, { dryRun: false, progress, coast: 'later' });
}

/**
 * Installs states and counties, then runs an import. A dry run installs none, since it changes nothing. If
 * the import is refused, the coast is fitted to the installed ones.
 */
export async function withStatesAndCounties<T>(
  db: Database,
  { dryRun, progress, following }: WithAtlasOptions,
  work: () => Promise<T>,
): Promise<T> {
  if (dryRun) return work();
  await ensureStatesAndCounties(db, progress, following);
  try {
    return await work();
  } catch (error) {
    // The refusal matters more than the coast, which the next start fits.
    await fitOldCoast(db, { progress }).catch(() => {});
    throw error;
  }
}

interface WithAtlasOptions {
  dryRun?: boolean;
  progress: Progress;
  following?: readonly BasemapLayer[];
}
