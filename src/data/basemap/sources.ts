/** The sources of the basemap layers. */
import type { Queryable } from '../../base/db/database.ts';
import { readDatasets, type Dataset } from '../../base/db/datasets.ts';
import { unavailable } from '../../errors.ts';
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
export function joinSources(sources: readonly Dataset[]): string {
  return joinTitles(sources.flatMap(({ vintage }) => vintage.split(', ')));
}

/**
 * Joins titles of sources. Titles that differ only in the year at their end are merged, as in `TIGER/Line
 * 2019–2023`.
 */
export function joinTitles(titles: readonly string[]): string {
  const yearsOf = new Map<string, string[]>();
  for (const title of titles) {
    const [, stem = title, year] = /^(.* )((?:19|20)\d{2})$/.exec(title) ?? [];
    yearsOf.set(stem, [...(yearsOf.get(stem) ?? []), ...(year ? [year] : [])]);
  }
  return [...yearsOf]
    .map(([stem, years]) => {
      const [first, last] = [years.toSorted()[0], years.toSorted().at(-1)];
      return first === last ? stem + (first ?? '') : `${stem}${first}–${last}`;
    })
    .join(', ');
}
