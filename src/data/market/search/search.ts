/** Searches for places in the current data. */
import { cacheOf } from '../../../base/cache/cache.ts';
import type { Database } from '../../../base/db/database.ts';
import type { DatasetName } from '../../../base/db/datasets.ts';
import { importedData, type DataAt } from '../../../base/db/imported-data.ts';
import { unavailable } from '../../../errors.ts';
import { indexPlaces, type Place, type PlaceIndex, type PlaceQuery } from './place-index.ts';
import { loadPlaces } from './places.ts';

/** Imported data from which the index is built */
export const SEARCH_DATASETS: readonly DatasetName[] = ['boundaries', 'demographics', 'counties'];

interface PlaceSearch {
  /** @throws ServiceError 503 before ZIP codes are imported */
  find(db: DataAt, query: PlaceQuery): Promise<Place[]>;
  /** Loads the places of the current data, so that the first search needn't wait for it. */
  load(): Promise<void>;
}

const searches = new WeakMap<Database, PlaceSearch>();

/**
 * Returns the search of a process. It keeps the places in memory until other data is imported.
 *
 * @param db the process's database, with which the places are cached
 */
export function placeSearch(db: Database): PlaceSearch {
  const known = searches.get(db);
  if (known) return known;
  const search = newSearch(db);
  searches.set(db, search);
  return search;
}

/** Of the country: 33,791 ZIP codes and 31,400 other places */
const INDEX_BYTES = 24 << 20;

function newSearch(db: Database): PlaceSearch {
  const indexes = cacheOf<PlaceIndex>(() => INDEX_BYTES);
  const indexAt = (db: DataAt) =>
    indexes.find(db.stamp, async () => {
      const places = await loadPlaces(db);
      if (places.length === 0) {
        throw unavailable(
          'The ZIP codes have not been imported yet. Try again after the operator has imported them.',
        );
      }
      return indexPlaces(places);
    });
  return {
    find: async (db, query) => (await indexAt(db))(query),
    load: async () => void (await importedData(db, SEARCH_DATASETS).read(indexAt)),
  };
}
