/** Where the basemap's layers come from. */
import type { Queryable } from '../db/database.ts';
import { readDatasets, type Dataset } from '../db/datasets.ts';
import { unavailable } from '../errors.ts';
import { BASEMAP_LAYERS } from './features.ts';

/**
 * The layers that have been imported, with their sources.
 * @throws ServiceError 503 before the first import: an empty map would pass for open sea
 */
export async function basemapSources(db: Queryable): Promise<Dataset[]> {
  const sources = await readDatasets(db);
  const present = BASEMAP_LAYERS.flatMap((layer) => sources.get(layer) ?? []);
  if (present.length === 0) throw unavailable('The basemap has not been imported yet.');
  return present;
}

/** To be shown with a map: each source once. */
export function attributionOf(sources: readonly Dataset[]): string {
  return [...new Set(sources.flatMap(({ vintage }) => vintage.split(', ')))].join(', ');
}

/** Changes whenever an import has changed a layer. */
export async function basemapStamp(db: Queryable): Promise<string> {
  const sources = await readDatasets(db);
  const times = BASEMAP_LAYERS.map((layer) => sources.get(layer)?.importedAt.getTime() ?? 0);
  return times.join();
}
