/** The sources of the basemap layers. */
import type { Queryable } from '../db/database.ts';
import { readDatasets, type Dataset } from '../db/datasets.ts';
import { unavailable } from '../errors.ts';
import { BASEMAP_LAYERS } from './features.ts';

/**
 * Returns the sources of the imported layers.
 *
 * @throws ServiceError 503 before the first import: an empty map would look like open sea
 */
export async function basemapSources(db: Queryable): Promise<Dataset[]> {
  const sources = await readDatasets(db);
  const present = BASEMAP_LAYERS.flatMap((layer) => sources.get(layer) ?? []);
  if (present.length === 0)
    throw unavailable(
      'The basemap has not been imported yet. Try again after the operator has imported it.',
    );
  return present;
}

/** The attribution of a map: each source once. */
export function attributionOf(sources: readonly Dataset[]): string {
  return [...new Set(sources.flatMap(({ vintage }) => vintage.split(', ')))].join(', ');
}
